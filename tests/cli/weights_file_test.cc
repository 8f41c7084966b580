#include "cli/weights_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/profile_file.h"
#include "tests/cli/failure_of.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

using engine::WeightRules;

std::string complaint(std::string_view text) {
  const auto [status, line] = failure_of([&] { (void)cli::parse_weights(text, "w.toml"); });
  EXPECT_EQ(status, 1) << text;
  return line;
}

TEST(WeightsFile, ANumberInQuotesIsANumber) {
  const WeightRules rules = cli::parse_weights("[[rule]]\nuser = \"15003\"\ngroup = \"15004\"\nweight = 5\n", "w.toml");
  ASSERT_EQ(rules.rules.size(), 1U);
  EXPECT_EQ(rules.rules[0].user, 15003U);
  EXPECT_EQ(rules.rules[0].group, 15004U);
  EXPECT_NE(complaint("[[rule]]\nuser = \"4294967295\"\nweight = 5\n").find("is not known here"), std::string::npos);
}

TEST(WeightsFile, AClassNeedsNoWeightAndGivesNone) {
  const WeightRules rules = cli::parse_weights(R"([[rule]]
command = "tar"
class = "idle"
[[rule]]
cgroup = "/player"
class = "rt"
weight = 300
[[rule]]
user = 0
class = "be"
)",
                                               "w.toml");
  ASSERT_EQ(rules.rules.size(), 3U);
  EXPECT_EQ(rules.rules[0].service, sched::ServiceClass::idle);
  EXPECT_FALSE(rules.rules[0].weighs);
  EXPECT_EQ(rules.rules[1].service, sched::ServiceClass::realtime);
  EXPECT_TRUE(rules.rules[1].weighs);
  EXPECT_EQ(rules.rules[2].service, sched::ServiceClass::best_effort);
}

TEST(WeightsFile, LimitsNeedNoWeightAndGiveNone) {
  const WeightRules rules = cli::parse_weights(R"([[rule]]
command = "etcd"
min_read = "1.5MB/s"
min_write = "20kB/s"
max_read = "2GiB/s"
max_write = "3MiB/s"
min_iops = 100
max_iops = 5000
latency = "0.5ms"
)",
                                               "w.toml");
  ASSERT_EQ(rules.rules.size(), 1U);
  EXPECT_FALSE(rules.rules[0].weighs);
  EXPECT_EQ(rules.rules[0].limits, (sched::Limits{.min_read = 1'500'000,
                                                  .min_write = 20'000,
                                                  .max_read = std::uint64_t{2} << 30,
                                                  .max_write = 3 << 20,
                                                  .min_iops = 100,
                                                  .max_iops = 5000,
                                                  .latency = std::chrono::microseconds{500}}));
}

TEST(WeightsFile, EveryKeyArrives) {
  const WeightRules rules = cli::parse_weights(R"(default_weight = 200
[[rule]]
cgroup = "/system.slice/*"
weight = 500
[[rule]]
command = "rsync"
exe = "/usr/bin/rsync"
user = "root"
group = 7
pid = 4711
flow = "backup"
weight = 1
[[rule]]
user = 1234
gid = "root"
flow = "other"
)",
                                               "w.toml");
  EXPECT_EQ(rules.default_weight, 200);
  ASSERT_EQ(rules.rules.size(), 3U);
  EXPECT_EQ(rules.rules[0].cgroup, "/system.slice/*");
  EXPECT_EQ(rules.rules[0].weight, 500);
  EXPECT_FALSE(rules.rules[0].names_process());
  EXPECT_EQ(rules.rules[1].command, "rsync");
  EXPECT_EQ(rules.rules[1].exe, "/usr/bin/rsync");
  EXPECT_EQ(rules.rules[1].user, 0U);
  EXPECT_EQ(rules.rules[1].group, 7U);
  EXPECT_EQ(rules.rules[1].pid, 4711);
  EXPECT_EQ(rules.rules[1].flow, "backup");
  EXPECT_EQ(rules.rules[1].weight, 1);
  EXPECT_EQ(rules.rules[2].user, 1234U);
  EXPECT_EQ(rules.rules[2].group, 0U);
  EXPECT_EQ(rules.rules[2].weight, 200);  // a flow without a weight has the default one
}

