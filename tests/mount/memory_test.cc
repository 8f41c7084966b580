// What the daemon keeps of what it was given.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

constexpr int kProcesses = 8, kWrites = 16;
constexpr std::size_t kPayload = std::size_t{1} << 20U;
constexpr long kSlack_kib = 3 * 1024;  // stacks, and what the allocator keeps
constexpr auto kGivenBack = 25s;       // it looks each 5 s, twice at least

class Memory : public MountTest {
 protected:
  long resident_kib() const {
    std::ifstream status{"/proc/" + std::to_string(daemon()) + "/status"};
    long kib = 0;
    for (std::string word; status >> word;)
      if (word == "VmRSS:") status >> kib;
    return kib;
  }
};

int write_all(const Path& path) {
  const std::string bytes = pattern(kPayload);
  const UniqueFd file = open_file(path, O_CREAT | O_WRONLY);
  for (int i = 0; i < kWrites; ++i)
    if (::write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) return 1;
  return 0;
}

// Threads that wait for the next request hold what the last one came in, 2 MiB each: for a second.
TEST_F(Memory, OfPayloadsIsGivenBackWhenNobodyWrites) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer keeps freed memory";
#endif
  if (native()) GTEST_SKIP() << "there is no daemon";
  write_file(mounted("small"), pattern(4096));
  const long before = resident_kib();
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(write_all(mounted("file" + std::to_string(i))));
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const long most = before + static_cast<long>(kPayload >> 10U);
  EXPECT_GT(resident_kib(), most) << "nothing was held: this test proves nothing";
  EXPECT_TRUE(eventually(kGivenBack, [&] { return resident_kib() <= before + kSlack_kib; }))
      << before << " KiB before, " << resident_kib() << " KiB now";
}

}  // namespace
}  // namespace fairfs::test
