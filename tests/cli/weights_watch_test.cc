#include "cli/weights_watch.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <mutex>
#include <vector>

#include "cli/logging.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

/// Stands where the engine's set_rules does.
class Applied {
 public:
  void add(int default_weight) {
    const std::lock_guard lock{mutex_};
    weights_.push_back(default_weight);
    changed_.notify_all();
  }
  /// True once rules with this default weight came, within the promised second (ten on a busy machine).
  bool wait_for(int default_weight) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, std::chrono::seconds{10},
                             [&] { return !weights_.empty() && weights_.back() == default_weight; });
  }
  std::vector<int> all() {
    const std::lock_guard lock{mutex_};
    return weights_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> weights_;
};

/// Before the watch's thread begins and after it has ended, as in the daemon.
struct LogTo {
  explicit LogTo(const std::string& file) { configure(file); }
  ~LogTo() { configure(""); }
  LogTo(const LogTo&) = delete;
  LogTo& operator=(const LogTo&) = delete;

  static void configure(const std::string& file) {
    cli::Options logging;
    logging.log_file = file;
    logging.foreground = file.empty();
    cli::configure_logging(logging);
  }
};

class WeightsWatch : public testing::Test {
 protected:
  TemporaryDirectory folder;
  const std::string log_file = folder.path("log");
  void replace(std::string_view text) const {
    folder.write("w.toml~", text);
    std::filesystem::rename(folder.path("w.toml~"), path);
  }
  const LogTo logged{log_file};
  Applied applied;
  std::string path = folder.write("w.toml", "default_weight = 1\n");
  cli::WeightsWatch watch{cli::WeightsFile{path}, "default_weight = 1\n",
                          [this](engine::WeightRules rules) { applied.add(rules.default_weight); }};
};

TEST_F(WeightsWatch, SeesAFileWrittenInPlace) {
  folder.write("w.toml", "default_weight = 2\n");
  EXPECT_TRUE(applied.wait_for(2));
}

TEST_F(WeightsWatch, SeesEveryReplacementByRenaming) {
  for (int weight = 2; weight <= 4; ++weight) {
    const auto start = std::chrono::steady_clock::now();
    replace("default_weight = " + std::to_string(weight) + "\n");
    ASSERT_TRUE(applied.wait_for(weight));
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds{50});  // it waits for quiet
  }
}

TEST_F(WeightsWatch, SeesAFileDeletedAndWrittenAnew) {
  std::filesystem::remove(path);
  folder.write("w.toml", "default_weight = 3\n");
  EXPECT_TRUE(applied.wait_for(3));
}

/// True once the file has this text in it. Logging has no event to wait for: looks again every 10 ms, ten seconds long.
bool appears(const std::string& path, const std::string& text) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::ifstream file{path};
    const std::string all{std::istreambuf_iterator<char>{file}, {}};
    if (all.find(text) != std::string::npos) return true;
    poll(nullptr, 0, 10);
  }
  return false;
}

TEST_F(WeightsWatch, TheLogsLastWordIsTrue) {
  const std::string text = "default_weight = 1\n";
  std::filesystem::remove(path);
  EXPECT_TRUE(appears(log_file, "weights: " + path + ": No such file or directory; "));
  EXPECT_TRUE(appears(log_file, "; the old rules stay in force"));
  replace(text);
  EXPECT_TRUE(appears(log_file, "weights: " + path + ": as before, and in force"));
  EXPECT_TRUE(applied.all().empty()) << "nothing is new";
}

TEST_F(WeightsWatch, ABrokenFileLeavesTheOldRulesAndSaysSo) {
  replace("default_weight = 0\n");
  EXPECT_TRUE(appears(log_file, "weights: " + path +
                                    ":1:18: default_weight = 0 is out of range; allowed is a whole number from "
                                    "1 to 10000; the old rules stay in force"));
  replace("default_weight = 5\n");
  EXPECT_TRUE(applied.wait_for(5));
  EXPECT_EQ(applied.all(), std::vector<int>{5});
  std::filesystem::remove(path);
  watch.reload();
  EXPECT_TRUE(appears(log_file, "weights: " + path + ": No such file or directory; "));
  EXPECT_EQ(applied.all(), std::vector<int>{5});
}

TEST_F(WeightsWatch, OtherFilesAreNotItsBusiness) {
  folder.write("other.toml", "default_weight = 9\n");
  replace("default_weight = 2\n");
  EXPECT_TRUE(applied.wait_for(2));
  EXPECT_EQ(applied.all(), std::vector<int>{2});
}

TEST_F(WeightsWatch, ReloadAppliesAnUnchangedFileToo) {
  watch.reload();
  EXPECT_TRUE(applied.wait_for(1));
}

TEST_F(WeightsWatch, SaysWhatBecameOfAReload) {
  /// Looks again every 10 ms, ten seconds long.
  const auto outcome_of = [this](std::uint64_t reload) {
    for (int attempt = 0; attempt < 1000 && watch.last_reload().reloads < reload; ++attempt) poll(nullptr, 0, 10);
    EXPECT_GE(watch.last_reload().reloads, reload);
    return watch.last_reload().error;
  };
  EXPECT_EQ(outcome_of(watch.reload()), "");
  replace("weight = 1\n");
  EXPECT_EQ(outcome_of(watch.reload()), path + ":1:1: key 'weight' is not known; allowed are default_weight, rule");
  replace("default_weight = 7\n");
  EXPECT_EQ(outcome_of(watch.reload()), "");
  EXPECT_EQ(applied.all().back(), 7);
}

TEST_F(WeightsWatch, FollowsTheDirectoryNotThePath) {
  std::filesystem::create_directory(folder.path("sub"));
  const std::string inner = folder.write("sub/w.toml", "default_weight = 1\n");
  Applied inner_applied;
  const cli::WeightsWatch second{cli::WeightsFile{inner}, "",
                                 [&](engine::WeightRules rules) { inner_applied.add(rules.default_weight); }};
  std::filesystem::rename(folder.path("sub"), folder.path("elsewhere"));
  folder.write("elsewhere/w.toml", "default_weight = 8\n");
  EXPECT_TRUE(inner_applied.wait_for(8));
}

}  // namespace
}  // namespace fairfs::test
