#include "cli/json_view.h"

#include <nlohmann/json.hpp>

namespace fairfs::cli {
namespace {

// Ordered: a person who reads a line finds the fields in the order of the manual.
using json = nlohmann::ordered_json;

json to_json(const FlowView& flow) {
  return {{"name", flow.name},
          {"command", flow.command},
          {"pid", flow.pid},
          {"cgroup", flow.cgroup},
          {"uid", flow.uid},
          {"weight", flow.weight},
          {"share_due", flow.share_due},
          {"share_got", flow.share_got},
          {"demand_limited", flow.demand_limited},
          {"read_bytes_per_s", flow.read_bytes_per_s},
          {"write_bytes_per_s", flow.write_bytes_per_s},
          {"reads_per_s", flow.reads_per_s},
          {"writes_per_s", flow.writes_per_s},
          {"fsyncs_per_s", flow.fsyncs_per_s},
          {"cached_per_s", flow.cached_per_s},
          {"metadata_per_s", flow.metadata_per_s},
          {"queued", flow.queued},
          {"wait_us_p50", flow.wait_us_p50},
          {"wait_us_p99", flow.wait_us_p99},
          {"service_us_p50", flow.service_us_p50},
          {"service_us_p99", flow.service_us_p99},
          {"dirty_bytes", flow.dirty_bytes},
          {"writing_bytes", flow.writing_bytes},
          {"written_behind_bytes_per_s", flow.written_behind_bytes_per_s},
          {"throttled", flow.throttled},
          {"fsync_us_p50", flow.fsync_us_p50},
          {"fsync_us_p99", flow.fsync_us_p99},
          {"fsync_us_max", flow.fsync_us_max}};
}

}  // namespace

std::string to_json_line(const IntervalView& interval) {
  json flows = json::array();
  for (const auto& flow : interval.flows) flows.push_back(to_json(flow));
  const json line{{"version", interval.version},
                  {"mountpoint", interval.mountpoint},
                  {"source", interval.source},
                  {"interval_s", interval.interval_s},
                  {"depth", interval.depth},
                  {"in_flight", interval.in_flight},
                  {"device_use", interval.device_use},
                  {"slowness", interval.slowness},
                  {"decision_ns", interval.decision_ns},
                  {"weights_in_force", interval.weights_in_force},
                  {"reason", interval.reason},
                  {"flows", std::move(flows)}};
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace fairfs::cli
