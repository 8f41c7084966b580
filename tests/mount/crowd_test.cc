// Hundreds of callers at once: what the daemon's memory holds of their data.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/mount/daemon.h"
#include "tests/mount/mount.h"
#include "tests/mount/queue_hold.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// The most that the process has had in memory, in MiB.
std::size_t peak_of(pid_t process) {
  std::ifstream status{"/proc/" + std::to_string(process) + "/status"};
  std::size_t kibibytes = 0;
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> kibibytes;
  return kibibytes / 1024;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned kSanitizers = 8;  // times as much memory
#else
constexpr unsigned kSanitizers = 1;
#endif

using Crowd = MountTest;

// A payload of 1 MiB lies in 2 MiB of memory: 128 fit the bound of 256 MiB, and each thread that receives may have one.
TEST_F(Crowd, OfDirectWritersWaitsInTheKernelBeyond256MiB) {
  if (native()) GTEST_SKIP() << "there is no queue without a daemon";
  constexpr unsigned kWriters = 300, kMost = 128 + 32;
  const std::unique_ptr<void, decltype(&std::free)> memory{std::aligned_alloc(4096, kMiB), &std::free};
  std::memset(memory.get(), 'w', kMiB);
  auto hold = std::make_unique<QueueHold>(mounted().parent_path());
  std::vector<std::thread> writers;
  std::vector<ssize_t> written(kWriters);
  std::atomic<unsigned> begun{0};
  for (unsigned i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      const UniqueFd file{::open(mounted(std::to_string(i)).c_str(), O_WRONLY | O_CREAT | O_DIRECT | O_CLOEXEC, 0644)};
      ++begun;
      written[i] = ::pwrite(file.get(), memory.get(), kMiB, 0);
    });
  }
  // Those that come first fill it; the others can't even open their files until it is let go.
  EXPECT_TRUE(eventually(20s, [&] { return begun > 100 && hold->queued() >= 128; })) << hold->queued();
  EXPECT_FALSE(eventually(1s, [&] { return hold->queued() > kMost; })) << hold->queued();
  hold.reset();
  for (std::thread& writer : writers) writer.join();
  for (unsigned i = 0; i < kWriters; ++i) ASSERT_EQ(written[i], static_cast<ssize_t>(kMiB)) << i;
  EXPECT_LE(peak_of(daemon()), kSanitizers * (2 * kMost + 100));
}

using Crowded = DaemonTest;

// What is dirty lies in the kernel's page cache: the daemon knows which pages.
TEST_F(Crowded, AThousandWritersOfAThousandFilesTakeLittleMemory) {
  constexpr int kWriters = 1000;
  constexpr std::size_t kPart = 32 * 1024;
  const std::string data = pattern(4 * kPart);
  const pid_t daemon = mount_in_foreground("write_behind=on,grouping=process");
  int gate[2];
  ASSERT_EQ(::pipe2(gate, O_CLOEXEC), 0);
  std::vector<pid_t> writers;
  for (int i = 0; i < kWriters; ++i) {
    const pid_t writer = ::fork();
    ASSERT_GE(writer, 0);
    if (writer == 0) {
      ::close(gate[1]);
      char byte;
      if (::read(gate[0], &byte, 1) != 0) ::_exit(1);  // until all are there
      const int file = ::open(mountpoint(std::to_string(i)).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
      for (std::size_t at = 0; at < data.size(); at += kPart)
        if (::pwrite(file, data.data() + at, kPart, static_cast<off_t>(at)) != static_cast<ssize_t>(kPart)) ::_exit(2);
      ::_exit(::close(file));
    }
    writers.push_back(writer);
  }
  ::close(gate[0]);
  ::close(gate[1]);
  int failed = 0;
  for (const pid_t writer : writers) {
    int status = -1;
    ::waitpid(writer, &status, 0);
    failed += status != 0 ? 1 : 0;
  }
  EXPECT_EQ(failed, 0);
  EXPECT_LE(peak_of(daemon), kSanitizers * 96U);
  ASSERT_EQ(::kill(daemon, SIGTERM), 0);
  EXPECT_EQ(end_of(daemon), 0);
  for (int i = 0; i < kWriters; ++i) ASSERT_TRUE(read_file(source(std::to_string(i))) == data) << i;
}

}  // namespace
}  // namespace fairfs::test
