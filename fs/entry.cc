#include "fs/entry.h"

#include <fcntl.h>
#include <unistd.h>

#include "fs/sys.h"

namespace fairfs::fs {

bool has_room(Mount& mount) noexcept {
  const std::size_t most = mount.kept_most(), kept = mount.inodes.kept();
  if (kept >= most / 4 * 3) mount.kernel_cache.drop();
  return kept < most;
}

int check_room(fuse_req_t req) noexcept {
  Mount& mount = mount_of(req);
  if (has_room(mount)) return 0;
  if (mount.kernel_cache.drop_until([&] { return mount.inodes.kept() < mount.kept_most(); })) return 0;
  const uid_t user = fuse_req_ctx(req)->uid;
  return user == 0 || user == ::geteuid() ? 0 : -ENFILE;
}

int enter(Mount& mount, UniqueFd descriptor, fuse_entry_param& entry) {
  sys::Status status;
  // The first look must not block on a server: it might be us.
  if (const int error = sys::status(descriptor.get(), sys::Freshness::any, status); error < 0) return error;
  if (mount.own_device != 0 && status.attributes.st_dev == mount.own_device) return -ELOOP;
  // What is mounted in a directory is that directory's name and not its business: if it hangs, the kernel holds the
  // directory's lock here. Its attributes are asked for when somebody wants them, and then of it.
  const bool crosses = status.mount_root && status.attributes.st_dev != mount.root->key.device;
  if (!crosses && (!mount.source_is_local || status.attributes.st_dev != mount.root->key.device)) {
    if (const int error = sys::status(descriptor.get(), sys::Freshness::current, status); error < 0) return error;
  }
  struct stat& attributes = status.attributes;
  const InodeTable::Found found{
      .key = key_of(mount, descriptor.get(), status),
      .type = attributes.st_mode & S_IFMT,
      .birth = status.birth,
      .apart = mount.other_disks->have(attributes.st_dev)};
  Inode& inode = mount.inodes.look_up(std::move(descriptor), found);
  attributes.st_ino = visible_number(mount, inode.key);
  entry = {.ino = node_of(mount, inode),
           .generation = inode.generation,
           .attr = attributes,
           .attr_timeout = crosses ? 0 : mount.config.attr_timeout_s,
           .entry_timeout = mount.config.entry_timeout_s};
  return 0;
}

int enter(Mount& mount, int directory, const char* name, fuse_entry_param& entry) {
  UniqueFd descriptor = sys::open_at(directory, name, O_PATH | O_NOFOLLOW);
  if (!descriptor) return descriptor.error();
  return enter(mount, std::move(descriptor), entry);
}

int respond_entry(fuse_req_t req, int directory, const char* name) {
  fuse_entry_param entry{};
  if (const int error = enter(mount_of(req), directory, name, entry); error < 0) return error;
  fuse_reply_entry(req, &entry);
  return 0;
}

}  // namespace fairfs::fs
