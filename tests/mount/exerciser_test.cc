// One file, every way to read and change it in random order, against a model in memory. FAIRFS_SECONDS makes it longer,
// FAIRFS_SEED repeats it.

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

#include "tests/mount/mount.h"
#include "tests/sim/seed.h"

namespace fairfs::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kSizeMax = 512 * 1024;
constexpr std::size_t kPage = 4096;
constexpr int kCheckEvery = 50;  // operations between two looks at the whole file

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::strtoull(value, nullptr, 10) : otherwise;
}

class Exerciser : public MountTest {
 protected:
  void TearDown() override {
    file_.reset();
    direct_.reset();
    MountTest::TearDown();
  }

  void open() { file_ = open_file(mounted("file"), O_RDWR | O_CREAT); }
  void open_direct() { direct_ = open_file(mounted("file"), O_RDWR | O_DIRECT); }

  std::size_t place() { return random_.between(0, kSizeMax - 1); }
  std::size_t length_from(std::size_t offset, std::size_t end) {
    return end <= offset ? 0 : random_.between(1, std::min<std::size_t>(end - offset, 80 * 1024));
  }
  std::string bytes(std::size_t size) { return pattern(size, static_cast<unsigned>(random_.between(1, 1U << 30U))); }
  void put(std::size_t offset, const std::string& data) {
    if (model_.size() < offset + data.size()) model_.resize(offset + data.size());
    model_.replace(offset, data.size(), data);
  }
  std::string expected(std::size_t offset, std::size_t size) {
    return offset >= model_.size() ? std::string{} : model_.substr(offset, size);
  }

  void write() {
    const std::size_t offset = place();
    const std::string data = bytes(length_from(offset, kSizeMax));
    ASSERT_EQ(::pwrite(file_.get(), data.data(), data.size(), static_cast<off_t>(offset)),
              static_cast<ssize_t>(data.size()));
    put(offset, data);
  }
  void append() {
    if (model_.size() >= kSizeMax) return;
    const UniqueFd end = open_file(mounted("file"), O_WRONLY | O_APPEND);
    const std::string data = bytes(length_from(model_.size(), kSizeMax));
    ASSERT_EQ(::write(end.get(), data.data(), data.size()), static_cast<ssize_t>(data.size()));
    put(model_.size(), data);
  }
  void read() {
    const std::size_t offset = place(), size = length_from(offset, kSizeMax);
    std::string found(size, '\0');
    const ssize_t count = ::pread(file_.get(), found.data(), size, static_cast<off_t>(offset));
    ASSERT_GE(count, 0);
    ASSERT_TRUE(found.substr(0, static_cast<std::size_t>(count)) == expected(offset, size));
  }
  void write_direct() {
    const std::size_t offset = place() / kPage * kPage, pages = random_.between(1, 16);
    const std::string data = bytes(std::min(pages * kPage, kSizeMax - offset));
    data.copy(memory_.get(), data.size());
    ASSERT_EQ(::pwrite(direct_.get(), memory_.get(), data.size(), static_cast<off_t>(offset)),
              static_cast<ssize_t>(data.size()));
    put(offset, data);
  }
  void read_direct() {
    const std::size_t offset = place() / kPage * kPage, size = random_.between(1, 16) * kPage;
    const ssize_t count = ::pread(direct_.get(), memory_.get(), size, static_cast<off_t>(offset));
    ASSERT_GE(count, 0);
    ASSERT_TRUE(std::string(memory_.get(), static_cast<std::size_t>(count)) == expected(offset, size));
  }
  void truncate() {
    const std::size_t size = place();
    ASSERT_EQ(::ftruncate(file_.get(), static_cast<off_t>(size)), 0);
    model_.resize(size);
  }
  void map(bool writes) {
    if (model_.empty()) return;
    const std::size_t offset = random_.between(0, model_.size() - 1) / kPage * kPage;
    const std::size_t size = length_from(offset, model_.size());
    void* const memory = ::mmap(nullptr, size, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file_.get(),
                                static_cast<off_t>(offset));
    ASSERT_NE(memory, MAP_FAILED);
    if (writes) {
      const std::string data = bytes(size);
      std::memcpy(memory, data.data(), size);
      put(offset, data);
      if (random_.chance(50)) {
        EXPECT_EQ(::msync(memory, size, MS_SYNC), 0);
      }
    } else {
      EXPECT_EQ(std::memcmp(memory, model_.data() + offset, size), 0);
    }
    ::munmap(memory, size);
    ASSERT_FALSE(HasFailure());
  }
  void clear(int mode) {
    const std::size_t offset = place(), size = length_from(offset, kSizeMax);
    const bool keeps_size = (mode & FALLOC_FL_KEEP_SIZE) != 0;
    ASSERT_EQ(::fallocate(file_.get(), mode, static_cast<off_t>(offset), static_cast<off_t>(size)), 0);
    const std::size_t end = keeps_size ? std::min(offset + size, model_.size()) : offset + size;
    const bool zeroes = (mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) != 0;
    if (end > model_.size()) model_.resize(end);
    if (zeroes && end > offset) put(offset, std::string(end - offset, '\0'));
  }
  void collapse() {
    if (native()) return;
    ASSERT_EQ(::fallocate(file_.get(), FALLOC_FL_COLLAPSE_RANGE, 0, kPage), -1);
    ASSERT_EQ(errno, EOPNOTSUPP);  // the kernel lets no FUSE filesystem do it
  }
  void copy() {
    const std::size_t from = place(), to = place();
    const std::size_t size = std::min(length_from(from, model_.size()), from < to ? to - from : from - to);
    if (size == 0 || to + size > kSizeMax) return;
    off_t from_offset = static_cast<off_t>(from), to_offset = static_cast<off_t>(to);
    for (std::size_t done = 0; done < size;) {
      const ssize_t count = ::copy_file_range(file_.get(), &from_offset, file_.get(), &to_offset, size - done, 0);
      ASSERT_GT(count, 0);
      done += static_cast<std::size_t>(count);
    }
    put(to, model_.substr(from, size));
  }
  void reopen() {
    file_.reset();
    direct_.reset();
    open();
    open_direct();
  }
  void forget_pages() {
    ASSERT_EQ(::fsync(file_.get()), 0);
    ::posix_fadvise(file_.get(), 0, 0, POSIX_FADV_DONTNEED);
    const UniqueFd backing = open_file(source("file"), O_RDONLY);
    ::posix_fadvise(backing.get(), 0, 0, POSIX_FADV_DONTNEED);
  }
  /// Both sides, byte for byte; on the backing side once the mapped pages are written.
  void check() {
    ASSERT_TRUE(read_file(mounted("file")) == model_);
    ASSERT_EQ(::fsync(file_.get()), 0);
    ASSERT_TRUE(read_file(source("file")) == model_);
    ASSERT_EQ(status_of(mounted("file")).st_size, static_cast<off_t>(model_.size()));
  }