TEST(WeightsFile, AnEmptyFileHasNoRules) {
  const WeightRules rules = cli::parse_weights("", "w.toml");
  EXPECT_EQ(rules.default_weight, 100);
  EXPECT_TRUE(rules.rules.empty());
}

struct Bad {
  const char* text;
  const char* line;
};

class BadWeights : public testing::TestWithParam<Bad> {};

TEST_P(BadWeights, IsRefusedWhereItStands) { EXPECT_EQ(complaint(GetParam().text), GetParam().line); }

INSTANTIATE_TEST_SUITE_P(
    Each, BadWeights,
    testing::Values(
        Bad{"weight = 3\n", "w.toml:1:1: key 'weight' is not known; allowed are default_weight, rule"},
        Bad{"default_weight = 0\n",
            "w.toml:1:18: default_weight = 0 is out of range; allowed is a whole number from 1 to 10000"},
        Bad{"\ndefault_weight = \"7\"",
            "w.toml:2:18: default_weight is not a whole number; allowed is a whole number from 1 to 10000"},
        Bad{"[rule]\nweight = 3\n", "w.toml:1:1: rule is not a list; write [[rule]] in double brackets"},
        Bad{"rule = [3]\n", "w.toml:1:9: rule is not a table; write [[rule]] with keys below it"},
        Bad{"[[rule]]\nuser = 0\nweight = 10001\n",
            "w.toml:3:10: weight = 10001 is out of range; allowed is a whole number from 1 to 10000"},
        Bad{"[[rule]]\nuser = 0\nweight = 1.5\n",
            "w.toml:3:10: weight is not a whole number; allowed is a whole number from 1 to 10000"},
        Bad{"[[rule]]\ncomand = \"x\"\nweight = 1\n",
            "w.toml:2:1: key 'comand' is not known; allowed are cgroup, command, exe, user, group, gid, pid, flow, "
            "weight, class, min_read, min_write, max_read, max_write, min_iops, max_iops, latency"},
        Bad{"[[rule]]\nuser = 0\nmax_read = 50\n",
            "w.toml:3:12: max_read is not a string; allowed is a text in quotes"},
        Bad{"[[rule]]\nuser = 0\nmax_read = \"50 MB\"\n",
            "w.toml:3:12: max_read '50 MB' is not right; allowed is 1kB/s to 1000GB/s, as in \"50MB/s\" or "
            "\"1.5GiB/s\""},
        Bad{"[[rule]]\nuser = 0\nmin_write = \"0MB/s\"\n",
            "w.toml:3:13: min_write '0MB/s' is not right; allowed is 1kB/s to 1000GB/s, as in \"50MB/s\" or "
            "\"1.5GiB/s\""},
        Bad{"[[rule]]\nuser = 0\nlatency = \"20\"\n",
            "w.toml:3:11: latency '20' is not right; allowed is 100us to 60s, as in \"20ms\""},
        Bad{"[[rule]]\nuser = 0\nlatency = \"2min\"\n",
            "w.toml:3:11: latency '2min' is not right; allowed is 100us to 60s, as in \"20ms\""},
        Bad{"[[rule]]\nuser = 0\nmax_iops = 0\n",
            "w.toml:3:12: max_iops = 0 is out of range; allowed is a whole number from 1 to 100000000"},
        Bad{"[[rule]]\nuser = 0\nmin_read = \"2MB/s\"\nmax_read = \"1MB/s\"\n",
            "w.toml:3:12: min_read is above max_read; a floor must be at most its ceiling"},
        Bad{"[[rule]]\nuser = 0\nclass = \"best\"\n",
            "w.toml:3:9: class 'best' is not known; allowed is \"rt\", \"be\" or \"idle\""},
        Bad{"[[rule]]\ncommand = 3\nweight = 1\n", "w.toml:2:11: command is not a string; allowed is a text in quotes"},
        Bad{"[[rule]]\ncommand = \"\"\nweight = 1\n",
            "w.toml:2:11: command is empty; leave it out, or give it a value"},
        Bad{"[[rule]]\ncommand = \"a\\u0000b\"\nweight = 1\n",
            "w.toml:2:11: command has a NUL in it; no name has one: leave it out"},
        Bad{"[[rule]]\ncommand = \"a-long-command-name\"\nweight = 1\n",
            "w.toml:2:11: command 'a-long-command-name' is longer than 15 bytes; the kernel keeps the first 15 bytes "
            "of a command: write 'a-long-command-'"},
        Bad{"[[rule]]\ncgroup = \"user.slice\"\nweight = 1\n",
            "w.toml:2:10: cgroup 'user.slice' is relative; allowed is an absolute path such as "
            "/system.slice/cron.service or /user.slice/*"},
        Bad{"[[rule]]\ncgroup = \"/a/../b\"\nweight = 1\n",
            "w.toml:2:10: cgroup '/a/../b' has an empty, . or .. component; allowed is an absolute path such as "
            "/system.slice/cron.service or /user.slice/*"},
        Bad{"[[rule]]\nexe = \"rsync\"\nweight = 1\n",
            "w.toml:2:7: exe 'rsync' is relative; allowed is an absolute path such as /usr/bin/rsync"},
        Bad{"[[rule]]\nuser = \"no such user\"\nweight = 1\n",
            "w.toml:2:8: user 'no such user' is not known here; allowed is a user's name or number"},
        Bad{"[[rule]]\ngroup = \"no such group\"\nweight = 1\n",
            "w.toml:2:9: group 'no such group' is not known here; allowed is a group's name or number"},
        Bad{"[[rule]]\nuser = true\nweight = 1\n",
            "w.toml:2:8: user is neither a name nor a number; allowed is a user's name or number"},
        Bad{"[[rule]]\nuser = 4294967295\nweight = 1\n",
            "w.toml:2:8: user = 4294967295 is out of range; allowed is a whole number from 0 to 4294967294"},
        Bad{"[[rule]]\ngroup = 1\ngid = 1\nweight = 1\n",
            "w.toml:3:7: gid says the same as group; give one of the two"},
        Bad{"[[rule]]\npid = 0\nweight = 1\n",
            "w.toml:2:7: pid = 0 is out of range; allowed is a whole number from 1 to 4194304"},
        Bad{"[[rule]]\nflow = \"a\\nb\"\nuser = 0\n",
            "w.toml:2:8: flow has control characters in its name; allowed is printable text"},
        Bad{"\n[[rule]]\nweight = 1\n",
            "w.toml:2:1: rule says nothing about whom it is for; give it at least one of cgroup, command, exe, user, "
            "group, pid"},
        Bad{"[[rule]]\nuser = 0\n",
            "w.toml:1:1: rule has no weight; give it a weight from 1 to 10000, a class or a limit"},
        Bad{"[[rule]]\nuser = 0\nflow = \"f\"\nweight = 1\n[[rule]]\nuser = 1\nflow = \"f\"\nweight = 2\n",
            "w.toml:7:8: flow 'f' has another weight in an earlier rule; give all rules of one flow the same "
            "weight"}));

