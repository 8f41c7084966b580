// Random operations on the mount and on a native directory beside its source: after each one both must have said and
// done the same. FAIRFS_SEED repeats one sequence; FAIRFS_OPERATIONS makes it longer.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

#include "tests/mount/differential/generator.h"
#include "tests/mount/differential/trees.h"
#include "tests/mount/differential/worker.h"
#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

constexpr std::uint64_t kOperations = 20'000;
/// The same ones each time, so that a change is judged by what it does; new ones are tests/long.sh's.
constexpr std::uint64_t kSeeds[] = {1, 2, 3, 4, 5, 6};
constexpr std::uint64_t kTreesEvery = 1'000;  // and at the end
/// Of what happened before a difference; most causes are among the last steps that touched the same names.
constexpr std::size_t kHistory = 4'000, kHistoryShown = 40;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// Same user twice with other groups: the groups decide, and the kernel tells a daemon nothing of them.
const std::vector<Identity> kIdentities{{.user = 0, .group = 0, .groups = {}},
                                        {.user = 1000, .group = 1000, .groups = {1000, 3000}},
                                        {.user = 1001, .group = 1001, .groups = {3000}, .mask = 002},
                                        {.user = 1000, .group = 1000, .groups = {}, .mask = 077}};

class Differential : public MountTest {
 protected:
  void SetUp() override {
    MountTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    const Path twin = source("../twin");
    std::filesystem::create_directory(twin);
    ASSERT_EQ(::chmod(twin.c_str(), 0777), 0);
    mounted_ = open_file(mounted(), O_RDONLY | O_DIRECTORY);
    source_root_ = open_file(source(), O_RDONLY | O_DIRECTORY);
    twin_ = open_file(twin, O_RDONLY | O_DIRECTORY);
    for (const Identity& identity : kIdentities)
      workers_.push_back(std::make_unique<Worker>(identity, mounted_.get(), source_root_.get(), twin_.get()));
  }
  void TearDown() override {
    workers_.clear();
    mounted_.reset();
    source_root_.reset();
    twin_.reset();
    MountTest::TearDown();
  }

  /// Each seed on trees of its own: what one left would be part of the next one's sequence.
  void start_anew() {
    TearDown();
    SetUp();
  }

  void run(std::uint64_t seed, std::uint64_t operations) {
    Generator generator{Seed{seed}};
    for (std::uint64_t i = 1; i <= operations; ++i) {
      const Operation operation = generator.next();
      history_.push_back(operation);
      if (history_.size() > kHistory) history_.pop_front();
      const Outcomes outcomes = workers_[static_cast<std::size_t>(operation.worker)]->apply(operation);
      ASSERT_TRUE(outcomes.mounted == outcomes.native)
          << "FAIRFS_SEED=" << seed << ", operation " << i << ": " << describe(operation) << "\nmount  "
          << describe(outcomes.mounted) << "\nnative " << describe(outcomes.native) << "\nbefore:\n"
          << before(operation);
      if (i % kTreesEvery != 0 && i != operations) continue;
      const std::string difference = trees();
      ASSERT_EQ(difference, "") << "FAIRFS_SEED=" << seed << ", after operation " << i;
    }
  }

 private:
  /// The kernel may be writing back while we look: what it is at, blocks and holes, may be seen in the middle once.
  std::string trees() const {
    std::string difference;
    for (int attempt = 0; attempt < 3; ++attempt) {
      difference = difference_of_trees(mounted_.get(), source_root_.get(), twin_.get());
      if (difference.empty()) break;
      ::syncfs(source_root_.get());
    }
    return difference;
  }

  std::string before(const Operation& last) const {
    const auto related = [&](const Operation& operation) {
      if (uses_path(last.kind) && uses_path(operation.kind) &&
          (operation.path == last.path || operation.other_path == last.path || operation.path == last.other_path))
        return true;
      return uses_slot(last.kind) && uses_slot(operation.kind) && operation.worker == last.worker &&
             operation.slot == last.slot;
    };
    std::deque<std::string> lines;
    for (const Operation& operation : history_) {
      if (!related(operation)) continue;
      lines.push_back(describe(operation) + "\n");
      if (lines.size() > kHistoryShown) lines.pop_front();
    }
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
  }

  UniqueFd mounted_, source_root_, twin_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::deque<Operation> history_;
};

TEST_F(Differential, AnySeed) {
  std::vector<std::uint64_t> seeds(std::begin(kSeeds), std::end(kSeeds));
  if (std::getenv("FAIRFS_SEED") != nullptr) seeds = {number_from("FAIRFS_SEED", 0)};
  for (const std::uint64_t seed : seeds) {
    if (seed != seeds.front()) start_anew();
    if (IsSkipped() || HasFailure()) return;
    std::printf("FAIRFS_SEED=%llu\n", static_cast<unsigned long long>(seed));
    run(seed, number_from("FAIRFS_OPERATIONS", kOperations));
  }
}

}  // namespace
}  // namespace fairfs::test
