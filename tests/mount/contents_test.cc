// What is in files: reading, writing, truncating, holes, mappings.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdlib>
#include <memory>

#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

class Contents : public MountTest {};

constexpr std::size_t kBlock = 4096;  // alignment O_DIRECT needs at most
constexpr std::size_t kMegabyte = 1 << 20;

/// Memory that O_DIRECT accepts.
std::unique_ptr<char, decltype(&std::free)> aligned(std::size_t size) {
  return {static_cast<char*>(std::aligned_alloc(kBlock, size)), &std::free};
}

TEST_F(Contents, WhatIsWrittenIsReadOnBothSides) {
  const std::string data = pattern(3 * kMegabyte + 17);
  write_file(mounted("a"), data);
  EXPECT_EQ(read_file(mounted("a")), data);
  EXPECT_EQ(read_file(source("a")), data);
  EXPECT_EQ(status_of(mounted("a")).st_size, static_cast<off_t>(data.size()));
}

TEST_F(Contents, WritesInTheMiddleKeepTheRest) {
  std::string data = pattern(100'000);
  write_file(mounted("a"), data);
  const UniqueFd file = open_file(mounted("a"), O_RDWR);
  ASSERT_EQ(::pwrite(file.get(), "needle", 6, 50'001), 6);
  data.replace(50'001, 6, "needle");
  std::string found(data.size(), '\0');
  ASSERT_EQ(::pread(file.get(), found.data(), found.size(), 0), static_cast<ssize_t>(found.size()));
  EXPECT_EQ(found, data);
  EXPECT_EQ(read_file(source("a")), data);
}

TEST_F(Contents, ReadingEndsAtTheEnd) {
  write_file(source("a"), "0123456789");
  const UniqueFd file = open_file(mounted("a"), O_RDONLY);
  char piece[16];
  EXPECT_EQ(::pread(file.get(), piece, sizeof piece, 4), 6);
  EXPECT_EQ(::pread(file.get(), piece, sizeof piece, 10), 0);
  EXPECT_EQ(::pread(file.get(), piece, sizeof piece, 1'000'000), 0);
}

TEST_F(Contents, WritingPastTheEndLeavesZeros) {
  const UniqueFd file = open_file(mounted("a"), O_RDWR | O_CREAT);
  ASSERT_EQ(::pwrite(file.get(), "x", 1, 9'999), 1);
  EXPECT_EQ(read_file(mounted("a")), std::string(9'999, '\0') + "x");
}

TEST_F(Contents, AppendGoesToTheEndEvenAfterSomebodyElseWrote) {
  write_file(mounted("a"), "one ");
  const UniqueFd file = open_file(mounted("a"), O_WRONLY | O_APPEND);
  ASSERT_EQ(::write(file.get(), "two ", 4), 4);
  {
    const UniqueFd other = open_file(mounted("a"), O_WRONLY | O_APPEND);
    ASSERT_EQ(::write(other.get(), "three ", 6), 6);
  }
  ASSERT_EQ(::write(file.get(), "four", 4), 4);
  EXPECT_EQ(read_file(source("a")), "one two three four");
}

TEST_F(Contents, TruncateShortensAndLengthens) {
  write_file(mounted("a"), pattern(10'000));
  ASSERT_EQ(::truncate(mounted("a").c_str(), 5'000), 0);
  EXPECT_EQ(read_file(mounted("a")), pattern(10'000).substr(0, 5'000));
  const UniqueFd file = open_file(mounted("a"), O_RDWR);
  ASSERT_EQ(::ftruncate(file.get(), 8'000), 0);
  EXPECT_EQ(read_file(mounted("a")), pattern(10'000).substr(0, 5'000) + std::string(3'000, '\0'));
  EXPECT_EQ(::ftruncate(file.get(), -1), -1);
  EXPECT_EQ(errno, EINVAL);
}

TEST_F(Contents, OpeningWithTruncEmptiesTheFile) {
  write_file(mounted("a"), "something");
  const UniqueFd file = open_file(mounted("a"), O_WRONLY | O_TRUNC);
  EXPECT_EQ(status_of(source("a")).st_size, 0);
  EXPECT_EQ(read_file(mounted("a")), "");
}

TEST_F(Contents, ExclusiveCreationHappensOnce) {
  const UniqueFd file = open_file(mounted("a"), O_WRONLY | O_CREAT | O_EXCL);
  EXPECT_EQ(::open(mounted("a").c_str(), O_WRONLY | O_CREAT | O_EXCL, 0644), -1);
  EXPECT_EQ(errno, EEXIST);
}

TEST_F(Contents, CreatingReadOnlyStillWritesThroughThatHandle) {
  const UniqueFd file = open_file(mounted("a"), O_RDWR | O_CREAT | O_EXCL, 0444);
  EXPECT_EQ(::write(file.get(), "text", 4), 4);
  EXPECT_EQ(read_file(source("a")), "text");
}

TEST_F(Contents, DirectWritesAreReadBuffered) {
  const std::string data = pattern(kMegabyte);
  const auto memory = aligned(kMegabyte);
  data.copy(memory.get(), kMegabyte);
  const UniqueFd file = open_file(mounted("a"), O_WRONLY | O_CREAT | O_DIRECT);
  ASSERT_EQ(::pwrite(file.get(), memory.get(), kMegabyte, 0), static_cast<ssize_t>(kMegabyte));
  EXPECT_EQ(read_file(mounted("a")), data);
  EXPECT_EQ(read_file(source("a")), data);
}

TEST_F(Contents, DirectReadsSeeBufferedWrites) {
  const std::string data = pattern(kMegabyte, 7);
  write_file(mounted("a"), data);
  const auto memory = aligned(kMegabyte);
  const UniqueFd file = open_file(mounted("a"), O_RDONLY | O_DIRECT);
  ASSERT_EQ(::pread(file.get(), memory.get(), kMegabyte, 0), static_cast<ssize_t>(kMegabyte));
  EXPECT_EQ(std::string(memory.get(), kMegabyte), data);
  ASSERT_EQ(::pread(file.get(), memory.get(), kBlock, 3 * kBlock), static_cast<ssize_t>(kBlock));
  EXPECT_EQ(std::string(memory.get(), kBlock), data.substr(3 * kBlock, kBlock));
}

TEST_F(Contents, DirectReadEndsAtAnUnalignedEnd) {
  write_file(mounted("a"), pattern(kBlock + 100));
  const auto memory = aligned(2 * kBlock);
  const UniqueFd file = open_file(mounted("a"), O_RDONLY | O_DIRECT);
  ASSERT_EQ(::pread(file.get(), memory.get(), 2 * kBlock, 0), static_cast<ssize_t>(kBlock + 100));
  EXPECT_EQ(std::string(memory.get(), kBlock + 100), pattern(kBlock + 100));
}

TEST_F(Contents, UnalignedPlacesAreRefusedDirect) {
  const std::string bytes = pattern(64 * 1024);
  write_file(mounted("a"), bytes);
  const UniqueFd file = open_file(mounted("a"), O_RDWR | O_DIRECT);
  ASSERT_EQ(::fsync(file.get()), 0);
  const auto memory = aligned(kBlock);
  EXPECT_EQ(::pread(file.get(), memory.get(), kBlock, 1), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(::pwrite(file.get(), memory.get(), kBlock, 1), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(read_file(source("a")), bytes);
}

TEST_F(Contents, FsyncAndFdatasyncSucceed) {
  const UniqueFd file = open_file(mounted("a"), O_WRONLY | O_CREAT);
  ASSERT_EQ(::write(file.get(), "data", 4), 4);
  EXPECT_EQ(::fsync(file.get()), 0);
  EXPECT_EQ(::fdatasync(file.get()), 0);
  const UniqueFd folder = open_file(mounted(), O_RDONLY | O_DIRECTORY);
  EXPECT_EQ(::fsync(folder.get()), 0);
}

TEST_F(Contents, FallocateReservesPunchesAndZeroes) {
  write_file(mounted("a"), pattern(64 * 1024));
  const UniqueFd file = open_file(mounted("a"), O_RDWR);
  ASSERT_EQ(::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, 0, kMegabyte), 0);
  EXPECT_EQ(status_of(mounted("a")).st_size, 64 * 1024);
  EXPECT_GE(status_of(source("a")).st_blocks * 512, static_cast<blkcnt_t>(kMegabyte));
  ASSERT_EQ(::fallocate(file.get(), 0, 0, kMegabyte), 0);
  EXPECT_EQ(status_of(mounted("a")).st_size, static_cast<off_t>(kMegabyte));
  ASSERT_EQ(::fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 8'192, 4'096), 0);
  ASSERT_EQ(::fallocate(file.get(), FALLOC_FL_ZERO_RANGE, 16'384, 4'096), 0);
  std::string expected = pattern(64 * 1024) + std::string(kMegabyte - 64 * 1024, '\0');
  expected.replace(8'192, 4'096, 4'096, '\0').replace(16'384, 4'096, 4'096, '\0');
  EXPECT_EQ(read_file(mounted("a")), expected);
  EXPECT_EQ(read_file(source("a")), expected);
}

// The request to copy doesn't say how the files are open now.
TEST_F(Contents, CopiesBetweenFilesThatWereOpenedDirect) {
  const std::string bytes = pattern(64 * 1024);
  write_file(mounted("from"), bytes);
  const UniqueFd from = open_file(mounted("from"), O_RDONLY | O_DIRECT);
  const UniqueFd to = open_file(mounted("to"), O_RDWR | O_CREAT | O_DIRECT);
  for (const int file : {from.get(), to.get()})
    ASSERT_EQ(::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) & ~O_DIRECT), 0);
  off_t from_offset = 5'000, to_offset = 1;
  ASSERT_EQ(::copy_file_range(from.get(), &from_offset, to.get(), &to_offset, 10'001, 0), 10'001);
  EXPECT_EQ(read_file(mounted("to")), std::string(1, '\0') + bytes.substr(5'000, 10'001));
  EXPECT_EQ(read_file(source("to")), read_file(mounted("to")));
}

TEST_F(Contents, SeekFindsDataAndHoles) {
  const UniqueFd file = open_file(mounted("a"), O_RDWR | O_CREAT);
  ASSERT_EQ(::pwrite(file.get(), "a", 1, kMegabyte), 1);
  ASSERT_EQ(::ftruncate(file.get(), 2 * kMegabyte), 0);
  ASSERT_EQ(::fsync(file.get()), 0);  // delayed allocation settled
  const UniqueFd backing = open_file(source("a"), O_RDONLY);
  for (const int whence : {SEEK_DATA, SEEK_HOLE})
    for (const off_t from : {off_t{0}, off_t{kMegabyte}, off_t{kMegabyte + 100}, off_t{kMegabyte + 8'192}})
      EXPECT_EQ(::lseek(file.get(), from, whence), ::lseek(backing.get(), from, whence)) << whence << " " << from;
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_DATA), static_cast<off_t>(kMegabyte));
  EXPECT_EQ(::lseek(file.get(), kMegabyte, SEEK_HOLE), static_cast<off_t>(kMegabyte + kBlock));
  EXPECT_EQ(::lseek(file.get(), 3 * kMegabyte, SEEK_DATA), -1);
  EXPECT_EQ(errno, ENXIO);
}

TEST_F(Contents, SharedMappingWritesTheFile) {
  write_file(mounted("a"), std::string(3 * kBlock, 'a'));
  const UniqueFd file = open_file(mounted("a"), O_RDWR);
  void* memory = ::mmap(nullptr, 3 * kBlock, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  ASSERT_NE(memory, MAP_FAILED);
  static_cast<char*>(memory)[kBlock + 1] = 'b';
  EXPECT_EQ(::msync(memory, 3 * kBlock, MS_SYNC), 0);
  ::munmap(memory, 3 * kBlock);
  std::string expected(3 * kBlock, 'a');
  expected[kBlock + 1] = 'b';
  EXPECT_EQ(read_file(source("a")), expected);
  EXPECT_EQ(read_file(mounted("a")), expected);
}

TEST_F(Contents, SharedMappingAndWriteSeeEachOther) {
  write_file(mounted("a"), std::string(kBlock, 'a'));
  const UniqueFd file = open_file(mounted("a"), O_RDWR);
  void* memory = ::mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* bytes = static_cast<volatile char*>(memory);
  EXPECT_EQ(bytes[5], 'a');
  ASSERT_EQ(::pwrite(file.get(), "w", 1, 5), 1);
  EXPECT_EQ(bytes[5], 'w');
  bytes[6] = 'm';
  char read = 0;
  ASSERT_EQ(::pread(file.get(), &read, 1, 6), 1);
  EXPECT_EQ(read, 'm');
  ::munmap(memory, kBlock);
}

TEST_F(Contents, PrivateMappingStaysPrivate) {
  write_file(mounted("a"), std::string(kBlock, 'a'));
  const UniqueFd file = open_file(mounted("a"), O_RDONLY);
  void* memory = ::mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.get(), 0);
  ASSERT_NE(memory, MAP_FAILED);
  static_cast<char*>(memory)[0] = 'b';
  EXPECT_EQ(static_cast<char*>(memory)[1], 'a');
  ::munmap(memory, kBlock);
  EXPECT_EQ(read_file(mounted("a")), std::string(kBlock, 'a'));
}

TEST_F(Contents, UnlinkedFilesLiveWhileOpen) {
  const UniqueFd file = open_file(mounted("a"), O_RDWR | O_CREAT);
  ASSERT_EQ(::write(file.get(), "before", 6), 6);
  ASSERT_EQ(::unlink(mounted("a").c_str()), 0);
  EXPECT_FALSE(std::filesystem::exists(source("a")));
  ASSERT_EQ(::write(file.get(), " after", 6), 6);
  ASSERT_EQ(::ftruncate(file.get(), 9), 0);
  ASSERT_EQ(::fchmod(file.get(), 0600), 0);
  char piece[16] = {};
  EXPECT_EQ(::pread(file.get(), piece, sizeof piece, 0), 9);
  EXPECT_STREQ(piece, "before af");
  struct stat status {};
  ASSERT_EQ(::fstat(file.get(), &status), 0);
  EXPECT_EQ(status.st_nlink, 0u);
  EXPECT_EQ(status.st_size, 9);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
}

}  // namespace
}  // namespace fairfs::test
