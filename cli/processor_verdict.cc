#include "cli/processor_verdict.h"

#include <chrono>
#include <cstddef>

#include "cli/weights_verdict.h"

namespace fairfs::cli {
namespace {

/// A flow with something waiting or in the disk for less of the time is no rival of anybody.
constexpr double kActive = 0.1;
/// Less than this part of what the disk could have at once is far from full, whatever the error of the counts.
constexpr double kHalf = 0.5;

}  // namespace

bool processors_are_the_limit(const engine::Snapshot& before, const engine::Snapshot& after, const MachineLoad& load) {
  const std::chrono::duration<double> interval = after.taken - before.taken;
  if (load.processor_use < kProcessorsFull || interval.count() <= 0) return false;
  const auto part = [&](sched::Duration time) { return std::chrono::duration<double>(time) / interval; };
  const auto earlier = earlier_readings(before, after);
  const sched::FlowCounters nothing;
  std::size_t active = 0, backlogged = 0;
  for (std::size_t i = 0; i < after.flows.size(); ++i) {
    const sched::FlowCounters &then = earlier[i] != nullptr ? earlier[i]->counters : nothing,
                              &now = after.flows[i].counters;
    active += part(now.active - then.active) >= kActive ? 1U : 0U;
    backlogged += part(now.backlogged - then.backlogged) >= kBacklogged ? 1U : 0U;
  }
  if (active < 2) return false;
  // Without the kernel's count, ours at two moments: it also has what is done and waits for a processor to be seen.
  const double in_disk = load.disk_queue.value_or((before.in_flight + after.in_flight) / 2.0);
  // Nobody has more to ask for than what is in the disk: then it is full when each has a request there.
  return in_disk < kHalf * static_cast<double>(backlogged > 0 ? after.depth : active);
}

}  // namespace fairfs::cli
