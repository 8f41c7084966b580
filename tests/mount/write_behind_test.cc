// With write_behind=on: what many small writes leave is what was written, and the daemon lives through it.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <system_error>

#include "tests/mount/daemon.h"

namespace fairfs::test {
namespace {

using WriteBehind = DaemonTest;

TEST_F(WriteBehind, FilesOfSeveralPiecesArriveWhole) {
  // Two spans of a file with a gap between, file after file: they go to the disk together, several files to a piece.
  constexpr int kFiles = 2000;
  constexpr off_t kSecond = 4 << 20;  // too far from the first to be written with it
  const std::string data = pattern(20'000);
  const pid_t daemon = mount_in_foreground("write_behind=on");
  for (int i = 0; i < kFiles; ++i) {
    const UniqueFd file = open_file(mountpoint(std::to_string(i)), O_RDWR | O_CREAT);
    ASSERT_EQ(::pwrite(file.get(), data.data(), data.size(), 0), static_cast<ssize_t>(data.size())) << i;
    ASSERT_EQ(::pwrite(file.get(), data.data(), data.size(), kSecond), static_cast<ssize_t>(data.size())) << i;
  }
  ASSERT_EQ(::kill(daemon, SIGTERM), 0);
  EXPECT_EQ(end_of(daemon), 0);
  std::string found(data.size(), '\0');
  for (int i = 0; i < kFiles; ++i) {
    const UniqueFd file = open_file(source(std::to_string(i)), O_RDONLY);
    for (const off_t offset : {off_t{0}, kSecond}) {
      ASSERT_EQ(::pread(file.get(), found.data(), found.size(), offset), static_cast<ssize_t>(found.size())) << i;
      ASSERT_TRUE(found == data) << i;
    }
  }
}

// Who flushes again and again finds the file still known; the daemon must not keep it beyond that.
TEST_F(WriteBehind, FlushedFilesThatAreRemovedAreLetGo) {
  const pid_t daemon = mount_in_foreground("write_behind=on");
  const std::string data = pattern(5'000);
  for (int i = 0; i < 100; ++i) {
    const UniqueFd file = open_file(mountpoint(std::to_string(i)), O_RDWR | O_CREAT);
    for (int flush = 0; flush < 3; ++flush) {
      ASSERT_EQ(::pwrite(file.get(), data.data(), data.size(), 0), static_cast<ssize_t>(data.size())) << i;
      ASSERT_EQ(::fsync(file.get()), 0) << i;
    }
    ASSERT_EQ(::unlink(mountpoint(std::to_string(i)).c_str()), 0);
  }
  const std::filesystem::path descriptors = "/proc/" + std::to_string(daemon) + "/fd";
  const auto is_held = [&] {
    std::error_code gone;  // one closed since it was listed
    for (const auto& each : std::filesystem::directory_iterator(descriptors)) {
      const std::string target = std::filesystem::read_symlink(each, gone).string();
      if (target.starts_with(source().string()) && target.ends_with(" (deleted)")) return true;
    }
    return false;
  };
  EXPECT_TRUE(eventually(std::chrono::seconds{10}, [&] { return !is_held(); })) << "removed files take space";
}

}  // namespace
}  // namespace fairfs::test
