#include "cli/explanation_text.h"

#include <array>
#include <utility>

#include "cli/json_words.h"
#include "cli/json_writer.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

using engine::Explanation;
using engine::Origin;
using engine::WeightRule;
using nlohmann::json;

void write(JsonWriter& out, std::string_view key, const Origin& origin) {
  out.key(key).open('{').field("kind", static_cast<unsigned>(origin.kind));
  if (origin.rule) {
    out.field("line", origin.rule->line).field("overrides", origin.rule->overrides).key("rule").open('{');
    for (const auto& [name, word] : words_of(*origin.rule)) {
      out.key(name);
      std::visit([&out](const auto& value) { out.value(value); }, word);
    }
    out.close('}');
  }
  out.close('}');
}

constexpr std::array<std::pair<const char*, std::uint64_t sched::Limits::*>, 6> kLimits{
    {{"min_read", &sched::Limits::min_read},
     {"min_write", &sched::Limits::min_write},
     {"max_read", &sched::Limits::max_read},
     {"max_write", &sched::Limits::max_write},
     {"min_iops", &sched::Limits::min_iops},
     {"max_iops", &sched::Limits::max_iops}}};

/// Nothing where there are none.
void write(JsonWriter& out, const sched::Limits& limits, const Origin& origin) {
  if (!limits.any()) return;
  out.key("limits").open('{');
  for (const auto& [name, member] : kLimits) out.field(name, limits.*member);
  out.field("latency", limits.latency.count()).close('}');
  write(out, "limits_origin", origin);
}

template <typename Enumeration>
Enumeration one_of(const json& value, Enumeration last) {
  const auto number = value.get<unsigned>();
  if (number > static_cast<unsigned>(last)) throw std::out_of_range{"enumeration"};
  return static_cast<Enumeration>(number);
}

template <typename Value>
std::optional<Value> part(const json& rule, const char* key) {
  return rule.contains(key) ? std::optional{rule.at(key).get<Value>()} : std::nullopt;
}

Origin origin_from(const json& value) {
  Origin origin{one_of(value.at("kind"), Origin::Kind::priority), std::nullopt};
  if (!value.contains("rule")) {
    if (origin.kind == Origin::Kind::rule) throw std::out_of_range{"rule"};
    return origin;
  }
  const json& words = value.at("rule");
  WeightRule& rule = origin.rule.emplace();
  value.at("line").get_to(rule.line);
  value.at("overrides").get_to(rule.overrides);
  rule.cgroup = part<std::string>(words, "cgroup");
  rule.command = part<std::string>(words, "command");
  rule.exe = part<std::string>(words, "exe");
  rule.user = part<uid_t>(words, "user");
  rule.group = part<gid_t>(words, "group");
  rule.pid = part<pid_t>(words, "pid");
  rule.flow = part<std::string>(words, "flow");
  rule.weighs = words.contains("weight");
  if (rule.weighs) words.at("weight").get_to(rule.weight);
  return origin;
}

void limits_from(const json& value, sched::Limits& limits, Origin& origin) {
  if (!value.contains("limits")) return;
  const json& given = value.at("limits");
  for (const auto& [name, member] : kLimits) given.at(name).get_to(limits.*member);
  limits.latency = sched::Duration{given.at("latency").get<sched::Duration::rep>()};
  origin = origin_from(value.at("limits_origin"));
}

}  // namespace

RuleWords words_of(const WeightRule& rule) {
  RuleWords words;
  if (rule.cgroup) words.emplace("cgroup", *rule.cgroup);
  if (rule.command) words.emplace("command", *rule.command);
  if (rule.exe) words.emplace("exe", *rule.exe);
  if (rule.user) words.emplace("user", *rule.user);
  if (rule.group) words.emplace("group", *rule.group);
  if (rule.pid) words.emplace("pid", *rule.pid);
  if (rule.flow) words.emplace("flow", *rule.flow);
  if (rule.weighs) words.emplace("weight", rule.weight);
  if (rule.service) words.emplace("class", std::string{class_word(*rule.service)});
  return words;
}

std::string explain_line(pid_t pid) { return "{\"explain\":" + std::to_string(pid) + "}"; }

std::string to_line(const Explanation& explanation) {
  const engine::Process& process = explanation.process;
  JsonWriter out;
  out.open('{')
      .field("known", process.kind == engine::Process::Kind::process)
      .field("pid", process.pid)
      .field("command", process.command)
      .field("cgroup", process.cgroup)
      .field("uid", process.uid)
      .field("level", process.priority.level)
      .field("name", explanation.name)
      .field("shared", explanation.shared)
      .key("levels")
      .open('[');
  for (const auto& level : explanation.levels) {
    out.open('{')
        .field("kind", static_cast<unsigned>(level.kind))
        .field("cgroup", level.cgroup)
        .field("user", level.user)
        .field("weight", level.weight);
    write(out, "origin", level.origin);
    write(out, level.limits, level.limits_origin);
    out.close('}');
  }
  out.close(']').field("weight", explanation.weight).field("unscaled", explanation.unscaled);
  write(out, "weight_origin", explanation.weight_origin);
  out.field("class", static_cast<unsigned>(explanation.service));
  write(out, "class_origin", explanation.class_origin);
  write(out, explanation.limits, explanation.limits_origin);
  out.key("flows").open('[');
  for (const std::uint64_t key : explanation.flows) out.value(key);
  out.close(']').close('}');
  return out.take();
}

Explanation parse_explanation(std::string_view line) {
  return understand(line, [](const json& value) {
    Explanation result;
    engine::Process& process = result.process;
    process.kind = value.at("known").get<bool>() ? engine::Process::Kind::process : engine::Process::Kind::unknown;
    value.at("pid").get_to(process.pid);
    value.at("command").get_to(process.command);
    value.at("cgroup").get_to(process.cgroup);
    value.at("uid").get_to(process.uid);
    value.at("level").get_to(process.priority.level);
    value.at("name").get_to(result.name);
    value.at("shared").get_to(result.shared);
    for (const json& level : value.at("levels")) {
      result.levels.push_back({one_of(level.at("kind"), engine::GroupKind::user), level.at("cgroup").get<std::string>(),
                               level.at("user").get<uid_t>(), level.at("weight").get<sched::Weight>(),
                               origin_from(level.at("origin"))});
      limits_from(level, result.levels.back().limits, result.levels.back().limits_origin);
    }
    value.at("weight").get_to(result.weight);
    value.at("unscaled").get_to(result.unscaled);
    result.weight_origin = origin_from(value.at("weight_origin"));
    result.service = one_of(value.at("class"), sched::ServiceClass::idle);
    result.class_origin = origin_from(value.at("class_origin"));
    limits_from(value, result.limits, result.limits_origin);
    value.at("flows").get_to(result.flows);
    return result;
  });
}

}  // namespace fairfs::cli
