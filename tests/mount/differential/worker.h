// A process with an identity of its own that does what it is told, on both sides.
#pragma once

#include <sys/types.h>

#include <vector>

#include "tests/mount/differential/operation.h"
#include "tests/mount/differential/outcome.h"
#include "tests/mount/unique_fd.h"

namespace fairfs::test {

struct Identity {
  uid_t user = 0;
  gid_t group = 0;
  std::vector<gid_t> groups;
  mode_t mask = 022;
};

struct Outcomes {
  Outcome mounted, native;
};

class Worker {
 public:
  /// Forks. The roots are descriptors of directories, `source_root` of what is mounted. Throws std::system_error.
  Worker(const Identity& identity, int mounted_root, int source_root, int native_root);
  /// Ends the process, whose open files are closed then.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Throws std::runtime_error when the process died, or doesn't answer for a minute.
  Outcomes apply(const Operation& operation);

 private:
  UniqueFd channel_;
  pid_t process_ = 0;
};

}  // namespace fairfs::test
