// The command line that mount(8) gives to its helpers.
#include "cli/mount_helper.h"

#include <gmock/gmock.h>

#include "cli/options.h"
#include "tests/cli/failure_of.h"

namespace fairfs::test {
namespace {

using cli::mount_helper_call;
using testing::ElementsAre;

cli::MountHelperCall call(std::vector<const char*> words) { return mount_helper_call(words); }

TEST(MountHelper, KnowsItsNames) {
  EXPECT_TRUE(cli::is_mount_helper("/sbin/mount.fairfs"));
  EXPECT_TRUE(cli::is_mount_helper("mount.fuse.fairfs"));
  EXPECT_FALSE(cli::is_mount_helper("/usr/bin/fairfs"));
  EXPECT_FALSE(cli::is_mount_helper("mount.fairfs/fairfs"));
}

TEST(MountHelper, OptionsMayStandAnywhere) {
  const auto made = call({"/data", "/mnt", "-n", "-v", "-o", "rw,noatime", "-t", "fuse.fairfs"});
  EXPECT_THAT(made.arguments, ElementsAre("/data", "/mnt", "-o", "rw,noatime"));
  EXPECT_FALSE(made.fake);
  EXPECT_THAT(call({"-o", "ro", "/data", "/mnt"}).arguments, ElementsAre("/data", "/mnt", "-o", "ro"));
  EXPECT_THAT(call({"/data", "/mnt"}).arguments, ElementsAre("/data", "/mnt"));
}

TEST(MountHelper, LettersMayStandTogetherAndValuesWithThem) {
  const auto made = call({"-nfvoro", "/data", "/mnt", "-onodev"});
  EXPECT_TRUE(made.fake);
  EXPECT_THAT(made.arguments, ElementsAre("/data", "/mnt", "-o", "ro,nodev"));
}

TEST(MountHelper, SloppyLeavesOutWhatIsUnknown) {
  EXPECT_THAT(call({"/data", "/mnt", "-s", "-o", R"(ro,colour=blue,fsname=a\,b\\c,nofail)"}).arguments,
              ElementsAre("/data", "/mnt", "-o", R"(ro,fsname=a\,b\\c,nofail)"));
  EXPECT_THAT(call({"/data", "/mnt", "-s", "-o", "colour=blue"}).arguments, ElementsAre("/data", "/mnt"));
}

TEST(MountHelper, WrongUsageIsNamed) {
  EXPECT_THAT(failure_of([] { static_cast<void>(call({"/data", "/mnt", "-x"})); }).second, testing::HasSubstr("'-x'"));
  EXPECT_THAT(failure_of([] {
                static_cast<void>(call({"/data", "/mnt", "-o"}));
              }).second,
              testing::HasSubstr("-o needs a value"));
}

}  // namespace
}  // namespace fairfs::test
