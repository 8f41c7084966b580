#include "cli/json_view.h"

#include "cli/json_writer.h"
#include "cli/text.h"

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
  out.open('{')
      .field("name", flow.name)
      .field("command", flow.command)
      .field("pid", flow.pid)
      .field("cgroup", flow.cgroup)
      .field("uid", flow.uid)
      .field("group", flow.group)
      .field("weight", flow.weight)
      .field("class", class_word(flow.service))
      .field("overridden", flow.overridden)
      .field("share_due", flow.share_due)
      .field("share_got", flow.share_got)
      .field("demand_limited", flow.demand_limited)
      .field("read_bytes_per_s", flow.read_bytes_per_s)
      .field("write_bytes_per_s", flow.write_bytes_per_s)
      .field("reads_per_s", flow.reads_per_s)
      .field("writes_per_s", flow.writes_per_s)
      .field("fsyncs_per_s", flow.fsyncs_per_s)
      .field("cached_per_s", flow.cached_per_s)
      .field("metadata_per_s", flow.metadata_per_s)
      .field("queued", flow.queued)
      .field("in_flight", flow.in_flight)
      .field("wait_us_p50", flow.wait_us_p50)
      .field("wait_us_p99", flow.wait_us_p99)
      .field("service_us_p50", flow.service_us_p50)
      .field("service_us_p99", flow.service_us_p99)
      .field("dirty_bytes", flow.dirty_bytes)
      .field("writing_bytes", flow.writing_bytes)
      .field("written_behind_bytes_per_s", flow.written_behind_bytes_per_s)
      .field("throttled", flow.throttled)
      .field("starved", flow.starved)
      .field("fsync_us_p50", flow.fsync_us_p50)
      .field("fsync_us_p99", flow.fsync_us_p99)
      .field("fsync_us_max", flow.fsync_us_max)
      .close('}');
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
      .field("dirty_bytes", interval.dirty_bytes)
      .field("writing_bytes", interval.writing_bytes)
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
