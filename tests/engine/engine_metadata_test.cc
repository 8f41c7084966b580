#include <gtest/gtest.h>

#include "tests/engine/engine_fixture.h"

namespace fairfs::test {
namespace {

// Held, so that heavy wants the disk for as long as the test looks.
TEST_F(EngineTest, LookUpsOfWhoeverOwesWaitAndNobodyElses) {
  engine::Engine& engine = start(1);
  engine.hold(true);
  submit(kHeavy);
  EXPECT_EQ(engine.metadata_delay({kLight}), 0ms);
  engine.charge_metadata({kLight}, 200ms);
  const sched::Duration delay = engine.metadata_delay({kLight});
  EXPECT_GT(delay, 0ms);
  EXPECT_LE(delay, 50ms);
  EXPECT_EQ(engine.metadata_delay({kHeavy}), 0ms);
  // 200 ms over the default profile's 8 at once.
  const engine::Snapshot snapshot = engine.snapshot();
  for (const engine::FlowReading& flow : snapshot.flows) {
    EXPECT_EQ(flow.counters.device_time, flow.name == "light[102]" ? 25ms : 0ms) << flow.name;
  }
  EXPECT_TRUE(eventually([&] { return engine.metadata_delay({kLight}) == 0ms; }));
}

TEST_F(EngineTest, AloneLookUpsAreFree) {
  engine::Engine& engine = start(1);
  engine.charge_metadata({kLight}, 200ms);
  EXPECT_EQ(engine.metadata_delay({kLight}), 0ms);
}

}  // namespace
}  // namespace fairfs::test
