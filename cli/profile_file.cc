#include "cli/profile_file.h"

#include <fcntl.h>

#include <cmath>

#include "cli/config_file.h"
#include "cli/file_text.h"

namespace fairfs::cli {
namespace {

/// A request that takes longer than a minute is a broken disk, and an exabyte per second is none.
constexpr double kBaseMax_us = 60e6;
constexpr std::int64_t kBandwidthMax = std::int64_t{1} << 60;
/// Nothing gains more from depth than it has slots.
constexpr std::int64_t kDepthMax = 1024;

void set_time(const ConfigTable& table, std::string_view key, sched::Duration& value) {
  if (const auto time_us = table.number(key, 0, kBaseMax_us)) value = sched::Duration{std::llround(*time_us * 1000)};
}

void set_coefficients(const ConfigTable& root, std::string_view key, sched::CostCoefficients& value) {
  if (!root.has(key)) return;
  const toml::table* const nested = root.node(key)->as_table();
  if (nested == nullptr)
    root.refuse(key, std::string{key} + " is not a table", "write its keys below [" + std::string{key} + "]");
  const ConfigTable table{root.file(), *nested};
  table.allow_only({"base_sequential_us", "base_random_us", "bytes_per_s"});
  set_time(table, "base_sequential_us", value.base_sequential);
  set_time(table, "base_random_us", value.base_random);
  if (const auto bytes = table.integer("bytes_per_s", 1, kBandwidthMax)) {
    value.bytes_per_s = static_cast<std::uint64_t>(*bytes);
  }
}

}  // namespace

sched::DiskProfile parse_profile(std::string_view text, std::string_view file) {
  const toml::table parsed = parse_toml(text, file);
  const ConfigTable root{file, parsed};
  root.allow_only({"depth", "parallelism", "sync_us", "read", "write"});
  sched::DiskProfile profile;
  if (const auto depth = root.integer("depth", 1, kDepthMax)) profile.depth = static_cast<std::uint32_t>(*depth);
  if (const auto parallelism = root.number("parallelism", 0.01, static_cast<double>(kDepthMax))) {
    profile.parallelism = *parallelism;
  }
  set_time(root, "sync_us", profile.sync);
  set_coefficients(root, "read", profile.read);
  set_coefficients(root, "write", profile.write);
  return profile;
}

sched::DiskProfile load_profile(const std::string& path) {
  if (path.empty()) return {};
  const std::string text =
      read_text(AT_FDCWD, path, {"probe", path, "name a file with a disk profile, or write probe=off"});
  return parse_profile(text, path);
}

}  // namespace fairfs::cli
