#include "fs/raw_requests.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>

#include "fs/handle.h"
#include "fs/kernel_order.h"

namespace fairfs::fs {

namespace {

struct StatxIn {
  std::uint32_t getattr_flags, reserved;
  std::uint64_t handle;
  std::uint32_t flags, mask;
};

/// What follows has the layout of struct statx, but for its padding.
struct StatxOut {
  std::uint64_t valid_s;
  std::uint32_t valid_ns, flags;
  std::uint64_t spare[2];
  struct statx attributes;
};
static_assert(sizeof(struct statx) == 256 && sizeof(StatxOut) == 288, "as in the kernel's fuse_statx_out");

void send(const Message& message, int error, const void* body, std::size_t size) noexcept {
  fuse_out_header header{};
  header.unique = message.header().unique;
  header.error = -error;
  header.len = static_cast<std::uint32_t>(sizeof header + size);
  const iovec parts[2] = {{&header, sizeof header}, {const_cast<void*>(body), size}};
  // Fails only when the caller or the mount is gone, and then nobody waits.
  before_answer();
  const ssize_t sent = ::writev(message.origin(), parts, size == 0 ? 1 : 2);
  static_cast<void>(sent);
}

void answer_statx(Mount& mount, const Message& message) noexcept {
  mount.engine.count({static_cast<pid_t>(message.header().pid), message.header().uid, message.header().gid},
                     engine::Event::metadata);
  const auto& body = message.body<StatxIn>();
  Inode& inode = inode_of(mount, message.header().nodeid);
  const BorrowedFd file = mount.inodes.borrow(inode);
  if (!file) return send(message, -file.error(), nullptr, 0);
  StatxOut out{};
  const int flags = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | static_cast<int>(body.flags & AT_STATX_SYNC_TYPE);
  if (::statx(file.get(), "", flags, body.mask | STATX_BASIC_STATS, &out.attributes) != 0)
    return send(message, errno, nullptr, 0);
  out.attributes.stx_ino = visible_number(mount, inode.key);
  const double timeout = mount.config.attr_timeout_s;
  out.valid_s = static_cast<std::uint64_t>(timeout);
  out.valid_ns = static_cast<std::uint32_t>((timeout - std::floor(timeout)) * 1e9);
  send(message, 0, &out, sizeof out);
}

}  // namespace

bool answer_raw(Mount& mount, Message& message) noexcept {
  auto& header = *reinterpret_cast<fuse_in_header*>(message.data());
  if (header.opcode == kOpcodeStatx) {
    answer_statx(mount, message);
    return true;
  }
  if (header.opcode == FUSE_TMPFILE) header.opcode = FUSE_CREATE;
  return false;
}

void amend_init_answer(const Message* message, iovec* parts, int count) noexcept {
  if (message == nullptr || message->header().opcode != FUSE_INIT || count < 2) return;
  const auto& asked = message->body<fuse_init_in>();
  auto& answer = *static_cast<fuse_init_out*>(parts[1].iov_base);
  if (static_cast<fuse_out_header*>(parts[0].iov_base)->error == 0)
    answer.flags |= asked.flags & FUSE_HANDLE_KILLPRIV_V2;
}

}  // namespace fairfs::fs
