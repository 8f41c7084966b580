#include "cli/profile_file.h"

#include <fcntl.h>

#include <cmath>

#include "cli/config_file.h"
#include "cli/file_text.h"
#include "cli/profile_text.h"

namespace fairfs::cli {
namespace {

/// A request that takes longer than a minute is a broken disk, and an exabyte per second is none.
constexpr double kBaseMax_us = 60e6;
constexpr std::int64_t kBandwidthMax = std::int64_t{1} << 60;
/// Nothing gains more from depth than it has slots.
constexpr std::int64_t kDepthMax = 1024;
/// Streams that leave less than a millionth of one alone together are a mistake, not a disk.
constexpr double kRatioMin = 1e-6;
constexpr std::int64_t kSaturatingMin = 4096, kSaturatingMax = std::int64_t{1} << 30;

void set_time(const ConfigTable& table, std::string_view key, sched::Duration& value) {
  if (const auto time_us = table.number(key, 0, kBaseMax_us)) value = sched::Duration{std::llround(*time_us * 1000)};
}

void set_coefficients(const ConfigTable& root, std::string_view key, sched::CostCoefficients& value) {
  if (!root.has(key)) return;
  const toml::table* const nested = root.node(key)->as_table();
  if (nested == nullptr)
    root.refuse(key, std::string{key} + " is not a table", "write its keys below [" + std::string{key} + "]");
  const ConfigTable table{root.file(), *nested};
  table.allow_only({"base_sequential_us", "base_random_us", "bytes_per_s", "least_us", "random_bytes_per_s"});
  set_time(table, "base_sequential_us", value.base_sequential);
  set_time(table, "base_random_us", value.base_random);
  set_time(table, "least_us", value.least);
  if (const auto bytes = table.integer("bytes_per_s", 1, kBandwidthMax)) {
    value.bytes_per_s = static_cast<std::uint64_t>(*bytes);
  }
  if (const auto bytes = table.integer("random_bytes_per_s", 0, kBandwidthMax)) {
    value.random_bytes_per_s = static_cast<std::uint64_t>(*bytes);
  }
}

void set_idle(const ConfigTable& table, bool& value) {
  if (!table.has("idle")) return;
  const auto given = table.node("idle")->value_exact<bool>();
  if (!given) table.refuse("idle", "idle is neither true nor false", "allowed are true and false");
  value = *given;
}

void set_confidence(const ConfigTable& table, sched::Confidence& value) {
  const auto given = table.string("confidence");
  if (!given) return;
  for (const auto confidence : {sched::Confidence::none, sched::Confidence::low, sched::Confidence::high}) {
    if (*given != spelled(confidence)) continue;
    value = confidence;
    return;
  }
  table.refuse("confidence", "confidence '" + *given + "' is not known", "allowed are none, low, high");
}

void set_measured(const ConfigTable& table, sched::DiskProfile::Measured& value) {
  if (!table.has("measured")) return;
  constexpr std::string_view kAllowed = "allowed is a list of reads, streams, writes, sync";
  const toml::array* const parts = table.node("measured")->as_array();
  if (parts == nullptr) table.refuse("measured", "measured is not a list", kAllowed);
  for (const toml::node& part : *parts) {
    const std::string name = part.value_or(std::string{});
    bool* const known = name == "reads"     ? &value.reads
                        : name == "streams" ? &value.streams
                        : name == "writes"  ? &value.writes
                        : name == "sync"    ? &value.sync
                                            : nullptr;
    if (known == nullptr) table.refuse("measured", "measured has a part that is not known", kAllowed);
    *known = true;
  }
}

}  // namespace

sched::DiskProfile parse_profile(std::string_view text, std::string_view file) {
  const toml::table parsed = parse_toml(text, file);
  const ConfigTable root{file, parsed};
  root.allow_only({"version", "reason", "confidence", "measured", "depth", "parallelism", "interleave_ratio",
                   "best_streams", "switch_us", "idle", "sync_us", "saturating_bytes", "read", "write"});
  (void)root.integer("version", kProfileVersion, kProfileVersion);
  sched::DiskProfile profile;
  profile.reason = root.string("reason").value_or("written by hand");
  set_confidence(root, profile.confidence);
  set_measured(root, profile.measured);
  if (const auto depth = root.integer("depth", 1, kDepthMax)) profile.depth = static_cast<std::uint32_t>(*depth);
  if (const auto parallelism = root.number("parallelism", 0.01, static_cast<double>(kDepthMax))) {
    profile.parallelism = *parallelism;
  }
  if (const auto ratio = root.number("interleave_ratio", kRatioMin, static_cast<double>(kDepthMax)))
    profile.interleave_ratio = *ratio;
  if (const auto streams = root.integer("best_streams", 1, kDepthMax)) {
    profile.best_streams = static_cast<std::uint32_t>(*streams);
  }
  set_time(root, "switch_us", profile.switch_cost);
  set_idle(root, profile.idle);
  set_time(root, "sync_us", profile.sync);
  if (const auto bytes = root.integer("saturating_bytes", kSaturatingMin, kSaturatingMax)) {
    profile.saturating_bytes = static_cast<std::uint64_t>(*bytes);
  }
  set_coefficients(root, "read", profile.read);
  set_coefficients(root, "write", profile.write);
  return profile;
}

sched::DiskProfile load_profile(const std::string& path) {
  const std::string text =
      read_text(AT_FDCWD, path, {"probe", path, "name a file with a disk profile, or write probe=off"});
  return parse_profile(text, path);
}

}  // namespace fairfs::cli
