// One of the twins: a directory and the files a worker has open below it.
#pragma once

#include <array>
#include <string>

#include "tests/mount/differential/operation.h"
#include "tests/mount/differential/outcome.h"
#include "tests/mount/unique_fd.h"

namespace fairfs::test {

class Side {
 public:
  /// `root` is a descriptor of the directory, borrowed; `source` the one it mirrors, -1 when it mirrors none.
  explicit Side(int root, int source = -1) : root_{root}, source_{source} {}
  /// Does it, then looks at all it touched.
  Outcome apply(const Operation& operation);

 private:
  void open(const Operation& operation, Outcome& outcome);
  void act_on_names(const Operation& operation, Outcome& outcome);
  void act_on_attributes(const Operation& operation, Outcome& outcome);
  void act_on_contents(const Operation& operation, Outcome& outcome);
  void list(const Operation& operation, Outcome& outcome);
  void observe(const Operation& operation, Outcome& outcome);
  int handle(int slot) const { return slots_[static_cast<std::size_t>(slot)].get(); }
  std::string path_below_proc(const char* path) const;

  int root_, source_;
  std::array<UniqueFd, kSlots> slots_;
};

}  // namespace fairfs::test
