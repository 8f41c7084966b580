// The file and directory handles of a mount that the kernel has not released.
#pragma once

#include <mutex>

namespace fairfs::fs {

class OpenHandles;

/// What a file handle of the kernel stands for. The kernel owns it from the answer to OPEN until RELEASE, which deletes
/// it; before, whoever made it does. Known to `all`, which must live longer.
class OpenHandle {
 public:
  explicit OpenHandle(OpenHandles& all) noexcept;
  virtual ~OpenHandle();
  OpenHandle(const OpenHandle&) = delete;
  OpenHandle& operator=(const OpenHandle&) = delete;

 private:
  friend class OpenHandles;
  OpenHandles& all_;
  // Guarded by all_.mutex_.
  OpenHandle* before_ = nullptr;
  OpenHandle* behind_ = nullptr;
};

/// All of one mount. Thread-safe.
class OpenHandles {
 public:
  OpenHandles() = default;
  /// Deletes what is left: a mount that ends while files are open gets no RELEASE for them.
  ~OpenHandles();
  OpenHandles(const OpenHandles&) = delete;
  OpenHandles& operator=(const OpenHandles&) = delete;

 private:
  friend class OpenHandle;
  std::mutex mutex_;
  OpenHandle* first_ = nullptr;  // guarded by mutex_
};

}  // namespace fairfs::fs
