// A thousand reads that need the disk, all waiting: the disk does nothing, and reads of cached pages pass them by.

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "tests/mount/mount.h"
#include "tests/mount/queue_hold.h"
#include "tests/mount/small_disk.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

constexpr int kReads = 1000;
constexpr std::size_t kPage = 4096;
constexpr auto kAtOnce = 2s;  // for a thousand cached reads: 2 ms each, on a busy machine

class ColdReads : public SmallDiskTest {
 protected:
  void SetUp() override {
    SmallDiskTest::SetUp();
    if (!IsSkipped() && native()) GTEST_SKIP() << "there is no queue without a daemon";
  }
};

struct Reader {
  int file = -1;
  int page = 0;
  static void* start(void* argument) {
    const auto& reader = *static_cast<Reader*>(argument);
    char bytes[kPage];
    const bool whole = ::pread(reader.file, bytes, kPage, reader.page * static_cast<off_t>(kPage)) == kPage;
    return whole ? argument : nullptr;
  }
};

/// In a process of its own: as many threads as pages, each reads one.
int read_pages(const Path& path) {
  const UniqueFd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_RANDOM);
  static Reader readers[kReads];
  static pthread_t threads[kReads];
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, 64 * 1024);
  for (int i = 0; i < kReads; ++i) {
    readers[i] = {file.get(), i};
    if (::pthread_create(&threads[i], &attributes, &Reader::start, &readers[i]) != 0) return 2;
  }
  for (pthread_t thread : threads) {
    void* whole = nullptr;
    ::pthread_join(thread, &whole);
    if (whole == nullptr) return 1;
  }
  return 0;
}

TEST_F(ColdReads, WaitWithoutTouchingTheDiskWhileCachedOnesPass) {
  write_file(source("cold"), pattern(kReads * kPage));
  {
    const UniqueFd file = open_file(source("cold"), O_RDWR);
    ASSERT_EQ(::fsync(file.get()), 0);
    ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  }
  const std::string warm = pattern(kReads * kPage, 2);
  write_file(source("warm"), warm);
  // A page that is just being written back is locked, and then a cached read has to wait for it like any other.
  ASSERT_EQ(::fsync(open_file(source("warm"), O_RDWR).get()), 0);
  const UniqueFd file = open_file(mounted("warm"), O_RDONLY);
  const unsigned long long before = sectors_read();
  auto hold = std::make_unique<QueueHold>(mounted().parent_path());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(read_pages(mounted("cold")));
  EXPECT_TRUE(eventually(20s, [&] { return hold->queued() >= kReads; })) << hold->queued() << " queued";

  const auto start = std::chrono::steady_clock::now();
  std::string found(warm.size(), '\0');
  for (int i = 0; i < kReads; ++i)
    ASSERT_EQ(::pread(file.get(), &found[static_cast<std::size_t>(i) * kPage], kPage, i * static_cast<off_t>(kPage)),
              static_cast<ssize_t>(kPage));
  EXPECT_LT(std::chrono::steady_clock::now() - start, kAtOnce);
  EXPECT_TRUE(found == warm);
  EXPECT_EQ(sectors_read() - before, 0u);

  hold.reset();
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_GE(sectors_read() - before, kReads * kPage / 512);
}

}  // namespace
}  // namespace fairfs::test
