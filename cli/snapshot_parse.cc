// fairfs-stat's side of a reading: out of JSON.
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/json_words.h"
#include "cli/stat_protocol.h"

namespace fairfs::cli {
namespace {

using nlohmann::json;
using sched::Duration;
using sched::LatencyHistogram;

LatencyHistogram histogram(const json& value) {
  std::array<std::uint32_t, LatencyHistogram::kBuckets> buckets{};
  for (const json& entry : value) buckets.at(entry.at(0).get<std::size_t>()) = entry.at(1).get<std::uint32_t>();
  return LatencyHistogram{buckets};
}

Duration duration(const json& value) { return Duration{value.get<Duration::rep>()}; }

template <typename Enumeration>
Enumeration one_of(const json& value, Enumeration last) {
  const auto number = value.get<unsigned>();
  if (number > static_cast<unsigned>(last)) throw std::out_of_range{"enumeration"};
  return static_cast<Enumeration>(number);
}

void read(const json& value, sched::FlowCounters& c) {
  value.at("reads").get_to(c.reads);
  value.at("read_bytes").get_to(c.read_bytes);
  value.at("writes").get_to(c.writes);
  value.at("write_bytes").get_to(c.write_bytes);
  value.at("syncs").get_to(c.syncs);
  value.at("cached").get_to(c.cached);
  value.at("metadata").get_to(c.metadata);
  value.at("written_behind").get_to(c.written_behind);
  c.throttled = duration(value.at("throttled"));
  c.starved = duration(value.at("starved"));
  c.device_time = duration(value.at("device_time"));
  c.backlogged = duration(value.at("backlogged"));
  c.active = duration(value.at("active"));
  c.wait = histogram(value.at("wait"));
  c.service = histogram(value.at("service"));
  c.sync = histogram(value.at("sync"));
}

engine::FlowReading flow_from(const json& value) {
  engine::FlowReading flow;
  value.at("key").get_to(flow.key);
  value.at("name").get_to(flow.name);
  value.at("command").get_to(flow.command);
  value.at("pid").get_to(flow.pid);
  value.at("cgroup").get_to(flow.cgroup);
  value.at("uid").get_to(flow.uid);
  value.at("group").get_to(flow.group);
  value.at("weight").get_to(flow.weight);
  flow.service = one_of(value.at("class"), sched::ServiceClass::idle);
  value.at("ended").get_to(flow.ended);
  value.at("overridden").get_to(flow.overridden);
  value.at("share_due").get_to(flow.share_due);
  value.at("queued").get_to(flow.queued);
  value.at("in_flight").get_to(flow.in_flight);
  value.at("dirty_bytes").get_to(flow.dirty_bytes);
  value.at("writing_bytes").get_to(flow.writing_bytes);
  read(value, flow.counters);
  return flow;
}

engine::GroupReading group_from(const json& value) {
  engine::GroupReading group;
  group.kind = one_of(value.at("kind"), engine::GroupKind::user);
  value.at("cgroup").get_to(group.cgroup);
  value.at("user").get_to(group.user);
  value.at("parent").get_to(group.parent);
  value.at("weight").get_to(group.weight);
  value.at("overridden").get_to(group.overridden);
  return group;
}

/// Whoever follows the parents of what we return comes to an end.
void check_tree(const engine::Snapshot& snapshot) {
  const auto count = static_cast<std::int64_t>(snapshot.groups.size());
  const auto refuse_unless = [](bool good) {
    if (!good) throw std::out_of_range{"group"};
  };
  for (const auto& flow : snapshot.flows) refuse_unless(flow.group >= -1 && flow.group < count);
  for (const auto& group : snapshot.groups) refuse_unless(group.parent >= -1 && group.parent < count);
  for (const auto& group : snapshot.groups) {
    std::int64_t steps = 0;
    for (std::int32_t at = group.parent; at != -1; at = snapshot.groups[static_cast<std::size_t>(at)].parent)
      refuse_unless(++steps <= count);
  }
}

engine::Snapshot snapshot_from(const json& value) {
  engine::Snapshot snapshot;
  snapshot.taken = sched::Time{duration(value.at("taken"))};
  value.at("depth").get_to(snapshot.depth);
  value.at("in_flight").get_to(snapshot.in_flight);
  value.at("queued").get_to(snapshot.queued);
  value.at("slowness").get_to(snapshot.slowness);
  snapshot.device_busy = duration(value.at("device_busy"));
  snapshot.device_time = duration(value.at("device_time"));
  value.at("decisions").get_to(snapshot.decisions);
  snapshot.decision_time = duration(value.at("decision_time"));
  for (const json& group : value.at("groups")) snapshot.groups.push_back(group_from(group));
  for (const json& flow : value.at("flows")) snapshot.flows.push_back(flow_from(flow));
  check_tree(snapshot);
  return snapshot;
}

}  // namespace

StatReply parse_reply(std::string_view line) {
  return understand(line, [](const json& value) {
    StatReply reply;
    value.at("version").get_to(reply.about.version);
    value.at("mountpoint").get_to(reply.about.mountpoint);
    value.at("source").get_to(reply.about.source);
    value.at("instance").get_to(reply.about.instance);
    value.at("scheduling").get_to(reply.about.scheduling);
    value.at("profile").get_to(reply.about.profile);
    value.at("weights").get_to(reply.about.weights);
    const json& state = value.at("state");
    state.at("wall_s").get_to(reply.state.wall_s);
    state.at("disk").get_to(reply.state.disk);
    state.at("elevator").get_to(reply.state.elevator);
    state.at("disk_bytes_per_s").get_to(reply.state.disk_bytes_per_s);
    state.at("foreign_bytes_per_s").get_to(reply.state.foreign_bytes_per_s);
    state.at("alerts").get_to(reply.state.alerts);
    // A recording may be older than these.
    reply.state.processor_use = state.value("processor_use", 0.0);
    reply.state.processor_bound = state.value("processor_bound", false);
    reply.state.held_bytes = state.value("held_bytes", std::uint64_t{0});
    for (const json& reading : value.at("readings")) reply.readings.push_back(snapshot_from(reading));
    return reply;
  });
}

}  // namespace fairfs::cli
