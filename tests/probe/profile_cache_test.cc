// Profiles between mounts: found again, not for ever, not for another disk, never half written.
#include "probe/profile_cache.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/probe/temporary_place.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using probe::ProfileCache;

class Cache : public testing::Test {
 protected:
  const TemporaryPlace place;
  const std::string directory = place.path() + "/a/b";
  ProfileCache cache{directory};
  const ProfileCache::WallTime now = std::chrono::system_clock::now();
};

TEST_F(Cache, GivesBackWhatWasStoredLast) {
  EXPECT_FALSE(cache.load("disk one", now));
  ASSERT_TRUE(cache.store("disk one", "depth = 3\n"));
  ASSERT_TRUE(cache.store("disk one", "depth = 4\n"));
  ASSERT_TRUE(cache.store("disk two", "depth = 5\n"));
  EXPECT_EQ(cache.load("disk one", now)->text, "# measured on disk one\ndepth = 4\n");
  EXPECT_EQ(cache.load("disk two", now)->text, "# measured on disk two\ndepth = 5\n");
  EXPECT_GE(cache.load("disk two", now + 3h)->age, 2h);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator{directory}, {}), 2) << "a fresh file stayed behind";
}

TEST_F(Cache, ForgetsAfterThirtyDays) {
  ASSERT_TRUE(cache.store("disk", "depth = 3\n"));
  EXPECT_TRUE(cache.load("disk", now + 30 * 24h - 1min));
  EXPECT_FALSE(cache.load("disk", now + 30 * 24h + 1min));
  EXPECT_FALSE(cache.load("disk", now - 1h)) << "from the future: the clock was set back";
}

TEST_F(Cache, BelievesNoFileOfAnotherDisk) {
  ASSERT_TRUE(cache.store("disk", "depth = 3\n"));
  std::ofstream{cache.path("disk")} << "# measured on disk two\ndepth = 3\n";
  EXPECT_FALSE(cache.load("disk", now));
  EXPECT_FALSE(cache.load("", now));
}

TEST_F(Cache, WithoutAPlaceNothingIsKept) {
  std::ofstream{place.path() + "/file"} << "";
  ProfileCache nowhere{place.path() + "/file/cache"};
  EXPECT_FALSE(nowhere.store("disk", "depth = 3\n"));
  EXPECT_FALSE(nowhere.load("disk", now));
  EXPECT_FALSE(nowhere.lock(place.path(), 0ms));
  EXPECT_FALSE(ProfileCache{""}.store("disk", "depth = 3\n"));
}

TEST_F(Cache, OneProbeOfADiskAtATime) {
  {
    const auto first = cache.lock(place.path(), 0ms);
    ASSERT_TRUE(first);
    EXPECT_FALSE(cache.lock(place.path(), 40ms));
  }
  EXPECT_TRUE(cache.lock(place.path(), 0ms)) << "the first one is done";
}

TEST(DeviceKey, IsTheSameForEachDirectoryOfAFilesystemAndOneLine) {
  const TemporaryPlace place;
  std::filesystem::create_directory(place.path() + "/below");
  const std::string key = probe::device_key(place.path());
  EXPECT_EQ(probe::device_key(place.path() + "/below"), key);
  EXPECT_EQ(key.find('\n'), key.npos);
  EXPECT_EQ(probe::device_key("/proc"), "") << "no disk behind it";
  EXPECT_EQ(probe::device_key(place.path() + "/missing"), "");
}

TEST(CacheDirectory, BelongsToTheUser) {
  EXPECT_EQ(probe::cache_directory(true), "/var/cache/fairfs");
  setenv("XDG_CACHE_HOME", "/x", 1);
  EXPECT_EQ(probe::cache_directory(false), "/x/fairfs");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(probe::cache_directory(false), "/home/me/.cache/fairfs");
  setenv("CACHE_DIRECTORY", "/given:/more", 1);
  EXPECT_EQ(probe::cache_directory(true), "/given");
  EXPECT_EQ(probe::cache_directory(false), "/given");
  unsetenv("CACHE_DIRECTORY");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(probe::cache_directory(false), "");
}

}  // namespace
}  // namespace fairfs::test
