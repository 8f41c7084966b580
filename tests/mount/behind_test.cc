// Changes made on the backing filesystem, behind the mount: seen within the timeout of names and attributes, and never
// a mixture of old and new.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <vector>

#include "tests/mount/mount.h"
#include "tests/sim/seed.h"

namespace fairfs::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTrials = 1000;
constexpr std::size_t kBytesMax = 20'000;

enum class Change { write, truncate, replace, remove, change_mode, count };

/// One file, known to the mount with name, attributes and pages, and then changed behind it.
struct Trial {
  std::string name;
  Change change{};
  std::string before, after;  ///< contents
  mode_t mode = 0644;
  bool there = true;
  UniqueFd open;  ///< some have it open through the mount all along
  Clock::time_point changed;
};

class Behind : public MountTest {
 protected:
  /// Everything at once, so that the change falls into the tick in which the file was made.
  Trial start(Random& random, int number) {
    Trial trial;
    trial.name = "f" + std::to_string(number);
    trial.change = static_cast<Change>(random.between(0, static_cast<std::uint64_t>(Change::count) - 1));
    trial.before = pattern(random.between(1, kBytesMax), static_cast<unsigned>(random.between(1, 1'000'000)));
    trial.after = trial.before;
    write_file(source(trial.name), trial.before);
    if (random.chance(50)) trial.open = open_file(mounted(trial.name), O_RDONLY);
    EXPECT_EQ(read_file(mounted(trial.name)), trial.before);
    EXPECT_EQ(status_of(mounted(trial.name)).st_mode & 07777, trial.mode);
    apply(random, trial);
    trial.changed = Clock::now();
    return trial;
  }

  void apply(Random& random, Trial& trial) {
    const Path file = source(trial.name);
    const std::size_t size = random.between(0, trial.before.size());
    switch (trial.change) {
      case Change::write: {
        const std::string bytes = pattern(trial.before.size() - size, static_cast<unsigned>(random.between(1, 999)));
        const UniqueFd descriptor = open_file(file, O_WRONLY);
        EXPECT_EQ(::pwrite(descriptor.get(), bytes.data(), bytes.size(), static_cast<off_t>(size)),
                  static_cast<ssize_t>(bytes.size()));
        trial.after.replace(size, bytes.size(), bytes);
        break;
      }
      case Change::truncate:
        EXPECT_EQ(::truncate(file.c_str(), static_cast<off_t>(size)), 0);
        trial.after.resize(size);
        break;
      case Change::replace:
        trial.after = pattern(trial.before.size(), static_cast<unsigned>(random.between(1, 1'000'000)));
        write_file(source(trial.name + ".new"), trial.after);
        EXPECT_EQ(::rename(source(trial.name + ".new").c_str(), file.c_str()), 0);
        break;
      case Change::remove:
        EXPECT_EQ(::unlink(file.c_str()), 0);
        trial.there = false;
        break;
      default:
        trial.mode = static_cast<mode_t>(0400 + random.between(0, 0377));
        EXPECT_EQ(::chmod(file.c_str(), trial.mode), 0);
    }
  }

  /// Whether the mount shows the file as it is now.
  bool is_seen(const Trial& trial) {
    const Path file = mounted(trial.name);
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return !trial.there && errno == ENOENT;
    if (!trial.there || (status.st_mode & 07777) != trial.mode) return false;
    if (status.st_size != static_cast<off_t>(trial.after.size()) || read_file(file) != trial.after) return false;
    // The open file is the old one where the name is another's now.
    if (!trial.open || trial.change == Change::replace) return true;
    std::string bytes(kBytesMax, '\0');
    const ssize_t count = ::pread(trial.open.get(), bytes.data(), bytes.size(), 0);
    return count >= 0 && bytes.substr(0, static_cast<std::size_t>(count)) == trial.after;
  }
};

TEST_F(Behind, ChangesAreSeenWithinTheTimeout) {
  const std::uint64_t seed = seeds(1).first;
  SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
  Random random{Seed{seed}};
  std::vector<Trial> trials;
  for (int i = 0; i < kTrials; ++i) trials.push_back(start(random, i));
  for (const Trial& trial : trials) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(trial.changed + kCoherent - Clock::now());
    ASSERT_TRUE(eventually(std::max(left, std::chrono::milliseconds{0}), [&] { return is_seen(trial); }))
        << trial.name << ", change " << static_cast<int>(trial.change) << (trial.open ? ", open all along" : "");
  }
  // Once seen, for good.
  for (const Trial& trial : trials)
    ASSERT_TRUE(is_seen(trial)) << trial.name << ", change " << static_cast<int>(trial.change) << ", later";
}

}  // namespace
}  // namespace fairfs::test
