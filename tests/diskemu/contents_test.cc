#include "tests/diskemu/contents.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace fairfs::test {
namespace {

constexpr std::uint64_t kMegabyte = 1 << 20;

/// Pages of this process in memory.
std::uint64_t resident() {
  std::ifstream statm{"/proc/self/statm"};
  std::uint64_t all = 0, present = 0;
  statm >> all >> present;
  return present;
}

TEST(Contents, ZerosTakeNoMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer keeps pages of its own about what is looked at";
#endif
  Contents contents(64 * kMegabyte, "");
  const std::vector<char> zeros(kMegabyte);
  const std::uint64_t before = resident();
  for (std::uint64_t offset = 0; offset < contents.size(); offset += kMegabyte) {
    contents.write(zeros.data(), kMegabyte, offset);
  }
  EXPECT_LT(resident() - before, 256U) << "of 16,384 pages";
}

TEST(Contents, ZerosReplaceWhatWasThere) {
  Contents contents(kMegabyte, "");
  contents.write("text", 4, 4096);
  contents.write("\0\0", 2, 4097);
  EXPECT_EQ(std::string(contents.at(4096), 4), std::string("t\0\0t", 4));
  contents.write("\0x", 2, 8192);
  EXPECT_EQ(std::string(contents.at(8192), 2), std::string("\0x", 2));
}

}  // namespace
}  // namespace fairfs::test