  void step() {
    switch (random_.between(0, 13)) {
      case 0:
      case 1:
        return write();
      case 2:
        return append();
      case 3:
        return read();
      case 4:
        return write_direct();
      case 5:
        return read_direct();
      case 6:
        return truncate();
      case 7:
        return map(true);
      case 8:
        return map(false);
      case 9:
        return clear(FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE);
      case 10:
        return clear(random_.chance(50) ? FALLOC_FL_ZERO_RANGE : 0);
      case 11:
        return copy();
      case 12:
        return random_.chance(50) ? reopen() : forget_pages();
      default:
        return collapse();
    }
  }

  Random random_{Seed{1}};
  std::string model_;
  UniqueFd file_, direct_;
  std::unique_ptr<char, decltype(&std::free)> memory_{static_cast<char*>(std::aligned_alloc(kPage, 16 * kPage)),
                                                      &std::free};
};

TEST_F(Exerciser, OneFileAgainstAModel) {
  const std::uint64_t seed = number_from("FAIRFS_SEED", std::random_device{}());
  std::printf("FAIRFS_SEED=%llu\n", static_cast<unsigned long long>(seed));
  random_ = Random{Seed{seed}};
  open();
  open_direct();
  const auto end = Clock::now() + std::chrono::seconds{number_from("FAIRFS_SECONDS", 20)};
  std::uint64_t operations = 0;
  while (Clock::now() < end) {
    ++operations;
    step();
    if (!HasFatalFailure() && operations % kCheckEvery == 0) check();
    ASSERT_FALSE(HasFatalFailure()) << "FAIRFS_SEED=" << seed << ", operation " << operations;
  }
  check();
  std::printf("%llu operations\n", static_cast<unsigned long long>(operations));
}

}  // namespace
}  // namespace fairfs::test
