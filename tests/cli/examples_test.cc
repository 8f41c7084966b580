// The weights files in examples/ do what their comments say: the real parser reads them, the real placer applies them,
// and the shares follow from the tree by arithmetic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "cli/alert_watch.h"
#include "cli/weights_file.h"
#include "sched/engine/placement.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

using engine::Placement;
using engine::Process;

const std::string kFolder = FAIRFS_SOURCE_DIR "/examples/";

engine::WeightRules rules_of(const std::string& path) {
  std::ifstream file{path};
  return cli::parse_weights(std::string{std::istreambuf_iterator<char>{file}, {}}, path);
}

class Examples : public testing::Test {
 protected:
  /// Who wants the disk, all of them all the time.
  void runs(const std::string& name, const std::string& cgroup, const std::string& exe = "/usr/bin/other",
            uid_t uid = 1000) {
    Process made;
    made.pid = static_cast<pid_t>(processes_.size()) + 100;
    made.start_time = 7;
    made.command = exe.substr(exe.rfind('/') + 1).substr(0, 15);
    made.cgroup = cgroup;
    made.executable = exe;
    made.uid = uid;
    made.gid = 100;
    processes_.push_back(made);
    names_.push_back(name);
  }

  /// Percent of the disk that the names get by weight, those of the idle class left out.
  std::map<std::string, double> shares(const std::string& file) const {
    const TemporaryDirectory no_cgroups;
    const engine::Placer placer{engine::Grouping::cgroup, rules_of(kFolder + file),
                                std::make_shared<engine::CgroupWeights>(engine::CgroupMount{no_cgroups.path(), "/"})};
    // Each node's weight, and its children: paths of keys from the root.
    std::map<std::string, double> weights;
    std::map<std::string, std::set<std::string>> children;
    std::map<std::string, std::set<std::string>> names;  // of a leaf
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      const Placement place = placer.place(processes_[i]);
      if (place.service == sched::ServiceClass::idle) continue;
      std::string path;
      const auto descend = [&](const std::string& key, double weight) {
        children[path].insert(path + ">" + key);
        path += ">" + key;
        weights[path] = weight;
      };
      for (const auto& group : place.groups) descend(group.key, placer.weight_of(group));
      descend(place.leaf, placer.weight_of(processes_[i]));
      names[path].insert(names_[i]);
    }
    std::map<std::string, double> result;
    std::map<std::string, double> parts{{"", 100.0}};
    for (const auto& [parent, below] : children) {  // in order: a parent's path is a beginning of its children's
      double sum = 0;
      for (const auto& child : below) sum += weights[child];
      for (const auto& child : below) parts[child] = parts[parent] * weights[child] / sum;
    }
    for (const auto& [leaf, who] : names) {
      for (const auto& name : who) result[name] += parts[leaf];
    }
    return result;
  }

 private:
  std::vector<Process> processes_;
  std::vector<std::string> names_;
};

TEST_F(Examples, EachIsTakenAndHasRules) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator{kFolder}) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_GE(rules_of(entry.path()).rules.size(), 5U) << entry.path();
    EXPECT_THAT(cli::forgeable_rules(rules_of(entry.path()), entry.path()), testing::IsEmpty());
    ++files;
  }
  EXPECT_EQ(files, 5U);
}

TEST_F(Examples, DatabaseHost) {
  for (int i = 0; i < 20; ++i)
    runs("database", "/system.slice/system-postgresql.slice/postgresql@15-main.service",
         "/usr/lib/postgresql/15/bin/postgres");
  runs("backup", "/user.slice/user-0.slice/session-1.scope", "/usr/bin/rsync");
  runs("backup", "/system.slice/cron.service", "/usr/bin/rsync");
  runs("person", "/user.slice/user-0.slice/session-2.scope", "/usr/bin/grep");
  runs("updates", "/system.slice/apt-daily-upgrade.service");
  auto got = shares("database-host.toml");
  EXPECT_NEAR(got["database"], 100 * 1000 / 1100.0, 0.1);
  EXPECT_NEAR(got["backup"], 100 * 50 / 1100.0, 0.1);
  EXPECT_NEAR(got["person"], 100 * 50 / 1100.0, 0.1);
  EXPECT_EQ(got.count("updates"), 0U);
}

TEST_F(Examples, BuildServer) {
  for (int i = 0; i < 64; ++i) runs("large job", "/system.slice/docker-abc.scope");
  runs("small job", "/system.slice/docker-def.scope");
  runs("upload", "/system.slice/docker-abc.scope", "/usr/bin/rsync", 0);
  auto got = shares("build-server.toml");
  EXPECT_NEAR(got["large job"], got["small job"], 0.1);
  EXPECT_NEAR(got["upload"], 100 * 50 / 150.0, 0.1);
  runs("person", "/user.slice/user-1000.slice/session-2.scope");
  EXPECT_NEAR(shares("build-server.toml")["person"], 100 * 400 / 550.0, 0.1);
}

TEST_F(Examples, NasDuringBackup) {
  for (int i = 0; i < 10; ++i) runs("clients", "/system.slice/smbd.service", "/usr/sbin/smbd");
  runs("backup", "/system.slice/borgmatic.service", "/usr/bin/borg");
  auto got = shares("nas-backup.toml");
  EXPECT_NEAR(got["clients"], 100 * 1000 / 1020.0, 0.1);
  EXPECT_NEAR(got["backup"], 100 * 20 / 1020.0, 0.1);
}

TEST_F(Examples, Desktop) {
  const std::string user = "/user.slice/user-1000.slice/user@1000.service/";
  runs("browser", user + "app.slice/app-firefox-1.scope");
  runs("indexer", user + "background.slice/tracker-miner-fs-3.service", "/usr/libexec/tracker-miner-fs-3");
  runs("background", user + "background.slice/sync.service");
  runs("download", user + "app.slice/app-steam-1.scope", "/home/me/.local/share/Steam/ubuntu12_32/steam");
  auto got = shares("desktop.toml");
  EXPECT_NEAR(got["download"] / (got["browser"] + got["background"]), 0.1, 0.001);
  EXPECT_NEAR(got["browser"] / got["background"], 15, 0.1);
  EXPECT_EQ(got.count("indexer"), 0U);
}

}  // namespace
}  // namespace fairfs::test
