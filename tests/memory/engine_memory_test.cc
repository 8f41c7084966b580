// An engine whose memory runs out at any one place: whoever is refused is told so, everybody else is answered once, and
// afterwards all is as if nothing had been.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <vector>

#include "tests/engine/engine_fixture.h"
#include "tests/memory/shortage.h"

namespace fairfs::test {
namespace {

/// What became of one job.
struct Fate {
  bool accepted = false;
  std::atomic<int> answers{0};
};

class PlainJob final : public engine::Job {
 public:
  PlainJob(Fate& fate, pid_t thread, sched::Operation what, std::uint64_t where) : fate_(fate) {
    caller.thread = thread;
    operation = what;
    offset = where;
    bytes = 4096;
  }
  ssize_t run() noexcept override { return 4096; }
  void finish(ssize_t) noexcept override { ++fate_.answers; }

 private:
  Fate& fate_;
};

class EngineWithoutMemory : public EngineTest {
 protected:
  static constexpr std::array<pid_t, 6> kCallers{kHeavy, kLight, 103, 104, 105, 106};
  static constexpr int kJobs = 60;
  static constexpr std::size_t kAtOnce = 16;

  EngineWithoutMemory() {
    for (const pid_t caller : {103, 104, 105, 106})
      process(caller, "p" + std::to_string(caller), "/deep/group" + std::to_string(caller % 2) + "/leaf");
  }

  engine::Engine& start_with_rules() {
    engine::WeightRule ceiling;
    ceiling.command = "light";
    ceiling.limits.max_iops = 1'000'000;
    engine::WeightRule floor;
    floor.cgroup = "/deep/*";
    floor.limits.min_read = 1 << 20;
    return start(2, engine::Grouping::cgroup, {ceiling, floor});
  }
  std::vector<std::unique_ptr<engine::Job>> jobs_for(std::vector<Fate>& fates) {
    std::vector<std::unique_ptr<engine::Job>> jobs;
    for (std::size_t i = 0; i < fates.size(); ++i) {
      const auto what = i % 7 == 3 ? sched::Operation::sync : sched::Operation::read;
      jobs.push_back(std::make_unique<PlainJob>(fates[i], kCallers[i % kCallers.size()], what, i << 30));
    }
    return jobs;
  }
  static void submit_all(engine::Engine& engine, std::vector<std::unique_ptr<engine::Job>>& jobs,
                         std::vector<Fate>& fates, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      try {
        engine.submit(std::move(jobs[i]));
        fates[i].accepted = true;
      } catch (const std::bad_alloc&) {
      }
    }
  }
  /// All that a mount asks of an engine, once.
  static void work(engine::Engine& engine, std::vector<std::unique_ptr<engine::Job>>& jobs, std::vector<Fate>& fates) {
    const auto if_possible = [](const auto& call) {
      try {
        call();
      } catch (const std::bad_alloc&) {
      }
    };
    submit_all(engine, jobs, fates, 0, 1);
    engine.run();  // alone
    submit_all(engine, jobs, fates, 1, 10);
    engine.kick();
    for (const pid_t caller : kCallers) {
      if_possible([&] { engine.count({caller, 0, 0}, engine::Event::metadata); });
      if_possible([&] { engine.charge_metadata({caller, 0, 0}, 20ms); });
      if_possible([&] { (void)engine.metadata_delay({caller, 0, 0}); });
      if_possible([&] { (void)engine.count_write({caller, 0, 0}, 4096); });
    }
    engine.hold(true);
    submit_all(engine, jobs, fates, 10, jobs.size());
    if_possible([&] { (void)engine.snapshot(); });
    if_possible([&] { (void)engine.last_second(); });
    if_possible([&] { (void)engine.explain(kHeavy); });
    engine.hold(false);
    engine.run();
    engine.drain();
  }
  /// True: something failed.
  bool fail_after(long allocations, Shortage::Kind kind) {
    engine::Engine& engine = start_with_rules();
    std::vector<Fate> fates(kJobs);
    auto jobs = jobs_for(fates);
    const auto watched = engine.trace();
    Shortage shortage{allocations, kind};
    work(engine, jobs, fates);
    shortage.end();
    const bool failed = Shortage::failed() != 0;

    std::uint64_t accepted = 0;
    for (std::size_t i = 0; i < fates.size(); ++i) {
      EXPECT_EQ(fates[i].answers, fates[i].accepted ? 1 : 0) << "job " << i << " after " << allocations;
      if (fates[i].accepted) ++accepted;
    }
    const std::size_t refused_most = kind == Shortage::Kind::passing ? 1 : fates.size();
    EXPECT_GE(accepted + refused_most, fates.size()) << "one failed and takes others along";
    expect_good_as_new(engine, accepted);
    done_.push_back(std::move(engine_));
    if (done_.size() == kAtOnce) end_all();
    return failed;
  }
  /// The kernel takes some 50 ms for the end of an engine's libaio context, and no longer for many at once.
  void end_all() {
    std::vector<std::thread> threads;
    for (auto& engine : done_) threads.emplace_back([&engine] { engine.reset(); });
    for (std::thread& thread : threads) thread.join();
    done_.clear();
  }
  void expect_good_as_new(engine::Engine& engine, std::uint64_t accepted) {
    std::vector<Fate> later(kCallers.size());
    auto jobs = jobs_for(later);
    submit_all(engine, jobs, later, 0, jobs.size());
    engine.drain();
    for (const Fate& fate : later) EXPECT_EQ(fate.answers, 1);
    const engine::Snapshot now = engine.snapshot();
    EXPECT_EQ(now.queued, 0u);
    EXPECT_EQ(now.in_flight, 0u);
    EXPECT_EQ(now.decisions, accepted + later.size());
    std::uint64_t done = 0;
    for (const engine::FlowReading& flow : now.flows) {
      EXPECT_EQ(flow.queued + flow.in_flight, 0u) << flow.name;
      done += flow.counters.reads + flow.counters.syncs;
    }
    EXPECT_EQ(done, accepted + later.size());
    EXPECT_EQ(now.flows.size(), kCallers.size());
  }
  void fail_at_each(Shortage::Kind kind) {
    long count = 0;
    while (fail_after(count, kind) && !HasFailure()) ++count;
    EXPECT_GT(count, 100) << "or nothing was tried";
    end_all();
    RecordProperty("allocations", static_cast<int>(count));
  }

 private:
  std::vector<std::unique_ptr<engine::Engine>> done_;
};

TEST_F(EngineWithoutMemory, AnAllocationThatFailsCostsOneRequest) { fail_at_each(Shortage::Kind::passing); }

TEST_F(EngineWithoutMemory, AllThatFailFromOneOnCostNoneThatWasAccepted) { fail_at_each(Shortage::Kind::lasting); }

TEST_F(EngineWithoutMemory, TheHousekeeperGoesOn) {
  engine::Engine& engine = start_with_rules();
  submit(kHeavy);
  engine.run();
  Shortage shortage{0, Shortage::Kind::lasting};
  const bool met = eventually([] { return Shortage::failed() > 3; });
  shortage.end();
  EXPECT_TRUE(met);
  const auto taken = [&] { return engine.last_second().second->taken; };
  const sched::Time before = taken();
  EXPECT_TRUE(eventually([&] { return taken() > before; }));
}

}  // namespace
}  // namespace fairfs::test
