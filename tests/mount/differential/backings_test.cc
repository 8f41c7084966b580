// The same comparison where the source is no disk: what the mount does is what the file system behind it does, whatever
// that is.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "tests/mount/backing.h"
#include "tests/mount/differential/generator.h"
#include "tests/mount/differential/trees.h"
#include "tests/mount/differential/worker.h"

namespace fairfs::test {
namespace {

/// Others meet what these file systems do otherwise than the disk's: tmpfs shows what was mapped beyond the end once
/// the file grows (seed 8), takes the set-group-id bit off with an ACL (11), and refuses to zero ranges before it takes
/// set-id bits off, where the kernel has already asked the mount to (2); overlayfs lists trusted names to all (4).
constexpr std::uint64_t kOperations = 3'000, kSeeds[] = {1, 3, 5};

class DifferentialBackings : public BackedTest, public testing::WithParamInterface<Backing> {
 protected:
  void SetUp() override {
    BackedTest::SetUp();
    if (IsSkipped()) return;
    mount_backing(GetParam());
    if (HasFatalFailure()) return;
    for (const char* name : {"mirrored", "twin"}) {
      std::filesystem::create_directory(source(name));
      ASSERT_EQ(::chmod(source(name).c_str(), 0777), 0);
    }
    ASSERT_EQ(run({program(), source("mirrored"), mountpoint()}).status, 0);
  }

  void compare(std::uint64_t seed) {
    for (const char* name : {"mirrored", "twin"})
      std::filesystem::create_directory(source(name) / std::to_string(seed));
    const UniqueFd mounted = open_file(mountpoint(std::to_string(seed)), O_RDONLY | O_DIRECTORY);
    const UniqueFd behind = open_file(source("mirrored") / std::to_string(seed), O_RDONLY | O_DIRECTORY);
    const UniqueFd twin = open_file(source("twin") / std::to_string(seed), O_RDONLY | O_DIRECTORY);
    for (const UniqueFd* directory : {&behind, &twin}) ASSERT_EQ(::fchmod(directory->get(), 0777), 0);
    const std::vector<Identity> identities{{.user = 0, .group = 0, .groups = {}},
                                           {.user = 1000, .group = 1000, .groups = {1000, 3000}},
                                           {.user = 1001, .group = 1001, .groups = {3000}, .mask = 002},
                                           {.user = 1000, .group = 1000, .groups = {}, .mask = 077}};
    std::vector<std::unique_ptr<Worker>> workers;
    for (const Identity& identity : identities)
      workers.push_back(std::make_unique<Worker>(identity, mounted.get(), behind.get(), twin.get()));
    Generator generator{Seed{seed}};
    for (std::uint64_t i = 1; i <= kOperations; ++i) {
      const Operation operation = generator.next();
      const Outcomes outcomes = workers[static_cast<std::size_t>(operation.worker)]->apply(operation);
      ASSERT_TRUE(outcomes.mounted == outcomes.native)
          << "seed " << seed << ", operation " << i << ": " << describe(operation) << "\nmount  "
          << describe(outcomes.mounted) << "\nnative " << describe(outcomes.native);
    }
    EXPECT_EQ(difference_of_trees(mounted.get(), behind.get(), twin.get()), "") << "seed " << seed;
  }
};

TEST_P(DifferentialBackings, ADirectoryAndItsMirror) {
  for (const std::uint64_t seed : kSeeds) {
    compare(seed);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, DifferentialBackings, testing::Values(Backing::tmpfs, Backing::overlay, Backing::fuse),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace fairfs::test
