#include "probe/disks.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "probe/mounted.h"
#include "probe/traffic.h"
#include "tests/probe/temporary_place.h"

namespace fairfs::test {
namespace {

dev_t file_system_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_dev;
}

TEST(Disks, OneFileSystemIsOnOneDisk) {
  const dev_t here = file_system_of(TemporaryPlace{}.path());
  EXPECT_FALSE(probe::on_different_disks(here, here));
}

TEST(Disks, WhatHasNoDiskIsOnNone) {
  EXPECT_TRUE(probe::disks_under(0).empty());
  EXPECT_EQ(probe::mounted(file_system_of("/proc")).type, "proc");
}

TEST(Disks, ADiskLiesUnderItself) {
  const dev_t device = probe::block_device(file_system_of(TemporaryPlace{}.path()));
  if (device == 0) GTEST_SKIP() << "no disk here";
  const auto disks = probe::disks_under(device);
  ASSERT_FALSE(disks.empty());
  for (const dev_t disk : disks) EXPECT_EQ(probe::disks_under(disk), std::set{disk});
}

TEST(Disks, MemoryIsNoDisk) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const TemporaryPlace place;
  const dev_t disk = file_system_of(place.path());
  const std::string memory = place.path() + "/memory";
  std::filesystem::create_directory(memory);
  ASSERT_EQ(::mount("none", memory.c_str(), "tmpfs", 0, nullptr), 0);
  const dev_t other = file_system_of(memory);
  EXPECT_EQ(probe::mounted(other).type, "tmpfs");
  EXPECT_TRUE(probe::on_different_disks(disk, other));
  EXPECT_TRUE(probe::on_different_disks(other, disk));
  ::umount2(memory.c_str(), MNT_DETACH);
}

}  // namespace
}  // namespace fairfs::test
