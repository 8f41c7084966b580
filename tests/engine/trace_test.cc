#include "sched/engine/trace.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "sched/engine/flow.h"
#include "tests/engine/engine_fixture.h"

namespace fairfs::test {
namespace {

using engine::TracedRequest;
using engine::TraceReason;

std::vector<TracedRequest> fetch(const engine::Engine& engine, engine::TraceBuffer& buffer, std::uint64_t& lost) {
  return engine.traced(buffer, 100, lost);
}

TEST_F(EngineTest, ATraceHasEachRequestThatEndedSinceItBegan) {
  engine::Engine& engine = start(1);
  std::uint64_t lost = 0;
  submit(kHeavy);
  engine.drain();
  const auto trace = engine.trace();
  engine.hold(true);
  submit(kHeavy);
  submit(kLight, [] { return -EIO; });
  engine.drain();
  const std::vector<TracedRequest> seen = fetch(engine, *trace, lost);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(lost, 0u);
  const bool heavy_first = seen[0].pid == kHeavy;
  const TracedRequest &heavy = seen[heavy_first ? 0 : 1], &light = seen[heavy_first ? 1 : 0];
  EXPECT_EQ(heavy.flow, "heavy[101]");
  EXPECT_EQ(heavy.command, "heavy");
  EXPECT_EQ(heavy.bytes, 4096u);
  EXPECT_EQ(heavy.result, 4096);
  EXPECT_EQ(light.result, -EIO);
  EXPECT_EQ(seen[0].reason, TraceReason::share) << "another one waited";
  EXPECT_EQ(seen[1].reason, TraceReason::alone) << "the last one";
  EXPECT_TRUE(fetch(engine, *trace, lost).empty());
}

TEST_F(EngineTest, TracesAreIndependentAndEndWithTheirHolders) {
  engine::Engine& engine = start(1);
  std::uint64_t lost = 0;
  auto first = engine.trace();
  const auto second = engine.trace();
  submit(kHeavy);
  engine.drain();
  EXPECT_EQ(fetch(engine, *first, lost).size(), 1u);
  first.reset();
  submit(kHeavy);
  engine.drain();
  EXPECT_EQ(fetch(engine, *second, lost).size(), 2u);
}

TEST(TraceBuffer, TheOldestAreLostAndCounted) {
  engine::TraceBuffer buffer;
  const auto flow = std::make_shared<engine::Flow>(1, "leaf");
  for (std::size_t i = 0; i < engine::TraceBuffer::kMost + 3; ++i) {
    TracedRequest request;
    request.offset = i;
    buffer.add({flow, request});
  }
  EXPECT_EQ(buffer.lost(), 3u);
  const auto taken = buffer.take(2);
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0].request.offset, 3u);
  EXPECT_EQ(taken[1].request.offset, 4u);
  EXPECT_EQ(buffer.take(1'000'000).size(), engine::TraceBuffer::kMost - 2);
}

TEST_F(EngineTest, WithoutSchedulingNothingDecides) {
  folder_.write("unused", "");
  proc_ = folder_.path("proc");
  engine::EngineConfig config;
  config.scheduler.policy = sched::Policy::off;
  config.proc = proc_.c_str();
  engine_ = std::make_unique<engine::Engine>(std::move(config));
  const auto trace = engine_->trace();
  submit(kHeavy);
  engine_->drain();
  std::uint64_t lost = 0;
  const auto seen = fetch(*engine_, *trace, lost);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].reason, TraceReason::unscheduled);
}

TEST_F(EngineTest, ExplainsWhatARuleAndTheLevelsMake) {
  engine::WeightRule rule = weigh("heavy", 300);
  rule.line = 7;
  engine::WeightRule below;  // no weight: limits alone
  below.cgroup = "/heavy";
  below.weighs = false;
  below.limits.max_iops = 300;
  below.line = 9;
  engine::Engine& engine = start(1, engine::Grouping::cgroup, {rule, below});
  submit(kHeavy);
  engine.drain();
  const engine::Explanation heavy = engine.explain(kHeavy), light = engine.explain(kLight),
                            nobody = engine.explain(999);
  EXPECT_EQ(heavy.process.command, "heavy");
  EXPECT_EQ(heavy.unscaled, 300);
  ASSERT_TRUE(heavy.weight_origin.rule);
  EXPECT_EQ(heavy.weight_origin.rule->line, 7u);
  ASSERT_EQ(heavy.levels.size(), 2u);
  EXPECT_EQ(heavy.levels[0].cgroup, "/heavy");
  EXPECT_EQ(heavy.levels[0].origin.kind, engine::Origin::Kind::default_weight);
  EXPECT_EQ(heavy.levels[1].origin.kind, engine::Origin::Kind::fixed);
  EXPECT_EQ(heavy.levels[0].limits.max_iops, 300u);
  ASSERT_TRUE(heavy.levels[0].limits_origin.rule);
  EXPECT_EQ(heavy.levels[0].limits_origin.rule->line, 9u);
  EXPECT_FALSE(heavy.limits.any());
  EXPECT_EQ(heavy.flows.size(), 1u);
  EXPECT_EQ(light.weight_origin.kind, engine::Origin::Kind::default_weight);
  EXPECT_EQ(light.class_origin.kind, engine::Origin::Kind::priority);
  EXPECT_TRUE(light.flows.empty()) << "it has asked for nothing";
  EXPECT_EQ(nobody.process.kind, engine::Process::Kind::unknown);
}

}  // namespace
}  // namespace fairfs::test