TEST(WeightsFile, WhatIsNotTomlIsRefusedWhereItStands) {
  EXPECT_TRUE(complaint("default_weight = \n").starts_with("w.toml:1:1"));
  EXPECT_TRUE(complaint("[[rule]]\nuser = 0\nuser = 1\n").starts_with("w.toml:3:"));
  EXPECT_TRUE(complaint("[[rule]]\nuser = \"\xff\"\n").starts_with("w.toml:2:"));
  std::string deep = "a";  // 100,000 parts: as many calls within each other, if it were read
  for (int i = 1; i < 100'000; ++i) deep += ".a";
  EXPECT_EQ(complaint("\n" + deep + " = 1\n"),
            "w.toml:2:1: line has more than 1024 dots; allowed is TOML, see toml.io");
}

TEST(WeightsFile, IsReadBelowItsDirectoryWhateverCoversIt) {
  const TemporaryDirectory folder;
  std::filesystem::create_directory(folder.path("d"));
  const std::string path = folder.write("d/w.toml", "default_weight = 7\n");
  const cli::WeightsFile file{path};
  std::filesystem::rename(folder.path("d"), folder.path("moved"));  // the path is gone, the directory is not
  EXPECT_EQ(file.load().default_weight, 7);
}

TEST(WeightsFile, WhatCannotBeReadIsNamed) {
  const TemporaryDirectory folder;
  const std::string advice = "; name a file that can be read, or leave weights out";
  const std::string missing = folder.path("no.toml"), lost = folder.path("no/w.toml");
  EXPECT_EQ(failure_of([&] { (void)cli::WeightsFile{missing}.read(); }).second,
            "weights: " + missing + ": No such file or directory" + advice);
  EXPECT_EQ(failure_of([&] { const cli::WeightsFile file{lost}; }).second,
            "weights: " + lost + ": No such file or directory" + advice);
  std::filesystem::create_directory(missing);
  EXPECT_EQ(failure_of([&] { (void)cli::WeightsFile{missing}.read(); }).second,
            "weights: " + missing + ": Is a directory" + advice);
  const std::string fifo = folder.path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(failure_of([&] { (void)cli::WeightsFile{fifo}.read(); }).second,
            "weights: " + fifo + ": is not a file" + advice);
  const cli::WeightsFile endless{"/dev/zero"};
  EXPECT_EQ(failure_of([&] { (void)endless.read(); }).second, "weights: /dev/zero: is larger than 1 MiB" + advice);
}

TEST(ProfileFile, EveryKeyArrivesAndTheRestIsDefault) {
  const auto profile = cli::parse_profile(R"(depth = 32
parallelism = 4
sync_us = 1500.5
read.base_random_us = 90
[write]
base_sequential_us = 5
bytes_per_s = 1000000
)",
                                          "p");
  EXPECT_EQ(profile.depth, 32U);
  EXPECT_EQ(profile.parallelism, 4.0);
  EXPECT_EQ(profile.sync, std::chrono::nanoseconds{1'500'500});
  EXPECT_EQ(profile.read.base_random, std::chrono::microseconds{90});
  EXPECT_EQ(profile.read.bytes_per_s, sched::DiskProfile{}.read.bytes_per_s);
  EXPECT_EQ(profile.write.base_sequential, std::chrono::microseconds{5});
  EXPECT_EQ(profile.write.bytes_per_s, 1'000'000U);
}

