#include "cli/mount_options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "cli/account.h"
#include "cli/failure.h"
#include "cli/numbers.h"

namespace fairfs::cli {
namespace {

/// Longest time the kernel may trust a name or attributes: a year, as good as for ever and far from overflowing.
constexpr double kTimeoutMax_s = 365.0 * 24 * 3600;
/// A deadline below 1 ms would overrule every weight; above an hour it is none.
constexpr double kMaxWaitLeast_s = 0.001, kMaxWaitMost_s = 3600;
constexpr std::uint32_t kDepthMax = 1024;
/// (gid_t)-1 means "none" to the kernel.
constexpr gid_t kGroupMax = static_cast<gid_t>(-2);

struct FlagOption {
  std::string_view name;
  unsigned long flag;
  bool set;
};
constexpr std::array kFlags{
    FlagOption{"ro", MS_RDONLY, true},         FlagOption{"rw", MS_RDONLY, false},
    FlagOption{"nosuid", MS_NOSUID, true},     FlagOption{"suid", MS_NOSUID, false},
    FlagOption{"nodev", MS_NODEV, true},       FlagOption{"dev", MS_NODEV, false},
    FlagOption{"noexec", MS_NOEXEC, true},     FlagOption{"exec", MS_NOEXEC, false},
    FlagOption{"noatime", MS_NOATIME, true},   FlagOption{"atime", MS_NOATIME, false},
    FlagOption{"relatime", MS_RELATIME, true}, FlagOption{"nodiratime", MS_NODIRATIME, true},
    FlagOption{"sync", MS_SYNCHRONOUS, true},  FlagOption{"dirsync", MS_DIRSYNC, true},
};

/// What an fstab says to others than the filesystem, and what fairfs does anyway.
constexpr std::array<std::string_view, 12> kIgnored{"defaults", "nofail", "_netdev",     "auto",
                                                    "noauto",   "user",   "nouser",      "users",
                                                    "owner",    "group",  "allow_other", "default_permissions"};

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view allowed) {
  throw misused("option '" + std::string{name} + "': '" + std::string{value} + "' is not " + std::string{allowed});
}

double seconds(std::string_view name, std::string_view value, double least, double most, std::string_view allowed) {
  const auto number = number_within(value, least, most);
  if (!number) refuse(name, value, allowed);
  return *number;
}

template <typename Value, std::size_t size>
Value one_of(const std::array<std::pair<std::string_view, Value>, size>& names, std::string_view name,
             std::string_view value) {
  std::string allowed;
  for (const auto& [word, meaning] : names) {
    if (word == value) return meaning;
    allowed.append(allowed.empty() ? "one of " : ", ").append(word);
  }
  refuse(name, value, allowed);
}

constexpr std::array<std::pair<std::string_view, engine::Grouping>, 3> kGroupings{
    {{"cgroup", engine::Grouping::cgroup}, {"process", engine::Grouping::process}, {"uid", engine::Grouping::uid}}};
constexpr std::array<std::pair<std::string_view, sched::Policy>, 2> kPolicies{
    {{"fair", sched::Policy::fair}, {"off", sched::Policy::off}}};
constexpr std::array<std::pair<std::string_view, std::optional<bool>>, 3> kIdle{
    {{"auto", std::nullopt}, {"on", true}, {"off", false}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kSwitch{{{"on", true}, {"off", false}}};
constexpr std::array<std::pair<std::string_view, LogLevel>, 5> kLevels{{{"trace", LogLevel::trace},
                                                                        {"debug", LogLevel::debug},
                                                                        {"info", LogLevel::info},
                                                                        {"warning", LogLevel::warning},
                                                                        {"error", LogLevel::error}}};

StatAccess stat_access(std::string_view name, std::string_view value) {
  if (value == "owner") return {};
  if (value == "all") return {StatAccess::Others::all, 0};
  constexpr std::string_view kGroup = "group:";
  if (!value.starts_with(kGroup)) refuse(name, value, "owner, all or group:NAME");
  const std::string_view word = value.substr(kGroup.size());
  const auto number = number_within(word, gid_t{0}, kGroupMax);
  const auto group = number ? number : find_group(std::string{word});
  if (!group) refuse(name, value, "a group of this system: its name or number stands after group:");
  return {StatAccess::Others::group, *group};
}

void set_depth(std::string_view name, std::string_view value, Options& options) {
  options.depth = number_within(value, std::uint32_t{1}, kDepthMax);
  if (!options.depth) refuse(name, value, "a whole number from 1 to 1024");
}

void set_probe(std::string_view /*name*/, std::string_view value, Options& options) {
  using Probe = Options::Probe;
  options.probe = value == "off"    ? Probe::off
                  : value == "auto" ? Probe::automatic
                  : value == "run"  ? Probe::run
                                    : Probe::file;
  options.profile = options.probe == Probe::file ? value : std::string_view{};
}

void set_max_wait(std::string_view name, std::string_view value, Options& options) {
  const double wait_s = seconds(name, value, kMaxWaitLeast_s, kMaxWaitMost_s, "a time from 0.001 to 3600 seconds");
  options.max_wait = sched::Duration{std::llround(wait_s * 1e9)};
}

void set_metrics(std::string_view name, std::string_view value, Options& options) {
  options.metrics = parse_metrics_address(value);
  if (!options.metrics) refuse(name, value, "unix:/path, 127.0.0.1:PORT or [::1]:PORT");
}

template <double fs::MountConfig::*member>
void set_timeout(std::string_view name, std::string_view value, Options& options) {
  options.mount.*member = seconds(name, value, 0, kTimeoutMax_s, "a time from 0 to 31536000 seconds");
}

using Text = std::string_view;
struct ValuedOption {
  Text name;
  void (*apply)(Text name, Text value, Options& options);
};
constexpr std::array kValued{
    ValuedOption{"weights", [](Text, Text value, Options& to) { to.weights = value; }},
    ValuedOption{"grouping", [](Text name, Text value, Options& to) { to.grouping = one_of(kGroupings, name, value); }},
    ValuedOption{"sched", [](Text name, Text value, Options& to) { to.policy = one_of(kPolicies, name, value); }},
    ValuedOption{"depth", &set_depth},
    ValuedOption{"probe", &set_probe},
    ValuedOption{"idle", [](Text name, Text value, Options& to) { to.idle = one_of(kIdle, name, value); }},
    ValuedOption{"write_behind",
                 [](Text name, Text value, Options& to) { to.mount.write_behind = one_of(kSwitch, name, value); }},
    ValuedOption{"max_wait", &set_max_wait},
    ValuedOption{"entry_timeout", &set_timeout<&fs::MountConfig::entry_timeout_s>},
    ValuedOption{"attr_timeout", &set_timeout<&fs::MountConfig::attr_timeout_s>},
    ValuedOption{"log_level", [](Text name, Text value, Options& to) { to.log_level = one_of(kLevels, name, value); }},
    ValuedOption{"log_file", [](Text, Text value, Options& to) { to.log_file = value; }},
    ValuedOption{"metrics", &set_metrics},
    ValuedOption{"stat_access", [](Text name, Text value, Options& to) { to.stat_access = stat_access(name, value); }},
    ValuedOption{"fsname", [](Text, Text value, Options& to) { to.mount.fsname = value; }},
};

}  // namespace

void apply_mount_option(std::string_view option, Options& options) {
  if (option.starts_with("x-") || std::ranges::find(kIgnored, option) != kIgnored.end()) return;
  if (const auto* const flag = std::ranges::find(kFlags, option, &FlagOption::name); flag != kFlags.end()) {
    options.mount.mount_flags =
        flag->set ? options.mount.mount_flags | flag->flag : options.mount.mount_flags & ~flag->flag;
    return;
  }
  const auto equals = option.find('=');
  const std::string_view name = option.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? std::string_view{} : option.substr(equals + 1);
  const auto* const known = std::ranges::find(kValued, name, &ValuedOption::name);
  if (known == kValued.end()) throw misused("option '" + std::string{name} + "' is not known");
  known->apply(name, value, options);
  if (value.empty()) throw misused("option '" + std::string{name} + "' needs a value: " + std::string{name} + "=...");
}

std::vector<std::string_view> mount_option_names() {
  std::vector<std::string_view> names{"x-*"};
  for (const ValuedOption& option : kValued) names.push_back(option.name);
  for (const FlagOption& option : kFlags) names.push_back(option.name);
  names.insert(names.end(), kIgnored.begin(), kIgnored.end());
  return names;
}

}  // namespace fairfs::cli
