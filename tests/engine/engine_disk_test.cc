#include <fcntl.h>
#include <gtest/gtest.h>
#include <libaio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "sched/engine/file.h"
#include "tests/engine/engine_fixture.h"

namespace fairfs::test {
namespace {

constexpr std::size_t kBlock = 4096;

/// Reads one block of a file, by libaio if asked to.
class ReadJob final : public TestJob {
 public:
  ReadJob(Record& record, pid_t thread, int fd, std::uint64_t block, std::atomic<int>& prepared)
      : TestJob(record, thread, [this] { return read_block(); }),
        fd_(fd),
        prepared_(prepared),
        buffer_(static_cast<char*>(std::aligned_alloc(kBlock, kBlock)), &std::free) {
    offset = block * kBlock;
  }
  bool prepare(iocb& block) noexcept override {
    ++prepared_;
    io_prep_pread(&block, fd_, buffer_.get(), kBlock, static_cast<long long>(offset));
    return true;
  }
  void finish(ssize_t result) noexcept override {
    // Each block of the file is filled with its number.
    const bool right = result == static_cast<ssize_t>(kBlock) && buffer_.get()[0] == static_cast<char>(offset / kBlock);
    record_.answered(caller.thread, result < 0 ? result : right ? 1 : 0);
  }

 private:
  ssize_t read_block() {
    const ssize_t got = ::pread(fd_, buffer_.get(), kBlock, static_cast<off_t>(offset));
    return got < 0 ? -errno : got;
  }
  const int fd_;
  std::atomic<int>& prepared_;
  const std::unique_ptr<char, decltype(&std::free)> buffer_;
};

class EngineDisk : public EngineTest {
 protected:
  static constexpr int kBlocks = 64;
  void SetUp() override {
    std::string text;
    for (int i = 0; i < kBlocks; ++i) text.append(kBlock, static_cast<char>(i));
    folder_.write("file", text);
    file_ = engine::FileDescriptor{::open(folder_.path("file").c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC)};
    if (!file_) GTEST_SKIP() << "no O_DIRECT on the temporary folder's filesystem";
  }
  void submit_reads(int fd) {
    for (int i = 0; i < kBlocks; ++i)
      engine_->submit(std::make_unique<ReadJob>(record_, kHeavy, fd, static_cast<std::uint64_t>(i), prepared_));
  }
  engine::FileDescriptor file_;
  std::atomic<int> prepared_{0};
};

TEST_F(EngineDisk, PreparedJobsGoToLibaioAndNoThreadRunsThem) {
  engine::Engine& engine = start(8);
  submit_reads(file_.get());
  engine.run();
  engine.drain();
  EXPECT_EQ(prepared_, kBlocks);
  EXPECT_TRUE(record_.order().empty());
  ASSERT_EQ(record_.answers().size(), static_cast<std::size_t>(kBlocks));
  for (const Record::Answer& answer : record_.answers()) EXPECT_EQ(answer.result, 1);
}

TEST_F(EngineDisk, AloneAJobIsRunHereInstead) {
  engine::Engine& engine = start(8);
  engine.submit(std::make_unique<ReadJob>(record_, kHeavy, file_.get(), 5, prepared_));
  engine.run();
  EXPECT_EQ(prepared_, 0);
  ASSERT_EQ(record_.threads().size(), 1u);
  EXPECT_EQ(record_.threads().at(0), std::this_thread::get_id());
  EXPECT_EQ(record_.answers().at(0).result, 1);
}

TEST_F(EngineDisk, WhatLibaioRefusesIsRunByAThread) {
  engine::Engine& engine = start(8);
  submit_reads(-1);
  engine.kick();
  engine.drain();
  EXPECT_EQ(prepared_, kBlocks);
  EXPECT_EQ(record_.order().size(), static_cast<std::size_t>(kBlocks));
  for (const Record::Answer& answer : record_.answers()) EXPECT_EQ(answer.result, -EBADF);
}

TEST_F(EngineDisk, HeldReadsReachNobody) {
  engine::Engine& engine = start(8);
  engine.hold(true);
  submit_reads(file_.get());
  engine.run();
  EXPECT_EQ(prepared_, 0);
  engine.hold(false);
  engine.drain();
  EXPECT_EQ(record_.answers().size(), static_cast<std::size_t>(kBlocks));
}

}  // namespace
}  // namespace fairfs::test
