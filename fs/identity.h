// On whose behalf a thread makes files.
#pragma once

#include <sys/types.h>

#include "fs/fuse.h"

namespace fairfs::fs::identity {

/// Gives the calling thread its own umask and working directory, apart from the process's others. Once a thread; later
/// calls do nothing. Called by itself when a thread makes its first file.
void prepare_thread() noexcept;

/// What rights are left to the thread while it is somebody else.
enum class Rights {
  kept,    ///< root's over files: the kernel has checked the caller's, with the supplementary groups that we can't see
  caller,  ///< the caller's alone, without any capability: nobody has checked yet
};

/// While it lives, what this thread creates belongs to the caller of `req` and has its umask taken off the mode. Does
/// nothing where the daemon may not change identity: then it serves its own user only.
class AsCaller {
 public:
  explicit AsCaller(fuse_req_t req, Rights rights = Rights::kept) noexcept;
  ~AsCaller();
  AsCaller(const AsCaller&) = delete;
  AsCaller& operator=(const AsCaller&) = delete;

 private:
  mode_t old_mask_;
  bool user_changed_ = false, group_changed_ = false;
};

}  // namespace fairfs::fs::identity
