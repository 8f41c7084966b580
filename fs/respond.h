// How a handler of metadata answers: at once and once on every path, by construction.
#pragma once

#include <cerrno>
#include <exception>
#include <new>

#include "fs/disk_wait.h"
#include "fs/fuse.h"
#include "fs/mount.h"

namespace fairfs::fs {

/// Runs `body`, which either answers as the last thing it does and returns 0, or returns -errno, which is then the
/// answer. The request counts as its caller's metadata, and what it takes of the disk is charged.
template <class Body>
void respond(fuse_req_t req, const Body& body) noexcept {
  const DiskWait charged_for{req};
  int error = 0;
  try {
    count_metadata(req);
    error = body();
  } catch (const std::bad_alloc&) {
    error = -ENOMEM;
  } catch (const std::exception&) {
    error = -EIO;
  }
  if (error < 0) fuse_reply_err(req, -error);
}

/// As `respond`, for requests whose whole answer is 0 or an error: `body` only returns it.
template <class Body>
void respond_status(fuse_req_t req, const Body& body) noexcept {
  respond(req, [&] {
    const int error = body();
    if (error >= 0) fuse_reply_err(req, 0);
    return error < 0 ? error : 0;
  });
}

/// The kernel remembers ENOSYS for the whole mount and never asks again; what one file system can't do, another mounted
/// inside the source may.
[[nodiscard]] inline int not_this_time(int error) noexcept { return error == -ENOSYS ? -EOPNOTSUPP : error; }

}  // namespace fairfs::fs
