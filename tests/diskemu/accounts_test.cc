#include "tests/diskemu/accounts.h"

#include <gtest/gtest.h>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

TEST(Accounts, DividesARequestAmongTheRangesItTouches) {
  Accounts accounts;
  accounts.add_range("low", 0, 4096);
  accounts.add_range("high", 4096, 65536);
  accounts.count({1, IoKind::read, 0, 16384});
  accounts.charge({0, 16384, 400us});
  EXPECT_EQ(accounts.of("low").read_bytes, 4096U);
  EXPECT_EQ(accounts.of("low").device_time, 100us);
  EXPECT_EQ(accounts.of("high").read_bytes, 12288U);
  EXPECT_EQ(accounts.of("high").device_time, 300us);
  EXPECT_EQ(accounts.total().reads, 1U);
  EXPECT_EQ(accounts.total().device_time, 400us);
}

TEST(Accounts, ExtentsOfOneNameAddUp) {
  Accounts accounts;
  accounts.add_range("file", 0, 4096);
  accounts.add_range("file", 8192, 12288);
  accounts.count({1, IoKind::write, 0, 4096});
  accounts.count({2, IoKind::write, 4096, 4096});  // between them
  accounts.count({3, IoKind::write, 8192, 4096});
  EXPECT_EQ(accounts.of("file").writes, 2U);
  EXPECT_EQ(accounts.of("file").write_bytes, 8192U);
}

TEST(Accounts, TextHasColumnsTotalAndNames) {
  Accounts accounts;
  accounts.add_range("file", 0, 8192);
  accounts.count({1, IoKind::read, 4096, 8192});
  accounts.count({2, IoKind::flush, 0, 0});
  accounts.charge({4096, 8192, 800us});
  EXPECT_EQ(accounts.text(),
            "name reads read_bytes writes write_bytes flushes sectors device_ns\n"
            "total 1 8192 0 0 1 16 800000\n"
            "file 1 4096 0 0 0 8 400000\n");
}

TEST(Accounts, ResetZeroesAndKeepsTheRanges) {
  Accounts accounts;
  accounts.add_range("file", 0, 8192);
  accounts.count({1, IoKind::read, 0, 4096});
  accounts.reset();
  EXPECT_EQ(accounts.of("file").reads, 0U);
  accounts.count({1, IoKind::read, 0, 4096});
  EXPECT_EQ(accounts.of("file").reads, 1U);
}

}  // namespace
}  // namespace fairfs::test
