// The grammar of the weights file.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "cli/account.h"
#include "cli/config_file.h"
#include "cli/limits_parser.h"
#include "cli/numbers.h"
#include "cli/text.h"
#include "cli/weights_file.h"

namespace fairfs::cli {
namespace {

using engine::WeightRule;
using engine::WeightRules;
using sched::Weight;

/// The kernel cuts a thread's name here (TASK_COMM_LEN - 1), so that a longer one never matches.
constexpr std::size_t kCommandMax = 15;
/// A flow's name is a word for people; this much fits the table.
constexpr std::size_t kFlowNameMax = 64;
/// The kernel's PID_MAX_LIMIT.
constexpr std::int64_t kPidMax = 1 << 22;

/// A name or a number. uid_t and gid_t are the same type; (id)-1 means "none" to the kernel.
template <typename Look>
std::optional<std::uint32_t> identity(const ConfigTable& rule, std::string_view key, Look look) {
  const toml::node* const node = rule.node(key);
  if (node == nullptr) return std::nullopt;
  constexpr std::int64_t kIdMax = std::numeric_limits<std::uint32_t>::max() - 1LL;
  if (node->is_integer()) {
    return static_cast<std::uint32_t>(*rule.integer(key, 0, kIdMax));
  }
  const std::string allowed = "allowed is a " + std::string{key == "user" ? "user" : "group"} + "'s name or number";
  if (!node->is_string()) rule.refuse(key, std::string{key} + " is neither a name nor a number", allowed);
  const std::string name = *rule.string(key);
  std::optional<std::uint32_t> id = look(name);
  // A number in quotes, as chown(1) takes one: a name that looks like one goes first.
  if (!id) id = number_within<std::uint32_t>(name, 0, static_cast<std::uint32_t>(kIdMax));
  if (!id) rule.refuse(key, std::string{key} + " '" + name + "' is not known here", allowed);
  return id;
}

std::optional<std::string> absolute(const ConfigTable& rule, std::string_view key, std::string_view example) {
  auto path = rule.string(key);
  if (!path) return path;
  const std::string allowed = "allowed is an absolute path such as " + std::string{example};
  if (path->front() != '/') rule.refuse(key, std::string{key} + " '" + *path + "' is relative", allowed);
  const std::string ended = *path + "/";
  for (const std::string_view wrong : {"//", "/./", "/../"}) {
    // The root itself is "/"; anything else ends without a slash, as /proc shows it.
    if (*path != "/" && ended.find(wrong) != std::string::npos) {
      rule.refuse(key, std::string{key} + " '" + *path + "' has an empty, . or .. component", allowed);
    }
  }
  return path;
}

std::optional<std::string> word(const ConfigTable& rule, std::string_view key, std::size_t bytes_max) {
  auto text = rule.string(key);
  if (!text) return text;
  if (text->size() > bytes_max) {
    rule.refuse(key, std::string{key} + " '" + *text + "' is longer than " + std::to_string(bytes_max) + " bytes",
                key == "command"
                    ? "the kernel keeps the first 15 bytes of a command: write '" + text->substr(0, bytes_max) + "'"
                    : "give it a shorter name");
  }
  if (key == "flow" && printable(*text) != *text) {
    rule.refuse(key, "flow has control characters in its name", "allowed is printable text");
  }
  return text;
}

Weight weight_of(const ConfigTable& table, std::string_view key, Weight otherwise) {
  const auto weight = table.integer(key, sched::kWeightMin, sched::kWeightMax);
  return weight ? static_cast<Weight>(*weight) : otherwise;
}

std::optional<sched::ServiceClass> class_of(const ConfigTable& rule) {
  using sched::ServiceClass;
  const auto name = rule.string("class");
  if (!name) return std::nullopt;
  if (*name == "rt") return ServiceClass::realtime;
  if (*name == "be") return ServiceClass::best_effort;
  if (*name == "idle") return ServiceClass::idle;
  rule.refuse("class", "class '" + *name + "' is not known", "allowed is \"rt\", \"be\" or \"idle\"");
}

/// Everything but whether it says whom it is for and what they get.
WeightRule read_rule(const ConfigTable& table, Weight default_weight) {
  table.allow_only({"cgroup", "command", "exe", "user", "group", "gid", "pid", "flow", "weight", "class", "min_read",
                    "min_write", "max_read", "max_write", "min_iops", "max_iops", "latency"});
  WeightRule rule;
  rule.cgroup = absolute(table, "cgroup", "/system.slice/cron.service or /user.slice/*");
  rule.command = word(table, "command", kCommandMax);
  rule.exe = absolute(table, "exe", "/usr/bin/rsync");
  rule.user = identity(table, "user", &find_user);
  rule.group = identity(table, "group", &find_group);
  if (const auto gid = identity(table, "gid", &find_group)) {
    if (rule.group) table.refuse("gid", "gid says the same as group", "give one of the two");
    rule.group = gid;
  }
  if (const auto pid = table.integer("pid", 1, kPidMax)) rule.pid = static_cast<pid_t>(*pid);
  rule.flow = word(table, "flow", kFlowNameMax);
  rule.weight = weight_of(table, "weight", default_weight);
  rule.service = class_of(table);
  rule.limits = parse_limits(table);
  rule.weighs = table.has("weight") || rule.flow;
  return rule;
}

WeightRule parse_rule(const ConfigTable& table, Weight default_weight) {
  WeightRule rule = read_rule(table, default_weight);
  if (!rule.cgroup && !rule.names_process()) {
    table.refuse("", "rule says nothing about whom it is for",
                 "give it at least one of cgroup, command, exe, user, group, pid");
  }
  if (!rule.weighs && !rule.service && !rule.limits.any()) {
    table.refuse("", "rule has no weight", "give it a weight from 1 to 10000, a class or a limit");
  }
  return rule;
}

}  // namespace

WeightRule parse_rule(const RuleWords& words) {
  toml::table table;
  for (const auto& [key, word] : words) {
    std::visit([&, &name = key](const auto& value) { table.insert(name, value); }, word);
  }
  const ConfigTable keys{"", table};
  return words.contains("flow") ? read_rule(keys, sched::kWeightDefault) : parse_rule(keys, sched::kWeightDefault);
}

WeightRules parse_weights(std::string_view text, std::string_view file) {
  const toml::table root = parse_toml(text, file);
  const ConfigTable table{file, root};
  table.allow_only({"default_weight", "rule"});
  WeightRules result;
  result.default_weight = weight_of(table, "default_weight", sched::kWeightDefault);
  if (!table.has("rule")) return result;
  const toml::array* const rules = table.node("rule")->as_array();
  if (rules == nullptr) table.refuse("rule", "rule is not a list", "write [[rule]] in double brackets");
  std::map<std::string, Weight> flows;
  for (const toml::node& entry : *rules) {
    if (!entry.is_table()) {
      throw ConfigError{file, entry.source().begin, "rule is not a table", "write [[rule]] with keys below it"};
    }
    const ConfigTable keys{file, *entry.as_table()};
    WeightRule& rule = result.rules.emplace_back(parse_rule(keys, result.default_weight));
    rule.line = entry.source().begin.line;
    if (rule.flow && flows.try_emplace(*rule.flow, rule.weight).first->second != rule.weight) {
      keys.refuse("flow", "flow '" + *rule.flow + "' has another weight in an earlier rule",
                  "give all rules of one flow the same weight");
    }
  }
  return result;
}

}  // namespace fairfs::cli
