#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "tests/diskemu/disk_mount.h"

namespace fairfs::test {
namespace {

enum Inode : fuse_ino_t { kRootInode = FUSE_ROOT_ID, kDiskInode, kAccountsInode, kControlInode };
struct Name {
  const char* text;
  Inode inode;
};
constexpr Name kNames[] = {{"disk", kDiskInode}, {"accounts", kAccountsInode}, {"control", kControlInode}};
constexpr double kForever = 86400;         // seconds; nothing here ever changes its name or size
constexpr unsigned kQueueMax = 1024;       // requests the kernel may send before the first is answered
constexpr unsigned kRequestMax = 1 << 20;  // bytes, the most libfuse 3.14 takes

DiskMount& mount_of(fuse_req_t request) { return *static_cast<DiskMount*>(fuse_req_userdata(request)); }

struct stat attributes_of(DiskMount& mount, fuse_ino_t inode) {
  struct stat attributes {};
  attributes.st_ino = inode;
  attributes.st_mode = inode == kRootInode ? S_IFDIR | 0755 : S_IFREG | 0644;
  attributes.st_nlink = inode == kRootInode ? 2 : 1;
  attributes.st_uid = getuid();
  attributes.st_gid = getgid();
  if (inode == kDiskInode) attributes.st_size = static_cast<off_t>(mount.contents().size());
  return attributes;
}

void init(void*, fuse_conn_info* connection) {
  connection->want &= ~(FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE | FUSE_CAP_SPLICE_MOVE);
  connection->max_background = kQueueMax;
  connection->congestion_threshold = kQueueMax;
  connection->max_write = kRequestMax;
}

void lookup(fuse_req_t request, fuse_ino_t, const char* name) {
  const auto* found = std::find_if(std::begin(kNames), std::end(kNames),
                                   [name](const Name& each) { return std::strcmp(each.text, name) == 0; });
  if (found == std::end(kNames)) {
    fuse_reply_err(request, ENOENT);
    return;
  }
  fuse_entry_param entry{};
  entry.ino = found->inode;
  entry.attr = attributes_of(mount_of(request), found->inode);
  entry.attr_timeout = entry.entry_timeout = kForever;
  fuse_reply_entry(request, &entry);
}

void getattr(fuse_req_t request, fuse_ino_t inode, fuse_file_info*) {
  const struct stat attributes = attributes_of(mount_of(request), inode);
  fuse_reply_attr(request, &attributes, kForever);
}

// A shell's "> control" truncates; there is nothing to change.
void setattr(fuse_req_t request, fuse_ino_t inode, struct stat*, int, fuse_file_info* info) {
  getattr(request, inode, info);
}

void readdir(fuse_req_t request, fuse_ino_t, std::size_t size, off_t offset, fuse_file_info*) {
  char entries[1024];
  std::size_t used = 0;
  for (auto index = static_cast<std::size_t>(offset); index < std::size(kNames); ++index) {
    const struct stat attributes = attributes_of(mount_of(request), kNames[index].inode);
    const std::size_t room = std::min(size, sizeof entries) - used;
    const std::size_t needed = fuse_add_direntry(request, entries + used, room, kNames[index].text, &attributes,
                                                 static_cast<off_t>(index + 1));
    if (needed > room) break;
    used += needed;
  }
  fuse_reply_buf(request, entries, used);
}

// The text of an open is made once, so that a reader in small steps sees one moment.
void open(fuse_req_t request, fuse_ino_t inode, fuse_file_info* info) {
  info->direct_io = 1;
  info->fh = 0;
  DiskMount& mount = mount_of(request);
  if (inode == kAccountsInode || inode == kControlInode) {
    auto text = std::make_unique<std::string>(inode == kAccountsInode ? mount.accounts_text() : mount.control_text());
    info->fh = reinterpret_cast<std::uint64_t>(text.release());
  }
  fuse_reply_open(request, info);
}

void release(fuse_req_t request, fuse_ino_t, fuse_file_info* info) {
  delete reinterpret_cast<std::string*>(info->fh);
  fuse_reply_err(request, 0);
}

void read(fuse_req_t request, fuse_ino_t inode, std::size_t size, off_t offset, fuse_file_info* info) {
  DiskMount& mount = mount_of(request);
  const auto* text = reinterpret_cast<const std::string*>(info->fh);
  const auto from = static_cast<std::uint64_t>(offset);
  const std::uint64_t end = inode == kDiskInode ? mount.contents().size() : text->size();
  const std::uint64_t bytes = from < end ? std::min<std::uint64_t>(size, end - from) : 0;
  if (inode == kDiskInode && bytes > 0) {
    mount.submit(request, IoKind::read, from, bytes);
  } else {
    fuse_reply_buf(request, bytes > 0 ? text->data() + from : nullptr, bytes);
  }
}

void write(fuse_req_t request, fuse_ino_t inode, const char* data, std::size_t size, off_t offset, fuse_file_info*) {
  DiskMount& mount = mount_of(request);
  if (inode != kDiskInode) {
    const int error = mount.execute({data, size});
    if (error < 0) {
      fuse_reply_err(request, -error);
    } else {
      fuse_reply_write(request, size);
    }
    return;
  }
  const auto from = static_cast<std::uint64_t>(offset);
  if (from + size > mount.contents().size()) {
    fuse_reply_err(request, ENOSPC);
    return;
  }
  mount.write(data, size, from);
  mount.submit(request, IoKind::write, from, size);
}

void fsync(fuse_req_t request, fuse_ino_t inode, int, fuse_file_info*) {
  if (inode == kDiskInode) {
    mount_of(request).submit(request, IoKind::flush, 0, 0);
  } else {
    fuse_reply_err(request, 0);
  }
}

// Discards and zeroes of the block device, whose size never changes. Free of charge, as trimming nearly is.
void fallocate(fuse_req_t request, fuse_ino_t inode, int mode, off_t offset, off_t length, fuse_file_info*) {
  DiskMount& mount = mount_of(request);
  const auto from = static_cast<std::uint64_t>(offset), bytes = static_cast<std::uint64_t>(length);
  if (inode != kDiskInode || mode == 0 || from + bytes > mount.contents().size()) {
    fuse_reply_err(request, EOPNOTSUPP);
    return;
  }
  mount.discard(from, bytes);
  fuse_reply_err(request, 0);
}

}  // namespace

const fuse_lowlevel_ops& disk_operations() {
  static const fuse_lowlevel_ops operations = [] {
    fuse_lowlevel_ops ops{};
    ops.init = init;
    ops.lookup = lookup;
    ops.getattr = getattr;
    ops.setattr = setattr;
    ops.readdir = readdir;
    ops.open = open;
    ops.release = release;
    ops.read = read;
    ops.write = write;
    ops.fsync = fsync;
    ops.fallocate = fallocate;
    return ops;
  }();
  return operations;
}

}  // namespace fairfs::test
