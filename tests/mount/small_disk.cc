#include "tests/mount/small_disk.h"

#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

namespace fairfs::test {
namespace {

/// What the shell command prints, without the line feed; "" when it fails.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe{::popen(command.c_str(), "re"), &::pclose};
  char line[PATH_MAX] = "";
  if (!pipe || std::fgets(line, sizeof line, pipe.get()) == nullptr) return {};
  std::string text = line;
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

int run(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()); }

}  // namespace

void SmallDiskTest::SetUp() {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root: loop devices";
  const char* given = std::getenv("FAIRFS_TEST_DIR");
  std::string place = std::string(given != nullptr ? given : "/var/tmp") + "/fairfs-disk-XXXXXX";
  if (::mkdtemp(place.data()) == nullptr) GTEST_SKIP() << "no place to work in: " << place;
  place_ = place;
  const std::string image = place_ / "image", disk = place_ / "disk";
  std::filesystem::create_directory(disk);
  if (run("truncate -s 64M " + image + " && mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 " + image) == 0)
    device_ = output_of("losetup -f --show --direct-io=on " + image);
  if (device_.empty() || run("mount " + device_ + " " + disk) != 0) GTEST_SKIP() << "no loop device here";
  ::setenv("FAIRFS_TEST_DIR", disk.c_str(), 1);
  MountTest::SetUp();
  if (given == nullptr)
    ::unsetenv("FAIRFS_TEST_DIR");
  else
    ::setenv("FAIRFS_TEST_DIR", place_.parent_path().c_str(), 1);
}

void SmallDiskTest::TearDown() {
  MountTest::TearDown();
  if (place_.empty()) return;
  static_cast<void>(run("umount " + (place_ / "disk").string()));
  if (!device_.empty()) {
    EXPECT_EQ(run("losetup -d " + device_), 0);
  }
  std::filesystem::remove_all(place_);
}

unsigned long long SmallDiskTest::sectors_read() const {
  std::ifstream file{"/sys/block" + device_.substr(4) + "/stat"};
  unsigned long long reads = 0, merged = 0, sectors = 0;
  file >> reads >> merged >> sectors;  // the third field
  return sectors;
}

}  // namespace fairfs::test
