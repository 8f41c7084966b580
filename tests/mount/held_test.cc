// Requests that wait for their turn: what happens to a caller that is killed, stopped or frozen meanwhile, and to the
// others.

#include <fcntl.h>
#include <linux/aio_abi.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <utility>

#include "tests/mount/mount.h"
#include "tests/mount/queue_hold.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kBlock = 4096;
constexpr auto kDeath = 200ms;        // from kill -9 to the end of the process
constexpr auto kPatience = 10s;       // for what has no bound of its own
constexpr auto kManySignals = 300ms;  // of a timer that fires each millisecond

enum class Road { buffered, direct, asynchronous };

/// Reads one cold block and answers like pread(2).
ssize_t read_block(Road road, const Path& path, off_t offset) {
  const UniqueFd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | (road == Road::buffered ? 0 : O_DIRECT))};
  const std::unique_ptr<void, decltype(&std::free)> memory{std::aligned_alloc(kBlock, kBlock), &std::free};
  if (road != Road::asynchronous) return ::pread(file.get(), memory.get(), kBlock, offset);
  aio_context_t context = 0;
  iocb block{};
  block.aio_fildes = static_cast<std::uint32_t>(file.get());
  block.aio_lio_opcode = IOCB_CMD_PREAD;
  block.aio_buf = reinterpret_cast<std::uintptr_t>(memory.get());
  block.aio_nbytes = kBlock;
  block.aio_offset = offset;
  iocb* blocks[] = {&block};
  io_event event{};
  if (::syscall(SYS_io_setup, 1, &context) != 0 || ::syscall(SYS_io_submit, context, 1, blocks) != 1) return -1;
  while (::syscall(SYS_io_getevents, context, 1, 1, &event, nullptr) != 1) {
    if (errno != EINTR) return -1;  // waiting for events may be interrupted; the read itself may not
  }
  return static_cast<ssize_t>(event.res);
}

void start_millisecond_timer() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ::sigaction(SIGALRM, &action, nullptr);  // without SA_RESTART
  const itimerval each{{0, 1000}, {0, 1000}};
  ::setitimer(ITIMER_REAL, &each, nullptr);
}

class Held : public MountTest {
 protected:
  void SetUp() override {
    MountTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (native()) GTEST_SKIP() << "there is no queue without a daemon";
    for (const char* name : {"a", "b"}) {
      write_file(source(name), pattern(64 * kBlock));
      const UniqueFd file = open_file(source(name), O_RDWR);
      ::fsync(file.get());
      ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
    }
    hold_ = std::make_unique<QueueHold>(mounted().parent_path());
  }
  void TearDown() override {
    hold_.reset();
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    MountTest::TearDown();
  }

  /// A child that reads a block of "a" and waits for it in the daemon's queue. It ends with 0 if the read was whole.
  void start_reader(Road road, bool timer = false, off_t offset = 0) {
    child_ = ::fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      if (timer) start_millisecond_timer();
      const ssize_t count = read_block(road, mounted("a"), offset);
      ::_exit(count == static_cast<ssize_t>(kBlock) ? 0 : 1);
    }
    ASSERT_TRUE(eventually(kPatience, [&] { return hold_->queued() > 0; })) << "nothing came into the queue";
  }
  int wait_for_child() {
    int status = -1;
    ::waitpid(std::exchange(child_, 0), &status, 0);
    return status;
  }
  void expect_quick_death(Road road, bool timer) {
    // Once of three times: somebody else may have had the processors.
    Clock::duration took{};
    for (int attempt = 0; attempt < 3; ++attempt) {
      start_reader(road, timer, attempt * 40 * 1024);
      if (HasFatalFailure()) return;
      const auto killed = Clock::now();
      ::kill(child_, SIGKILL);
      const int status = wait_for_child();
      took = Clock::now() - killed;
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
      EXPECT_TRUE(eventually(kPatience, [&] { return hold_->queued() == 0; }));
      if (took < kDeath) return;
    }
    ADD_FAILURE() << "it took " << std::chrono::duration<double, std::milli>(took).count() << " ms";
  }
  /// With the queue open again, another process gets its cold block.
  void expect_others_go_on() {
    hold_.reset();
    EXPECT_EQ(in_child([&] { return read_block(Road::buffered, mounted("b"), 0) == kBlock ? 0 : 1; }), 0);
    EXPECT_EQ(in_child([&] { return read_block(Road::direct, mounted("b"), 32 * kBlock) == kBlock ? 0 : 1; }), 0);
  }

  std::unique_ptr<QueueHold> hold_;
  pid_t child_ = 0;
};

TEST_F(Held, AKilledBufferedReaderEndsAtOnce) { expect_quick_death(Road::buffered, false); }
TEST_F(Held, AKilledDirectReaderEndsAtOnce) { expect_quick_death(Road::direct, false); }
TEST_F(Held, AKilledAsynchronousReaderEndsAtOnce) { expect_quick_death(Road::asynchronous, false); }
TEST_F(Held, AKilledBufferedReaderWithATimerEndsAtOnce) { expect_quick_death(Road::buffered, true); }
TEST_F(Held, AKilledDirectReaderWithATimerEndsAtOnce) { expect_quick_death(Road::direct, true); }
TEST_F(Held, AKilledAsynchronousReaderWithATimerEndsAtOnce) { expect_quick_death(Road::asynchronous, true); }

TEST_F(Held, SignalsOfATimerInterruptNoRead) {
  for (const Road road : {Road::buffered, Road::direct, Road::asynchronous}) {
    if (!hold_) hold_ = std::make_unique<QueueHold>(mounted().parent_path());
    start_reader(road, true, static_cast<off_t>(road) * 20 * static_cast<off_t>(kBlock));
    if (HasFatalFailure()) return;
    EXPECT_FALSE(eventually(kManySignals, [&] { return hold_->queued() == 0; })) << "answered while held";
    hold_.reset();
    EXPECT_EQ(wait_for_child(), 0);
  }
}

TEST_F(Held, OthersGoOnBesideAKilledOne) {
  start_reader(Road::buffered);
  ::kill(child_, SIGKILL);
  expect_others_go_on();
}

TEST_F(Held, OthersGoOnBesideAStoppedOne) {
  start_reader(Road::buffered);
  ::kill(child_, SIGSTOP);
  expect_others_go_on();
  ::kill(child_, SIGCONT);
  EXPECT_EQ(wait_for_child(), 0);
}

TEST_F(Held, OthersGoOnBesideAFrozenOne) {
  const Path freezer = "/sys/fs/cgroup/freezer";
  const Path group = freezer / ("fairfs-test-" + std::to_string(::getpid()));
  if (!std::filesystem::exists(freezer / "cgroup.procs") || ::mkdir(group.c_str(), 0755) != 0)
    GTEST_SKIP() << "no freezer of cgroup v1 here";
  start_reader(Road::buffered);
  std::ofstream{group / "cgroup.procs"} << child_;
  std::ofstream{group / "freezer.state"} << "FROZEN";
  expect_others_go_on();
  std::ofstream{group / "freezer.state"} << "THAWED";
  EXPECT_EQ(wait_for_child(), 0);
  EXPECT_TRUE(eventually(kPatience, [&] { return ::rmdir(group.c_str()) == 0; }));
}

}  // namespace
}  // namespace fairfs::test
