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
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "tests/mount/mount.h"
#include "tests/mount/queue_hold.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kBlock = 4096;
constexpr int kBlocks = 1024;
constexpr auto kDeath = 200ms;        // from kill -9 to the end of the process
constexpr auto kPatience = 10s;       // for what has no bound of its own
constexpr auto kManySignals = 300ms;  // of a timer that fires each millisecond

/// The ways a request gets into the queue.
enum class Road { buffered_read, direct_read, asynchronous_read, direct_write, synchronous_write, flush };
constexpr Road kRoads[] = {Road::buffered_read, Road::direct_read,       Road::asynchronous_read,
                           Road::direct_write,  Road::synchronous_write, Road::flush};
const char* name_of(Road road) {
  constexpr const char* kNames[] = {"BufferedRead", "DirectRead",       "AsynchronousRead",
                                    "DirectWrite",  "SynchronousWrite", "Flush"};
  return kNames[static_cast<int>(road)];
}
int open_flags(Road road) {
  switch (road) {
    case Road::buffered_read:
      return O_RDONLY;
    case Road::direct_read:
    case Road::asynchronous_read:
      return O_RDONLY | O_DIRECT;
    case Road::direct_write:
      return O_WRONLY | O_DIRECT;
    case Road::synchronous_write:
      return O_WRONLY | O_SYNC;
    case Road::flush:
      return O_WRONLY;
  }
  return 0;
}

