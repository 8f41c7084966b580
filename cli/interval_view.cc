#include "cli/interval_view.h"

#include <algorithm>

#include "cli/text.h"

namespace fairfs::cli {
namespace {

using engine::FlowReading;
using engine::Snapshot;
using sched::Duration;
using sched::FlowCounters;

double to_seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }
double to_us(Duration duration) { return std::chrono::duration<double, std::micro>(duration).count(); }

/// 0 of nothing is nothing.
double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

FlowView describe(const FlowReading& flow) {
  FlowView result;
  result.key = flow.key;
  result.name = flow.name;
  result.command = flow.command;
  result.pid = flow.pid;
  result.cgroup = flow.cgroup;
  result.uid = flow.uid;
  result.group = flow.group;
  result.weight = flow.weight;
  result.service = flow.service;
  result.ended = flow.ended;
  result.overridden = flow.overridden;
  result.share_due = flow.share_due;
  result.queued = flow.queued;
  result.in_flight = flow.in_flight;
  result.dirty_bytes = flow.dirty_bytes;
  result.writing_bytes = flow.writing_bytes;
  return result;
}

void add_rates(FlowView& result, const FlowCounters& before, const FlowCounters& after, double interval_s) {
  const auto rate = [&](std::uint64_t FlowCounters::*counter) {
    return ratio(static_cast<double>(after.*counter - before.*counter), interval_s);
  };
  result.read_bytes_per_s = rate(&FlowCounters::read_bytes);
  result.write_bytes_per_s = rate(&FlowCounters::write_bytes);
  result.reads_per_s = rate(&FlowCounters::reads);
  result.writes_per_s = rate(&FlowCounters::writes);
  result.written_behind_bytes_per_s = rate(&FlowCounters::written_behind);
  result.throttled = ratio(to_seconds(after.throttled - before.throttled), interval_s);
  result.starved = std::clamp(ratio(to_seconds(after.starved - before.starved), interval_s), 0.0, 1.0);
  result.fsyncs_per_s = rate(&FlowCounters::syncs);
  result.cached_per_s = rate(&FlowCounters::cached);
  result.metadata_per_s = rate(&FlowCounters::metadata);
}

void add_latencies(FlowView& result, const FlowCounters& before, const FlowCounters& after) {
  const auto wait = after.wait.since(before.wait), service = after.service.since(before.service);
  const auto sync = after.sync.since(before.sync);
  result.fsync_us_p50 = to_us(sync.percentile(0.5));
  result.fsync_us_p99 = to_us(sync.percentile(0.99));
  result.fsync_us_max = to_us(sync.percentile(1));
  result.wait_us_p50 = to_us(wait.percentile(0.5));
  result.wait_us_p99 = to_us(wait.percentile(0.99));
  result.service_us_p50 = to_us(service.percentile(0.5));
  result.service_us_p99 = to_us(service.percentile(0.99));
}

}  // namespace

std::string label_of(const FlowView& flow) {
  std::string label = printable(flow.name);
  const std::string pid = "[" + std::to_string(flow.pid) + "]";
  if (flow.ended && label.ends_with(pid)) label.replace(label.size() - pid.size(), pid.size(), "[ended]");
  return label;
}

std::string weights_words(const IntervalView& interval) {
  return (interval.weights_in_force ? "in force: " : "not in force: ") + interval.reason +
         (interval.state.processor_bound ? "; the processors are the limit, not the disk" : "");
}

IntervalView view(const Snapshot& before, const Snapshot& after, bool scheduling) {
  const auto earlier = earlier_readings(before, after);
  IntervalView result;
  result.interval_s = to_seconds(after.taken - before.taken);
  result.depth = after.depth;
  result.in_flight = after.in_flight;
  result.queued = after.queued;
  result.slowness = after.slowness;
  result.groups = after.groups;
  result.device_use =
      std::clamp(ratio(to_seconds(after.device_busy - before.device_busy), result.interval_s), 0.0, 1.0);
  result.decision_ns = ratio(static_cast<double>((after.decision_time - before.decision_time).count()),
                             static_cast<double>(after.decisions - before.decisions));
  const double device_s = to_seconds(after.device_time - before.device_time);
  const FlowCounters nothing;
  sched::LatencyHistogram syncs;
  result.flows.reserve(after.flows.size());
  for (std::size_t i = 0; i < after.flows.size(); ++i) {
    const FlowReading& flow = after.flows[i];
    const FlowCounters &start = earlier[i] != nullptr ? earlier[i]->counters : nothing, &end = flow.counters;
    FlowView& row = result.flows.emplace_back(describe(flow));
    row.share_got = std::clamp(ratio(to_seconds(end.device_time - start.device_time), device_s), 0.0, 1.0);
    row.backlogged = ratio(to_seconds(end.backlogged - start.backlogged), result.interval_s);
    row.demand_limited = row.share_got < row.share_due * (1 - kShareTolerance) && row.backlogged < kBacklogged;
    add_rates(row, start, end, result.interval_s);
    add_latencies(row, start, end);
    result.dirty_bytes += flow.dirty_bytes;
    result.writing_bytes += flow.writing_bytes;
    if (row.fsyncs_per_s > 0) syncs.merge(end.sync.since(start.sync));
  }
  result.fsync_us_p99 = to_us(syncs.percentile(0.99));
  const WeightsVerdict verdict = weights_verdict(before, after, scheduling);
  result.weights_in_force = verdict.state == WeightsVerdict::State::in_force;
  result.reason = to_words(verdict);
  return result;
}

}  // namespace fairfs::cli
