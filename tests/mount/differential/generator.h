// Random operations from one seed.
#pragma once

#include "tests/mount/differential/operation.h"
#include "tests/sim/seed.h"

namespace fairfs::test {

/// The same seed gives the same operations. Few names and few open files, so that they meet each other often.
class Generator {
 public:
  explicit Generator(Seed seed) : random_{seed} {}
  Operation next();

 private:
  Kind kind();
  void fill_path(Kind kind, Operation::Path& path);
  std::string leaf(Kind kind);
  std::int64_t place();
  std::uint32_t mode();
  std::uint32_t owner();
  int open_flags();
  void fill_flags(Operation& operation);
  template <class Choices>
  auto one_of(const Choices& choices) {
    return choices[random_.between(0, choices.size() - 1)];
  }

  Random random_;
};

}  // namespace fairfs::test
