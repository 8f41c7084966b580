// The libfuse session: which handler answers what, what is agreed with the kernel, and how answers leave.
#pragma once

#include <memory>
#include <string>

#include "fs/device.h"
#include "fs/fuse.h"
#include "fs/message.h"

namespace fairfs::fs {

struct Mount;

/// Owns the libfuse session. `handle` may be called from many threads.
class Session {
 public:
  /// `mount` is what handlers work on; it must outlive the session. Throws std::system_error.
  explicit Session(Mount& mount);

  /// For an ordinary user: mounts through fusermount3 and returns the connected descriptor. Throws.
  [[nodiscard]] UniqueFd mount_as_user(const std::string& mountpoint);
  /// Sends answers to `device`, which must outlive the session.
  void attach(const Device& device);
  /// Answers one message, or leaves it with the engine.
  void handle(Message& message);

 private:
  struct Destroy {
    void operator()(fuse_session* session) const noexcept;
  };
  Mount& mount_;
  std::unique_ptr<fuse_session, Destroy> session_;
};

}  // namespace fairfs::fs
