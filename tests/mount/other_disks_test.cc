// File systems mounted inside the source that lie on other disks: nobody there waits for the source's.

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>

#include "tests/mount/queue_hold.h"
#include "tests/mount/small_disk.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBlock = 4096;
constexpr unsigned kPatience_s = 20;  // then a child that waits for the source's disk is ended, and the test fails

using Memory = std::unique_ptr<char, decltype(&std::free)>;
Memory block_of(char letter) {
  Memory memory{static_cast<char*>(std::aligned_alloc(kBlock, kBlock)), &std::free};
  std::fill_n(memory.get(), kBlock, letter);
  return memory;
}

/// All that is scheduled on the source's disk: 0, or the number of the step that failed.
int use(const Path& path, bool direct) {
  ::alarm(kPatience_s);
  const Memory memory = block_of('d');
  const auto whole = static_cast<ssize_t>(kBlock);
  const UniqueFd file{::open(path.c_str(), O_RDWR | O_CLOEXEC)};
  if (::pwrite(file.get(), memory.get(), kBlock, 0) != whole) return 1;
  if (::fsync(file.get()) != 0) return 2;
  if (::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED) != 0) return 3;
  if (::pread(file.get(), memory.get(), kBlock, 0) != whole || *memory != 'd') return 4;
  const UniqueFd synchronous{::open(path.c_str(), O_WRONLY | O_SYNC | O_CLOEXEC)};
  if (::pwrite(synchronous.get(), memory.get(), kBlock, 0) != whole) return 5;
  const UniqueFd directory{::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (::fsync(directory.get()) != 0) return 6;
  if (!direct) return 0;
  const UniqueFd past{::open(path.c_str(), O_RDWR | O_DIRECT | O_CLOEXEC)};
  if (::pwrite(past.get(), memory.get(), kBlock, 0) != whole) return 7;
  return ::pread(past.get(), memory.get(), kBlock, 0) == whole ? 0 : 8;
}

class OtherDisks : public SmallDiskTest {
 protected:
  void SetUp() override {
    SmallDiskTest::SetUp();
    if (IsSkipped()) return;
    if (native()) GTEST_SKIP() << "there is no queue";
    std::filesystem::create_directory(source("other"));
    write_file(source("held"), pattern(kBlock));
  }
  void TearDown() override {
    if (::geteuid() == 0) ::umount2(source("other").c_str(), MNT_DETACH);
    if (!elsewhere_.empty()) std::filesystem::remove_all(elsewhere_);
    SmallDiskTest::TearDown();
  }
  /// While a read of the source waits for its turn.
  void expect_served(bool direct) {
    write_file(source("other/file"), pattern(kBlock));
    EXPECT_EQ(in_child([&] { return use(mounted("other/file"), direct); }), 0) << "nothing waits yet";
    const UniqueFd held = open_file(source("held"), O_RDONLY);
    ::fsync(held.get());
    ::posix_fadvise(held.get(), 0, 0, POSIX_FADV_DONTNEED);
    const QueueHold hold{mounted().parent_path()};
    const pid_t waiting = ::fork();
    if (waiting == 0) {
      ::alarm(3 * kPatience_s);
      ::_exit(read_file(mounted("held")) == pattern(kBlock) ? 0 : 1);
    }
    ASSERT_TRUE(eventually(10s, [&] { return hold.queued() == 1; }));
    EXPECT_EQ(in_child([&] { return use(mounted("other/file"), direct); }), 0);
    EXPECT_EQ(hold.queued(), 1U) << "the source's own file must wait";
    ::kill(waiting, SIGKILL);
    int status = 0;
    ::waitpid(waiting, &status, 0);
  }

  std::string elsewhere_;  // on the other disk
};

TEST_F(OtherDisks, MemoryIsServedWhileTheSourceIsHeld) {
  ASSERT_EQ(::mount("none", source("other").c_str(), "tmpfs", 0, nullptr), 0);
  expect_served(false);
}

// The source is an ext4 on a loop device; where the image lies is another disk.
TEST_F(OtherDisks, AnotherDiskIsServedWhileTheSourceIsHeld) {
  elsewhere_ = "/var/tmp/fairfs-other-XXXXXX";
  ASSERT_NE(::mkdtemp(elsewhere_.data()), nullptr);
  ASSERT_EQ(::mount(elsewhere_.c_str(), source("other").c_str(), nullptr, MS_BIND, nullptr), 0);
  expect_served(true);
}

// A bind mount of the source itself is another mount and the same disk.
TEST_F(OtherDisks, TheSameDiskElsewhereWaits) {
  std::filesystem::create_directory(source("within"));
  write_file(source("within/file"), pattern(kBlock));
  ASSERT_EQ(::mount(source("within").c_str(), source("other").c_str(), nullptr, MS_BIND, nullptr), 0);
  const QueueHold hold{mounted().parent_path()};
  const pid_t waiting = ::fork();
  if (waiting == 0) {
    ::alarm(3 * kPatience_s);
    ::_exit(use(mounted("other/file"), true));
  }
  EXPECT_TRUE(eventually(10s, [&] { return hold.queued() == 1; }));
  ::kill(waiting, SIGKILL);
  int status = 0;
  ::waitpid(waiting, &status, 0);
}

}  // namespace
}  // namespace fairfs::test
