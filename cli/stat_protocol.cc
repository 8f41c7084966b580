#include "cli/stat_protocol.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace fairfs::cli {
namespace {

using nlohmann::json;
using sched::Duration;
using sched::LatencyHistogram;

/// A command's name may be any bytes; JSON is UTF-8.
std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json histogram(const LatencyHistogram& value) {
  json result = json::array();
  for (std::size_t bucket = 0; bucket < LatencyHistogram::kBuckets; ++bucket) {
    if (value.buckets().at(bucket) != 0) result.push_back({bucket, value.buckets().at(bucket)});
  }
  return result;
}

LatencyHistogram histogram(const json& value) {
  std::array<std::uint32_t, LatencyHistogram::kBuckets> buckets{};
  for (const json& entry : value) buckets.at(entry.at(0).get<std::size_t>()) = entry.at(1).get<std::uint32_t>();
  return LatencyHistogram{buckets};
}

Duration duration(const json& value) { return Duration{value.get<Duration::rep>()}; }

json to_json(const engine::FlowReading& flow) {
  const sched::FlowCounters& c = flow.counters;
  return {{"key", flow.key},
          {"name", flow.name},
          {"command", flow.command},
          {"pid", flow.pid},
          {"cgroup", flow.cgroup},
          {"uid", flow.uid},
          {"weight", flow.weight},
          {"share_due", flow.share_due},
          {"queued", flow.queued},
          {"in_flight", flow.in_flight},
          {"reads", c.reads},
          {"read_bytes", c.read_bytes},
          {"writes", c.writes},
          {"write_bytes", c.write_bytes},
          {"syncs", c.syncs},
          {"cached", c.cached},
          {"metadata", c.metadata},
          {"dirty_bytes", flow.dirty_bytes},
          {"writing_bytes", flow.writing_bytes},
          {"written_behind", c.written_behind},
          {"throttled", c.throttled.count()},
          {"sync", histogram(c.sync)},
          {"device_time", c.device_time.count()},
          {"backlogged", c.backlogged.count()},
          {"active", c.active.count()},
          {"wait", histogram(c.wait)},
          {"service", histogram(c.service)}};
}

engine::FlowReading flow_from(const json& value) {
  engine::FlowReading flow;
  value.at("key").get_to(flow.key);
  value.at("name").get_to(flow.name);
  value.at("command").get_to(flow.command);
  value.at("pid").get_to(flow.pid);
  value.at("cgroup").get_to(flow.cgroup);
  value.at("uid").get_to(flow.uid);
  value.at("weight").get_to(flow.weight);
  value.at("share_due").get_to(flow.share_due);
  value.at("queued").get_to(flow.queued);
  value.at("in_flight").get_to(flow.in_flight);
  sched::FlowCounters& c = flow.counters;
  value.at("reads").get_to(c.reads);
  value.at("read_bytes").get_to(c.read_bytes);
  value.at("writes").get_to(c.writes);
  value.at("write_bytes").get_to(c.write_bytes);
  value.at("syncs").get_to(c.syncs);
  value.at("cached").get_to(c.cached);
  value.at("metadata").get_to(c.metadata);
  value.at("dirty_bytes").get_to(flow.dirty_bytes);
  value.at("writing_bytes").get_to(flow.writing_bytes);
  value.at("written_behind").get_to(c.written_behind);
  c.throttled = duration(value.at("throttled"));
  c.sync = histogram(value.at("sync"));
  c.device_time = duration(value.at("device_time"));
  c.backlogged = duration(value.at("backlogged"));
  c.active = duration(value.at("active"));
  c.wait = histogram(value.at("wait"));
  c.service = histogram(value.at("service"));
  return flow;
}

json to_json(const engine::Snapshot& snapshot) {
  json flows = json::array();
  for (const auto& flow : snapshot.flows) flows.push_back(to_json(flow));
  return {{"taken", snapshot.taken.time_since_epoch().count()},
          {"depth", snapshot.depth},
          {"in_flight", snapshot.in_flight},
          {"queued", snapshot.queued},
          {"slowness", snapshot.slowness},
          {"device_busy", snapshot.device_busy.count()},
          {"device_time", snapshot.device_time.count()},
          {"decisions", snapshot.decisions},
          {"decision_time", snapshot.decision_time.count()},
          {"flows", std::move(flows)}};
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
  for (const json& flow : value.at("flows")) snapshot.flows.push_back(flow_from(flow));
  return snapshot;
}

}  // namespace

std::string to_line(StatRequest request) {
  return dump({{"get", request == StatRequest::snapshot ? "snapshot" : "second"}});
}

std::string to_line(const StatReply& reply) {
  json readings = json::array();
  for (const auto& snapshot : reply.readings) readings.push_back(to_json(snapshot));
  return dump({{"version", reply.version},
               {"mountpoint", reply.mountpoint},
               {"source", reply.source},
               {"scheduling", reply.scheduling},
               {"readings", std::move(readings)}});
}

StatReply parse_reply(std::string_view line) {
  try {
    const json value = json::parse(line);
    if (value.contains("error")) throw std::runtime_error{value.at("error").get<std::string>()};
    StatReply reply;
    value.at("version").get_to(reply.version);
    value.at("mountpoint").get_to(reply.mountpoint);
    value.at("source").get_to(reply.source);
    value.at("scheduling").get_to(reply.scheduling);
    for (const json& reading : value.at("readings")) reply.readings.push_back(snapshot_from(reading));
    return reply;
  } catch (const json::exception& error) {
    throw std::runtime_error{std::string{"not understood: "} + error.what()};
  } catch (const std::out_of_range&) {
    throw std::runtime_error{"not understood: a histogram has more buckets than ours"};
  }
}

std::string answer(std::string_view request, const StatSource& source, std::shared_ptr<void>& kept) {
  const json value = json::parse(request, nullptr, false);
  if (const auto hold = value.is_object() ? value.find("hold") : value.end();
      hold != value.end() && hold->is_boolean() && source.hold) {
    if (hold->get<bool>() != (kept != nullptr)) kept = hold->get<bool>() ? source.hold() : nullptr;
    return dump({{"held", kept != nullptr}});
  }
  const auto get = value.is_object() ? value.find("get") : value.end();
  StatReply reply = source.about;
  if (get != value.end() && *get == "snapshot") {
    reply.readings = {source.snapshot()};
  } else if (get != value.end() && *get == "second") {
    auto [before, after] = source.last_second();
    reply.readings = {std::move(before), std::move(after)};
  } else {
    return dump({{"error", R"(ask {"get":"snapshot"} or {"get":"second"})"}});
  }
  return to_line(reply);
}

}  // namespace fairfs::cli
