// Several processes at one file: locks and appending.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

#include <map>
#include <vector>

#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

class Processes : public MountTest {};

/// 0, or the errno with which a lock of bytes [start, start + length) is refused.
int posix_lock(int fd, short type, off_t start, off_t length) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = start;
  lock.l_len = length;
  return ::fcntl(fd, F_SETLK, &lock) ? errno : 0;
}

TEST_F(Processes, FlockExcludesOtherProcesses) {
  write_file(mounted("a"), "");
  const auto attempt = [&](int operation) {
    return in_child([&] {
      const UniqueFd file = open_file(mounted("a"), O_RDWR);
      return ::flock(file.get(), operation | LOCK_NB) ? errno : 0;
    });
  };
  const UniqueFd file = open_file(mounted("a"), O_RDWR);
  ASSERT_EQ(::flock(file.get(), LOCK_EX), 0);
  EXPECT_EQ(attempt(LOCK_EX), EWOULDBLOCK);
  ASSERT_EQ(::flock(file.get(), LOCK_SH), 0);
  EXPECT_EQ(attempt(LOCK_SH), 0);
  EXPECT_EQ(attempt(LOCK_EX), EWOULDBLOCK);
  ASSERT_EQ(::flock(file.get(), LOCK_UN), 0);
  EXPECT_EQ(attempt(LOCK_EX), 0);
}

TEST_F(Processes, PosixLocksCoverRanges) {
  write_file(mounted("a"), std::string(200, 'a'));
  const auto attempt = [&](short type, off_t start) {
    return in_child([&] {
      const UniqueFd file = open_file(mounted("a"), O_RDWR);
      return posix_lock(file.get(), type, start, 10);
    });
  };
  const UniqueFd file = open_file(mounted("a"), O_RDWR);
  ASSERT_EQ(posix_lock(file.get(), F_WRLCK, 0, 100), 0);
  EXPECT_EQ(attempt(F_WRLCK, 95), EAGAIN);
  EXPECT_EQ(attempt(F_RDLCK, 0), EAGAIN);
  EXPECT_EQ(attempt(F_WRLCK, 100), 0);
  ASSERT_EQ(posix_lock(file.get(), F_UNLCK, 0, 50), 0);
  EXPECT_EQ(attempt(F_WRLCK, 0), 0);
  EXPECT_EQ(attempt(F_WRLCK, 60), EAGAIN);
}

TEST_F(Processes, AWaiterGetsThePosixLockWhenItsHolderCloses) {
  write_file(mounted("a"), "");
  UniqueFd file = open_file(mounted("a"), O_RDWR);
  ASSERT_EQ(posix_lock(file.get(), F_WRLCK, 0, 0), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const UniqueFd waiting = open_file(mounted("a"), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    ::_exit(::fcntl(waiting.get(), F_SETLKW, &lock) ? errno : 0);
  }
  // A child waiting for the lock shows in the kernel's table as "-> POSIX"; only then is closing worth anything.
  const std::string waiter = "-> POSIX  ADVISORY  WRITE " + std::to_string(child) + " ";
  EXPECT_TRUE(
      eventually(std::chrono::seconds{5}, [&] { return read_file("/proc/locks").find(waiter) != std::string::npos; }));
  file.reset();
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(Processes, TwoAppendersLoseNothing) {
  constexpr int kRecords = 1'000;
  constexpr std::size_t kSize = 64;
  const auto append = [&](char mark) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    const UniqueFd file = open_file(mounted("log"), O_WRONLY | O_APPEND | O_CREAT);
    const std::string record = std::string(kSize - 1, mark) + "\n";
    for (int i = 0; i < kRecords; ++i)
      if (::write(file.get(), record.data(), kSize) != static_cast<ssize_t>(kSize)) ::_exit(1);
    ::_exit(0);
  };
  for (const pid_t child : {append('a'), append('b')}) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
  const std::string log = read_file(source("log"));
  ASSERT_EQ(log.size(), 2 * kRecords * kSize);
  std::map<std::string, int> records;
  for (std::size_t at = 0; at < log.size(); at += kSize) ++records[log.substr(at, kSize)];
  EXPECT_EQ(records.size(), 2u);
  for (const auto& [record, count] : records) EXPECT_EQ(count, kRecords) << record;
}

TEST_F(Processes, ManyCreatorsOfOneNameMakeOneFile) {
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    children.push_back(::fork());
    ASSERT_GE(children.back(), 0);
    if (children.back() == 0)
      ::_exit(::open(mounted("once").c_str(), O_WRONLY | O_CREAT | O_EXCL, 0644) >= 0 ? 0 : errno);
  }
  std::map<int, int> results;
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    ++results[WEXITSTATUS(status)];
  }
  EXPECT_EQ(results, (std::map<int, int>{{0, 1}, {EEXIST, 7}}));
}

}  // namespace
}  // namespace fairfs::test
