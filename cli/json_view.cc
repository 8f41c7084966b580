#include "cli/json_view.h"

#include "cli/flow_fields.h"
#include "cli/json_writer.h"

namespace fairfs::cli {
namespace {

std::string_view kind_word(engine::GroupKind kind) {
  switch (kind) {
    case engine::GroupKind::cgroup:
      return "cgroup";
    case engine::GroupKind::processes_here:
      return "processes_here";
    case engine::GroupKind::user:
      return "user";
  }
  return "";
}

void write(JsonWriter& out, const GroupView& group) {
  out.open('{')
      .field("kind", kind_word(group.kind))
      .field("cgroup", group.cgroup)
      .field("user", group.user)
      .field("parent", group.parent)
      .field("weight", group.weight)
      .field("overridden", group.overridden)
      .close('}');
}

void write(JsonWriter& out, const FlowView& flow) {
  out.open('{');
  for_each_field(flow, [&out](std::string_view name, const auto& value) { out.field(name, value); });
  out.close('}');
}

}  // namespace

std::string to_json_line(const IntervalView& interval) {
  JsonWriter out;
  out.open('{')
      .field("version", interval.about.version)
      .field("mountpoint", interval.about.mountpoint)
      .field("source", interval.about.source)
      .field("time", interval.state.wall_s)
      .field("interval_s", interval.interval_s)
      .field("depth", interval.depth)
      .field("in_flight", interval.in_flight)
      .field("queued", interval.queued)
      .field("device_use", interval.device_use)
      .field("slowness", interval.slowness)
      .field("decision_ns", interval.decision_ns)
      .field("weights_in_force", interval.weights_in_force)
      .field("reason", interval.reason)
      .field("profile", interval.about.profile)
      .field("disk", interval.state.disk)
      .field("elevator", interval.state.elevator)
      .field("disk_bytes_per_s", interval.state.disk_bytes_per_s)
      .field("foreign_bytes_per_s", interval.state.foreign_bytes_per_s)
      .field("processor_use", interval.state.processor_use)
      .field("processor_bound", interval.state.processor_bound)
      .field("dirty_bytes", interval.dirty_bytes)
      .field("writing_bytes", interval.writing_bytes)
      .field("held_bytes", interval.state.held_bytes)
      .field("fsync_us_p99", interval.fsync_us_p99)
      .key("alerts")
      .open('[');
  for (const std::string& alert : interval.state.alerts) out.value(alert);
  out.close(']').key("groups").open('[');
  for (const GroupView& group : interval.groups) write(out, group);
  out.close(']').key("flows").open('[');
  for (const FlowView& flow : interval.flows) write(out, flow);
  out.close(']').close('}');
  return out.take();
}

}  // namespace fairfs::cli
