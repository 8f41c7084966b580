// A profile written and read back, and as the object that programs read.
#include "cli/profile_text.h"

#include <gmock/gmock.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/profile_file.h"
#include "tests/cli/failure_of.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::HasSubstr;

sched::DiskProfile measured_profile() {
  sched::DiskProfile profile;
  profile.depth = 12;
  profile.parallelism = 7.25;
  profile.interleave_ratio = 0.12;
  profile.best_streams = 1;
  profile.switch_cost = 8765432ns;
  profile.idle = true;
  profile.read = {1us, 86500ns, 300'000'000, 100us};
  profile.write = {0us, 5ms, 120'000'000, 0us, 60'000'000};
  profile.sync = 20ms;
  profile.saturating_bytes = 65536;
  profile.measured = {true, true, true, true};
  profile.confidence = sched::Confidence::high;
  profile.reason = "serial \"disk\" \\ here";
  return profile;
}

TEST(ProfileText, ReadsBackTheSame) {
  for (const auto& profile : {measured_profile(), sched::DiskProfile{}}) {
    const std::string text = cli::profile_text(profile);
    const sched::DiskProfile back = cli::parse_profile(text, "p");
    EXPECT_EQ(cli::profile_text(back), text);
    EXPECT_EQ(back.reason, profile.reason);
    EXPECT_EQ(back.switch_cost, profile.switch_cost);
    EXPECT_EQ(back.read.least, profile.read.least);
    EXPECT_EQ(back.read.base_random, profile.read.base_random);
    EXPECT_EQ(back.write.random_bytes_per_s, profile.write.random_bytes_per_s);
    EXPECT_EQ(back.measured.writes, profile.measured.writes);
    EXPECT_EQ(back.confidence, profile.confidence);
    EXPECT_EQ(back.idle, profile.idle);
  }
}

TEST(ProfileText, OtherVersionsAndWrongValuesAreRefused) {
  const auto complaint_of = [](std::string_view text) {
    return failure_of([&] { (void)cli::parse_profile(text, "p"); }).second;
  };
  EXPECT_THAT(complaint_of("version = 2"), HasSubstr("version = 2 is out of range"));
  EXPECT_EQ(complaint_of("idle = 1"), "p:1:8: idle is neither true nor false; allowed are true and false");
  EXPECT_EQ(complaint_of("confidence = \"much\""),
            "p:1:14: confidence 'much' is not known; allowed are none, low, high");
  EXPECT_THAT(complaint_of("measured = [\"read\"]"), HasSubstr("allowed is a list of reads, streams, writes, sync"));
  EXPECT_THAT(complaint_of("measured = 3"), HasSubstr("measured is not a list"));
  EXPECT_THAT(complaint_of("interleave_ratio = 0"), HasSubstr("interleave_ratio = 0 is out of range"));
}

TEST(ProfileJson, IsOneObjectWithEveryKey) {
  const json object = json::parse(cli::profile_json(measured_profile()));
  EXPECT_EQ(object.size(), 15U);
  EXPECT_EQ(object.at("version"), 1);
  EXPECT_EQ(object.at("parallelism"), 7.25);
  EXPECT_EQ(object.at("depth"), 12);
  EXPECT_EQ(object.at("best_streams"), 1);
  EXPECT_EQ(object.at("switch_us"), 8765.432);
  EXPECT_EQ(object.at("idle"), true);
  EXPECT_EQ(object.at("read_iops"), 9985);  // 86.5 us + 4096 / 300e6 s = 100.15 us, just over the floor
  EXPECT_EQ(object.at("write_iops"), 197);  // 5 ms + 68 us
  EXPECT_EQ(object.at("read_bytes_per_s"), 300'000'000);
  EXPECT_EQ(object.at("fsync_us"), 20'000);
  EXPECT_EQ(object.at("confidence"), "high");
}

TEST(ProfileJson, NullStandsWhereNothingWasMeasured) {
  const json object = json::parse(cli::profile_json({}));
  for (const char* key : {"parallelism", "depth", "interleave_ratio", "best_streams", "switch_us", "idle", "read_iops",
                          "write_iops", "read_bytes_per_s", "write_bytes_per_s", "fsync_us", "saturating_bytes"}) {
    EXPECT_TRUE(object.at(key).is_null()) << key;
  }
  EXPECT_EQ(object.at("confidence"), "none");
  EXPECT_EQ(object.at("reason"), "not measured");
}

}  // namespace
}  // namespace fairfs::test
