#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "tests/engine/engine_fixture.h"

namespace fairfs::test {
namespace {

class KilledCaller : public EngineTest {
 protected:
  void SetUp() override {
    engine_ = std::make_unique<engine::Engine>(engine::EngineConfig{});  // over the real /proc
    child_ = ::fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0)
      for (;;) ::pause();
  }
  void TearDown() override {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  pid_t child_ = -1;
};

TEST_F(KilledCaller, IsAnsweredWhileOthersGoOnWaiting) {
  engine_->hold(true);
  for (int i = 0; i < 3; ++i) {
    submit(child_);
    submit(::gettid());
  }
  const auto killed = std::chrono::steady_clock::now();
  ASSERT_EQ(::kill(child_, SIGKILL), 0);
  ASSERT_TRUE(record_.wait_for_answers(3));
  // Two rounds of 50 ms after it is old enough; the rest is for a loaded machine.
  EXPECT_LT(std::chrono::steady_clock::now() - killed, 1s);
  for (const Record::Answer& answer : record_.answers()) {
    EXPECT_EQ(answer.thread, child_);
    EXPECT_EQ(answer.result, -EINTR);
  }
  EXPECT_EQ(engine_->snapshot().queued, 3u);
  engine_->hold(false);
  engine_->drain();
  ASSERT_EQ(record_.answers().size(), 6u);
  EXPECT_EQ(record_.answers().back().result, 4096);
  EXPECT_EQ(record_.order(), std::vector<pid_t>(3, ::gettid()));
}

TEST_F(KilledCaller, OtherSignalsChangeNothing) {
  engine_->hold(true);
  submit(child_);
  ASSERT_EQ(::kill(child_, SIGSTOP), 0);
  ASSERT_EQ(::waitpid(child_, nullptr, WUNTRACED), child_);
  ASSERT_EQ(::kill(child_, SIGTERM), 0);  // pending as long as the child is stopped
  // A second caller, killed later and answered, proves that the housekeeper looked at the first one too.
  const pid_t witness = ::fork();
  ASSERT_GE(witness, 0);
  if (witness == 0)
    for (;;) ::pause();
  submit(witness);
  ASSERT_EQ(::kill(witness, SIGKILL), 0);
  ASSERT_TRUE(record_.wait_for_answers(1));
  ASSERT_EQ(::waitpid(witness, nullptr, 0), witness);
  EXPECT_EQ(record_.answers().at(0).thread, witness);
  engine_->hold(false);
  engine_->drain();
  EXPECT_EQ(record_.answers().at(1).result, 4096);
}

TEST_F(KilledCaller, ManyWaitingThreadsAreAllFound) {
  engine_.reset();
  engine::Engine& engine = start(4);
  constexpr pid_t kFirst = 1000, kCallers = 1500;  // more than one round looks at
  engine.hold(true);
  for (pid_t pid = kFirst; pid < kFirst + kCallers; ++pid) {
    process(pid, "many", "/");
    submit(pid);
  }
  for (pid_t pid = kFirst; pid < kFirst + kCallers; ++pid)
    std::filesystem::remove_all(folder_.path("proc/" + std::to_string(pid)));
  EXPECT_TRUE(record_.wait_for_answers(kCallers));
  EXPECT_EQ(engine.snapshot().queued, 0u);
}

}  // namespace
}  // namespace fairfs::test