/// Reads by libaio's system calls, as pread(2) does.
ssize_t read_asynchronously(int file, void* memory, off_t offset) {
  aio_context_t context = 0;
  iocb block{};
  block.aio_fildes = static_cast<std::uint32_t>(file);
  block.aio_lio_opcode = IOCB_CMD_PREAD;
  block.aio_buf = reinterpret_cast<std::uintptr_t>(memory);
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

/// One cold block, or a flush; kBlock when it went well.
ssize_t use_block(Road road, const Path& path, off_t offset) {
  const UniqueFd file{::open(path.c_str(), open_flags(road) | O_CLOEXEC)};
  const std::unique_ptr<void, decltype(&std::free)> memory{std::aligned_alloc(kBlock, kBlock), &std::free};
  std::memset(memory.get(), 'w', kBlock);
  switch (road) {
    case Road::buffered_read:
    case Road::direct_read:
      return ::pread(file.get(), memory.get(), kBlock, offset);
    case Road::asynchronous_read:
      return read_asynchronously(file.get(), memory.get(), offset);
    case Road::direct_write:
    case Road::synchronous_write:
      return ::pwrite(file.get(), memory.get(), kBlock, offset);
    case Road::flush:
      return ::fsync(file.get()) == 0 ? static_cast<ssize_t>(kBlock) : -1;
  }
  return -1;
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
      write_file(source(name), pattern(kBlocks * kBlock));
      const UniqueFd file = open_file(source(name), O_RDWR);
      ::fsync(file.get());
      ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
    }
    hold();
  }
  void TearDown() override {
    hold_.reset();
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    MountTest::TearDown();
  }

  void hold() { hold_ = std::make_unique<QueueHold>(mounted().parent_path()); }

  /// A child that takes the road in "a" and waits for its turn in the daemon's queue. It ends with 0 if all went well.
  void start(Road road, bool timer, off_t offset) {
    child_ = ::fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      if (timer) start_millisecond_timer();
      ::_exit(use_block(road, mounted("a"), offset) == static_cast<ssize_t>(kBlock) ? 0 : 1);
    }
    ASSERT_TRUE(eventually(kPatience, [&] { return hold_->queued() > 0; })) << "nothing came into the queue";
  }
  int wait_for_child() {
    int status = -1;
    ::waitpid(std::exchange(child_, 0), &status, 0);
    return status;
  }
  /// `before` is done to the child that waits, which then is killed.
  void expect_quick_death(
      Road road, bool timer, const std::function<void()>& before = [] {}) {
    // Once of three times: somebody else may have had the processors.
    Clock::duration took{};
    for (int attempt = 0; attempt < 3; ++attempt) {
      start(road, timer, next_block());
      if (HasFatalFailure()) return;
      before();
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
  /// With the queue open again, another process gets what it wants, of the same file and of another one.
  void expect_others_go_on() {
    hold_.reset();
    for (const char* name : {"a", "b"})
      for (const Road road : kRoads)
        EXPECT_EQ(in_child([&] { return use_block(road, mounted(name), next_block()) == kBlock ? 0 : 1; }), 0)
            << name << " " << name_of(road);
  }
  /// Far from each other and not read ahead.
  off_t next_block() { return static_cast<off_t>(kBlock) * (9 * ++block_ % kBlocks); }

  std::unique_ptr<QueueHold> hold_;
  pid_t child_ = 0;
  int block_ = 0;
};

class HeldRequests : public Held, public testing::WithParamInterface<std::tuple<Road, bool>> {
 protected:
  Road road() const { return std::get<0>(GetParam()); }
  bool timer() const { return std::get<1>(GetParam()); }
};

TEST_P(HeldRequests, OfAKilledOneEndAtOnceAndOthersGoOn) {
  expect_quick_death(road(), timer());
  start(road(), timer(), next_block());
  ::kill(child_, SIGKILL);
  expect_others_go_on();
}

TEST_P(HeldRequests, OfAStoppedOneHoldNobodyUp) {
  expect_quick_death(road(), timer(), [&] { ::kill(child_, SIGSTOP); });
  start(road(), timer(), next_block());
  ::kill(child_, SIGSTOP);
  expect_others_go_on();
  ::kill(child_, SIGCONT);
  EXPECT_EQ(wait_for_child(), 0);
}

TEST_P(HeldRequests, OfAFrozenOneHoldNobodyUp) {
  const Path freezer = "/sys/fs/cgroup/freezer";
  const Path group = freezer / ("fairfs-test-" + std::to_string(::getpid()));
  if (!std::filesystem::exists(freezer / "cgroup.procs") || ::mkdir(group.c_str(), 0755) != 0)
    GTEST_SKIP() << "no freezer of cgroup v1 here";
  start(road(), timer(), next_block());
  std::ofstream{group / "cgroup.procs"} << child_;
  std::ofstream{group / "freezer.state"} << "FROZEN";
  expect_others_go_on();
  std::ofstream{group / "freezer.state"} << "THAWED";
  EXPECT_EQ(wait_for_child(), 0);
  EXPECT_TRUE(eventually(kPatience, [&] { return ::rmdir(group.c_str()) == 0; }));
}

INSTANTIATE_TEST_SUITE_P(Ways, HeldRequests, testing::Combine(testing::ValuesIn(kRoads), testing::Bool()),
                         [](const auto& info) {
                           return std::string{name_of(std::get<0>(info.param))} +
                                  (std::get<1>(info.param) ? "WithTimer" : "");
                         });

TEST_F(Held, APayloadThatWaitsIsShownForAsLongAsItDoes) {
  EXPECT_EQ(hold_->held_bytes(), 0U);
  start(Road::synchronous_write, false, 0);
  EXPECT_GE(hold_->held_bytes(), kBlock);
  EXPECT_LE(hold_->held_bytes(), 2U << 20) << "one request's memory";
  hold_.reset();
  EXPECT_EQ(wait_for_child(), 0);
  hold();
  EXPECT_TRUE(eventually(kPatience, [&] { return hold_->held_bytes() == 0; }));
}

TEST_F(Held, SignalsOfATimerInterruptNothing) {
  for (const Road road : kRoads) {
    if (!hold_) hold();
    start(road, true, next_block());
    if (HasFatalFailure()) return;
    EXPECT_FALSE(eventually(kManySignals, [&] { return hold_->queued() == 0; })) << "answered while held";
    hold_.reset();
    EXPECT_EQ(wait_for_child(), 0) << name_of(road);
  }
}

}  // namespace
}  // namespace fairfs::test
