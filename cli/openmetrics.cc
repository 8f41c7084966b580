#include "cli/openmetrics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "cli/text.h"
#include "cli/weights_verdict.h"

namespace fairfs::cli {
namespace {

using engine::FlowReading;
using engine::Snapshot;
using sched::Duration;
using sched::LatencyHistogram;

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

/// Of a label's value: backslash, quote and line feed are escaped; other control characters are written as \xNN first,
/// and what is no UTF-8 as the control socket's JSON has it, so that daemon and fairfs-stat give a series one name.
std::string quoted(std::string_view value) {
  std::string text;
  for (std::size_t length; !value.empty(); value.remove_prefix(length)) {
    length = std::max<std::size_t>(printable_sequence(value), 1);
    const bool strange = printable_sequence(value) == 0 && static_cast<unsigned char>(value.front()) >= 0x80;
    text += strange ? "\xef\xbf\xbd" : printable(value.substr(0, length));
  }
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + '"';
}

std::string number(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

class Exposition {
 public:
  explicit Exposition(std::span<const StatReply* const> mounts) : mounts_{mounts} {}

  /// One sample a mount. `unit` is the end of the name, empty for none.
  template <typename Value>
  void mounts(std::string_view name, std::string_view type, std::string_view unit, std::string_view help, Value value) {
    describe(name, type, unit, help);
    for (const StatReply* mount : mounts_)
      sample(name, suffix(type), labels(*mount), value(*mount, mount->readings.back()));
  }

  /// One sample a flow.
  template <typename Value>
  void flows(std::string_view name, std::string_view type, std::string_view unit, std::string_view help, Value value) {
    describe(name, type, unit, help);
    for (const StatReply* mount : mounts_) {
      for (const FlowReading& flow : mount->readings.back().flows) {
        sample(name, suffix(type), labels(*mount, flow), static_cast<double>(value(flow)));
      }
    }
  }

  /// Flows that were never scheduled have empty histograms: they are left out.
  void histograms(std::string_view name, std::string_view help, LatencyHistogram sched::FlowCounters::*member) {
    describe(name, "histogram", "seconds", help);
    for (const StatReply* mount : mounts_) {
      for (const FlowReading& flow : mount->readings.back().flows) {
        const LatencyHistogram& histogram = flow.counters.*member;
        if (histogram.samples() != 0) buckets(name, labels(*mount, flow), histogram);
      }
    }
  }

  std::string take() { return std::move(text_) + "# EOF\n"; }

 private:
  static std::string_view suffix(std::string_view type) {
    return type == "counter" ? "_total" : type == "info" ? "_info" : "";
  }
  void describe(std::string_view name, std::string_view type, std::string_view unit, std::string_view help) {
    text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
    if (!unit.empty()) text_.append("# UNIT ").append(name).append(" ").append(unit).append("\n");
    text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
  }
  void sample(std::string_view name, std::string_view end, const std::string& labels, double value) {
    text_.append(name).append(end).append("{").append(labels).append("} ").append(number(value)).append("\n");
  }
  void buckets(std::string_view name, const std::string& labels, const LatencyHistogram& histogram) {
    static constexpr std::array kBounds_us{100,    300,     1'000,   3'000,     10'000,
                                           30'000, 100'000, 300'000, 1'000'000, 3'000'000};
    for (const int bound_us : kBounds_us) {
      const std::string end = labels + ",le=" + quoted(number(bound_us / 1e6));
      sample(name, "_bucket", end, static_cast<double>(histogram.samples_up_to(std::chrono::microseconds{bound_us})));
    }
    sample(name, "_bucket", labels + ",le=\"+Inf\"", static_cast<double>(histogram.samples()));
  }
  static std::string labels(const StatReply& mount) { return "mountpoint=" + quoted(mount.about.mountpoint); }
  static std::string labels(const StatReply& mount, const FlowReading& flow) {
    // A name may come twice within seconds, when a process id is used again; the id never does.
    return labels(mount) + ",flow=" + quoted(flow.name) + ",cgroup=" + quoted(flow.cgroup) +
           ",class=" + quoted(class_word(flow.service)) + ",id=" + quoted(std::to_string(flow.key));
  }

  const std::span<const StatReply* const> mounts_;
  std::string text_;
};

void write_mounts(Exposition& out) {
  const auto of_mount = [&out](std::string_view name, std::string_view type, std::string_view unit,
                               std::string_view help, auto value) { out.mounts(name, type, unit, help, value); };
  of_mount("fairfs_up", "gauge", "", "The daemon answered", [](const auto&, const auto&) { return 1.0; });
  of_mount("fairfs_depth", "gauge", "", "Requests that may be in the disk at once",
           [](const auto&, const Snapshot& now) { return now.depth; });
  of_mount("fairfs_in_flight", "gauge", "", "Requests in the disk",
           [](const auto&, const Snapshot& now) { return now.in_flight; });
  of_mount("fairfs_queued", "gauge", "", "Requests that wait for their turn",
           [](const auto&, const Snapshot& now) { return now.queued; });
  of_mount("fairfs_device_busy_seconds", "counter", "seconds", "Time with at least one request in the disk",
           [](const auto&, const Snapshot& now) { return seconds(now.device_busy); });
  of_mount("fairfs_device_time_seconds", "counter", "seconds", "Device time charged to all flows",
           [](const auto&, const Snapshot& now) { return seconds(now.device_time); });
  of_mount("fairfs_decisions", "counter", "", "Requests that the scheduler started",
           [](const auto&, const Snapshot& now) { return static_cast<double>(now.decisions); });
  of_mount("fairfs_decision_seconds", "counter", "seconds", "Time that it took to decide",
           [](const auto&, const Snapshot& now) { return seconds(now.decision_time); });
  of_mount("fairfs_slowness_ratio", "gauge", "ratio", "Times as long as the profile says that the disk takes",
           [](const auto&, const Snapshot& now) { return now.slowness; });
  of_mount("fairfs_weights_in_force", "gauge", "", "1 while weights decide who gets what",
           [](const StatReply& mount, const Snapshot& now) {
             const auto verdict = weights_verdict(mount.readings.front(), now, mount.about.scheduling);
             return verdict.state == WeightsVerdict::State::in_force ? 1.0 : 0.0;
           });
  of_mount("fairfs_disk_bytes_per_second", "gauge", "", "Traffic of the whole disk",
           [](const StatReply& mount, const auto&) { return mount.state.disk_bytes_per_s; });
  of_mount("fairfs_foreign_bytes_per_second", "gauge", "", "Of it, what goes past the mount: an estimate",
           [](const StatReply& mount, const auto&) { return mount.state.foreign_bytes_per_s; });
  of_mount("fairfs_held_bytes", "gauge", "bytes", "Memory of writes that wait in the daemon with their payload",
           [](const StatReply& mount, const auto&) { return static_cast<double>(mount.state.held_bytes); });
  of_mount("fairfs_alerts", "gauge", "", "Alerts that stand",
           [](const StatReply& mount, const auto&) { return static_cast<double>(mount.state.alerts.size()); });
}

void write_flows(Exposition& out) {
  using R = FlowReading;
  out.flows("fairfs_flow_weight", "gauge", "", "Against its siblings", [](const R& f) { return f.weight; });
  out.flows("fairfs_flow_share_due_ratio", "gauge", "ratio", "Share of the device time that the weights give it",
            [](const R& f) { return f.share_due; });
  out.flows("fairfs_flow_queued", "gauge", "", "Requests that wait", [](const R& f) { return f.queued; });
  out.flows("fairfs_flow_in_flight", "gauge", "", "Requests in the disk", [](const R& f) { return f.in_flight; });
  out.flows("fairfs_flow_dirty_bytes", "gauge", "bytes", "Written and not yet on the disk",
            [](const R& f) { return f.dirty_bytes; });
  out.flows("fairfs_flow_device_time_seconds", "counter", "seconds", "Device time charged",
            [](const R& f) { return seconds(f.counters.device_time); });
  out.flows("fairfs_flow_reads", "counter", "", "Reads", [](const R& f) { return f.counters.reads; });
  out.flows("fairfs_flow_read_bytes", "counter", "bytes", "Bytes read",
            [](const R& f) { return f.counters.read_bytes; });
  out.flows("fairfs_flow_cached_reads", "counter", "", "Reads that the page cache answered",
            [](const R& f) { return f.counters.cached; });
  out.flows("fairfs_flow_writes", "counter", "", "Writes", [](const R& f) { return f.counters.writes; });
  out.flows("fairfs_flow_written_bytes", "counter", "bytes", "Bytes written",
            [](const R& f) { return f.counters.write_bytes; });
  out.flows("fairfs_flow_fsyncs", "counter", "", "Flushes", [](const R& f) { return f.counters.syncs; });
  out.flows("fairfs_flow_metadata_requests", "counter", "", "Requests for names and attributes",
            [](const R& f) { return f.counters.metadata; });
  out.flows("fairfs_flow_backlogged_seconds", "counter", "seconds", "Time with requests waiting",
            [](const R& f) { return seconds(f.counters.backlogged); });
  out.flows("fairfs_flow_throttled_seconds", "counter", "seconds", "Time its writes waited for its own write-behind",
            [](const R& f) { return seconds(f.counters.throttled); });
  out.flows("fairfs_flow_starved_seconds", "counter", "seconds", "Time it waited over a second with nothing started",
            [](const R& f) { return seconds(f.counters.starved); });
  out.histograms("fairfs_flow_wait_seconds", "Time that requests waited for their turn", &sched::FlowCounters::wait);
  out.histograms("fairfs_flow_service_seconds", "Time that requests were in the disk", &sched::FlowCounters::service);
  out.histograms("fairfs_flow_fsync_seconds", "Time that flushes took", &sched::FlowCounters::sync);
}

}  // namespace

std::string to_openmetrics(std::span<const StatReply* const> mounts) {
  Exposition out{mounts};
  write_mounts(out);
  write_flows(out);
  return out.take();
}

}  // namespace fairfs::cli
