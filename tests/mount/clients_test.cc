// Callers that are stopped or killed while they have work with the daemon: others go on, and the killed end at once.

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t kBlock = 1 << 20;
constexpr int kBlocks = 16;

struct Way {
  std::string name;
  int flags;
  bool timer;  ///< a signal every millisecond
};

class Clients : public MountTest, public testing::WithParamInterface<Way> {
 protected:
  /// A child that writes the file "busy" over and over, syncing now and then. Says through a pipe that it is at it.
  pid_t start_writer() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return -1;
    const pid_t child = ::fork();
    if (child == 0) write_for_ever(ends[1]);
    ::close(ends[1]);
    char word = 0;
    EXPECT_EQ(::read(ends[0], &word, 1), 1);
    ::close(ends[0]);
    return child;
  }

  [[noreturn]] void write_for_ever(int ready) {
    if (GetParam().timer) {
      ::signal(SIGALRM, [](int) {});
      const itimerval every{{0, 1000}, {0, 1000}};
      ::setitimer(ITIMER_REAL, &every, nullptr);
    }
    const int file = ::open(mounted("busy").c_str(), O_CREAT | O_WRONLY | GetParam().flags, 0644);
    void* block = nullptr;
    if (file < 0 || ::posix_memalign(&block, 4096, kBlock) != 0) ::_exit(1);
    for (int i = 0;; ++i) {
      if (::pwrite(file, block, kBlock, static_cast<off_t>(i % kBlocks * kBlock)) < 0 && errno != EINTR) ::_exit(1);
      if (i % kBlocks == kBlocks - 1) ::fdatasync(file);
      if (i == kBlocks && ::write(ready, "r", 1) != 1) ::_exit(1);
    }
  }

  /// Somebody else's small work; false when it is not done in time.
  bool others_go_on() {
    const pid_t other = ::fork();
    if (other == 0) {
      write_file(mounted("other"), "small");
      ::_exit(::fsync(open_file(mounted("other"), O_RDWR).get()) == 0 ? 0 : 1);
    }
    int status = 1;
    const bool ended = eventually(10s, [&] { return ::waitpid(other, &status, WNOHANG) == other; });
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
};

TEST_P(Clients, AStoppedOneHoldsNobodyUpAndAKilledOneEnds) {
  const pid_t writer = start_writer();
  ASSERT_GT(writer, 0);
  ASSERT_EQ(::kill(writer, SIGSTOP), 0);
  EXPECT_TRUE(others_go_on());
  ASSERT_EQ(::kill(writer, SIGKILL), 0);
  int status = 0;
  // 200 ms is what is promised for a disk that answers; a write already with a busy disk may take a little longer.
  ASSERT_TRUE(eventually(2s, [&] { return ::waitpid(writer, &status, WNOHANG) == writer; }));
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(others_go_on());
}

INSTANTIATE_TEST_SUITE_P(Ways, Clients,
                         testing::Values(Way{"Buffered", 0, false}, Way{"Direct", O_DIRECT, false},
                                         Way{"Synchronous", O_DSYNC, false}, Way{"DirectWithTimer", O_DIRECT, true},
                                         Way{"BufferedWithTimer", 0, true}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace fairfs::test
