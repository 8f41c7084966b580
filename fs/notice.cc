#include "fs/notice.h"

#include <linux/fuse.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fs/serving_thread.h"

namespace fairfs::fs {

void attributes_are_old(fuse_ino_t node) noexcept {
  fuse_notify_inval_inode_out notice{};
  notice.ino = node;
  notice.off = -1;  // no pages: those may be locked by a request that waits
  fuse_out_header header{};
  header.error = FUSE_NOTIFY_INVAL_INODE;
  header.len = sizeof header + sizeof notice;
  const iovec parts[] = {{&header, sizeof header}, {&notice, sizeof notice}};
  // Fails only when the mount is gone, and then nobody looks.
  const ssize_t sent = ::writev(serving_thread().reply_to, parts, 2);
  static_cast<void>(sent);
}

}  // namespace fairfs::fs
