// Sources that can't be measured: each says why and takes the defaults; and a real one, whatever disk it is on.
#include "probe/runner.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "probe/aio_disk.h"
#include "probe/area.h"
#include "probe/filling.h"
#include "probe/large_files.h"
#include "probe/load.h"
#include "probe/source.h"
#include "probe/verdict.h"
#include "tests/probe/temporary_place.h"

namespace fairfs::test {
namespace {

using sched::Confidence;
using sched::DiskProfile;

TEST(Runner, MemoryIsRefused) {
  if (!std::filesystem::is_directory("/dev/shm")) GTEST_SKIP() << "there is no /dev/shm";
  const TemporaryPlace place{"/dev/shm"};
  const DiskProfile profile = probe::measure({.directory = place.path()}).profile;
  EXPECT_EQ(profile.reason, "not measured: tmpfs keeps files in memory; defaults are taken");
  EXPECT_EQ(profile.confidence, Confidence::none);
  EXPECT_EQ(profile.depth, DiskProfile{}.depth);
  EXPECT_FALSE(profile.measured.reads);
}

TEST(Runner, AFilesystemWithoutFilesIsRefused) {
  const DiskProfile profile = probe::measure({.directory = "/proc"}).profile;
  EXPECT_EQ(profile.confidence, Confidence::none);
  EXPECT_TRUE(profile.reason.starts_with("not measured: there are no large files to read, and none can be made: "))
      << profile.reason;
}

TEST(Runner, AMissingDirectoryIsRefused) {
  EXPECT_EQ(probe::measure({.directory = "/no/such"}).profile.reason,
            "not measured: No such file or directory; defaults are taken");
}

TEST(Area, AFilledFileHasNoNameAndIsGoneWithItsDescriptor) {
  const TemporaryPlace place;
  if (!probe::refusal(place.path()).empty()) GTEST_SKIP() << probe::refusal(place.path());
  std::string why;
  {
    const probe::Area area = probe::fill_file(place.path(), 16 << 20, why);
    ASSERT_EQ(why, "");
    EXPECT_EQ(area.bytes(), 16U << 20);
    EXPECT_TRUE(std::filesystem::is_empty(place.path()));
    const std::string link = "/proc/self/fd/" + std::to_string(area.place(0, 4096).file);
    EXPECT_TRUE(std::filesystem::read_symlink(link).string().ends_with(" (deleted)"));
  }
}

TEST(Area, SpansItsFilesAndKeepsRequestsWithinThem) {
  probe::Area area;
  area.add(engine::FileDescriptor{::open("/dev/null", O_RDONLY)}, (2 << 20) + 5000);  // cut to whole MiB
  area.add(engine::FileDescriptor{::open("/dev/null", O_RDONLY)}, 1 << 20);
  EXPECT_EQ(area.bytes(), 3U << 20);
  EXPECT_EQ(area.place(4096, 4096).offset, 4096U);
  EXPECT_EQ(area.place((2 << 20) - 4096, 128 << 10).offset, (2U << 20) - (128 << 10));
  EXPECT_EQ(area.place((2 << 20) + 8192, 4096).offset, 8192U);
  EXPECT_NE(area.place(0, 4096).file, area.place(2 << 20, 4096).file);
}

TEST(Area, ADirectoryOfSmallFilesHasNothingToRead) {
  const TemporaryPlace place;
  EXPECT_EQ(probe::find_files(place.path()).bytes(), 0U);
  EXPECT_EQ(probe::find_files("/no/such").bytes(), 0U);
}

// Zeros that no device read: whatever speed that is, it is not the disk's.
TEST(AioDisk, HolesDoNotComeFromTheDevice) {
  const TemporaryPlace place;
  if (!probe::refusal(place.path()).empty()) GTEST_SKIP() << probe::refusal(place.path());
  const std::string path = place.path() + "/sparse";
  constexpr off_t kSize = 64 << 20;
  engine::FileDescriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_DIRECT | O_CLOEXEC, 0600)};
  if (!file) GTEST_SKIP() << "no direct I/O here";
  ASSERT_EQ(::ftruncate(file.get(), kSize), 0);
  probe::Area area;
  area.add(std::move(file), kSize);
  probe::AioDisk disk{area, area};
  using namespace std::chrono_literals;
  const auto result = probe::Load{disk, probe::random_trial(probe::Operation::read, 4), 1}.run({100, 10ms, 100ms});
  EXPECT_EQ(result.error, 0);
  EXPECT_FALSE(result.from_device);
}

// What is allocated but not written reads as zeros without the disk.
TEST(LargeFiles, WhatWasOnlyAllocatedIsNotRead) {
  const TemporaryPlace place;
  const std::string path = place.path() + "/allocated";
  const engine::FileDescriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
  constexpr off_t kSize = 256 << 20;
  if (::fallocate(file.get(), 0, 0, kSize) != 0) GTEST_SKIP() << "no room, or a filesystem that can't allocate";
  EXPECT_EQ(probe::written_bytes(file.get(), kSize), 0U);
  EXPECT_EQ(probe::find_files(place.path()).bytes(), 0U);
  const std::string block(1 << 16, 'x');
  ASSERT_EQ(::pwrite(file.get(), block.data(), block.size(), 1 << 20), 1 << 16);
  EXPECT_EQ(probe::written_bytes(file.get(), kSize), 1U << 16);
}

}  // namespace
}  // namespace fairfs::test
