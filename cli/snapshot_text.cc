// The daemon's side of a reading: into JSON.
#include <span>

#include "cli/json_writer.h"
#include "cli/stat_protocol.h"

namespace fairfs::cli {
namespace {

using sched::LatencyHistogram;

/// What a flow takes in a line, histograms included: room is made once instead of again and again.
constexpr std::size_t kFlowBytes = 1024;

void write(JsonWriter& out, std::string_view name, const LatencyHistogram& value) {
  out.key(name).open('[');
  for (std::size_t bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    const auto count = value.buckets()[bucket];
    if (count != 0) out.open('[').value(bucket).value(count).close(']');
  }
  out.close(']');
}

void write(JsonWriter& out, const engine::FlowReading& flow) {
  const sched::FlowCounters& c = flow.counters;
  out.open('{')
      .field("key", flow.key)
      .field("name", flow.name)
      .field("command", flow.command)
      .field("pid", flow.pid)
      .field("cgroup", flow.cgroup)
      .field("ended", flow.ended)
      .field("uid", flow.uid)
      .field("group", flow.group)
      .field("weight", flow.weight)
      .field("class", static_cast<unsigned>(flow.service))
      .field("overridden", flow.overridden)
      .field("share_due", flow.share_due)
      .field("queued", flow.queued)
      .field("in_flight", flow.in_flight)
      .field("reads", c.reads)
      .field("read_bytes", c.read_bytes)
      .field("writes", c.writes)
      .field("write_bytes", c.write_bytes)
      .field("syncs", c.syncs)
      .field("cached", c.cached)
      .field("metadata", c.metadata)
      .field("dirty_bytes", flow.dirty_bytes)
      .field("writing_bytes", flow.writing_bytes)
      .field("written_behind", c.written_behind)
      .field("throttled", c.throttled.count())
      .field("starved", c.starved.count())
      .field("device_time", c.device_time.count())
      .field("backlogged", c.backlogged.count())
      .field("active", c.active.count());
  write(out, "wait", c.wait);
  write(out, "service", c.service);
  write(out, "sync", c.sync);
  out.close('}');
}

void write(JsonWriter& out, const engine::GroupReading& group) {
  out.open('{')
      .field("kind", static_cast<unsigned>(group.kind))
      .field("cgroup", group.cgroup)
      .field("user", group.user)
      .field("parent", group.parent)
      .field("weight", group.weight)
      .field("overridden", group.overridden)
      .close('}');
}

void write(JsonWriter& out, const engine::Snapshot& snapshot) {
  out.open('{').field("taken", snapshot.taken.time_since_epoch().count()).key("flows").open('[');
  for (const auto& flow : snapshot.flows) write(out, flow);
  out.close(']').key("groups").open('[');
  for (const auto& group : snapshot.groups) write(out, group);
  out.close(']')
      .field("depth", snapshot.depth)
      .field("in_flight", snapshot.in_flight)
      .field("queued", snapshot.queued)
      .field("slowness", snapshot.slowness)
      .field("device_busy", snapshot.device_busy.count())
      .field("device_time", snapshot.device_time.count())
      .field("decisions", snapshot.decisions)
      .field("decision_time", snapshot.decision_time.count())
      .close('}');
}

void write(JsonWriter& out, const StatState& state) {
  out.open('{')
      .field("wall_s", state.wall_s)
      .field("disk", state.disk)
      .field("elevator", state.elevator)
      .field("disk_bytes_per_s", state.disk_bytes_per_s)
      .field("foreign_bytes_per_s", state.foreign_bytes_per_s)
      .key("alerts")
      .open('[');
  for (const std::string& alert : state.alerts) out.value(alert);
  out.close(']')
      .field("processor_use", state.processor_use)
      .field("processor_bound", state.processor_bound)
      .field("held_bytes", state.held_bytes)
      .close('}');
}

}  // namespace

std::string to_line(const StatAbout& about, const StatState& state, std::span<const engine::Snapshot* const> readings) {
  JsonWriter out;
  std::size_t flows = 1;
  for (const auto* const snapshot : readings) flows += snapshot->flows.size();
  out.reserve(flows * kFlowBytes);
  out.open('{')
      .field("version", about.version)
      .field("mountpoint", about.mountpoint)
      .field("source", about.source)
      .field("instance", about.instance)
      .field("scheduling", about.scheduling)
      .field("profile", about.profile)
      .field("weights", about.weights)
      .key("state");
  write(out, state);
  out.key("readings").open('[');
  for (const auto* const snapshot : readings) write(out, *snapshot);
  out.close(']').close('}');
  return out.take();
}

}  // namespace fairfs::cli