TEST(ProfileFile, WrongOnesAreRefused) {
  const auto complaint_of = [](std::string_view text) {
    return failure_of([&] { (void)cli::parse_profile(text, "p"); }).second;
  };
  EXPECT_EQ(complaint_of("deep = 3"),
            "p:1:1: key 'deep' is not known; allowed are version, reason, confidence, measured, depth, "
            "parallelism, interleave_ratio, best_streams, switch_us, idle, sync_us, saturating_bytes, read, write");
  EXPECT_EQ(complaint_of("depth = 2000"),
            "p:1:9: depth = 2000 is out of range; allowed is a whole number from 1 to 1024");
  EXPECT_EQ(complaint_of("read = 3"), "p:1:8: read is not a table; write its keys below [read]");
  EXPECT_EQ(complaint_of("sync_us = true"), "p:1:11: sync_us is not a number; allowed is a number from 0 to 60000000");
  EXPECT_EQ(complaint_of("parallelism = nan").substr(0, 18), "p:1:15: parallelis");
  EXPECT_EQ(complaint_of("[read]\nbytes_per_s = 0").substr(0, 29), "p:2:15: bytes_per_s = 0 is ou");
  EXPECT_EQ(failure_of([] { (void)cli::load_profile("/no/such"); }).second,
            "probe: /no/such: No such file or directory; name a file with a disk profile, or write probe=off");
}

}  // namespace
}  // namespace fairfs::test
