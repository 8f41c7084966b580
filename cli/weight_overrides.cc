#include "cli/weight_overrides.h"

#include <algorithm>
#include <utility>

#include "cli/failure.h"
#include "cli/weights_file.h"

namespace fairfs::cli {
namespace {

using engine::WeightRule;
using engine::WeightRules;

bool names_only_a_flow(const WeightRule& rule) { return rule.flow && !rule.cgroup && !rule.names_process(); }

/// What a change says of a named flow, told to one of the rules that lift processes into it.
void change(WeightRule& rule, const RuleWords& words, const WeightRule& by) {
  if (words.contains("weight")) rule.weight = by.weight;
  if (by.service) rule.service = by.service;
  if (by.limits.any()) rule.limits = by.limits;
  rule.overrides = true;
}

}  // namespace

void WeightOverrides::replace_file(WeightRules file) {
  const std::lock_guard lock{mutex_};
  file_ = std::move(file);
  drop_ended_processes();
  apply_(whole());
}

void WeightOverrides::set(const RuleWords& words) {
  const std::lock_guard lock{mutex_};
  drop_ended_processes();
  Override made{whom_of(words), words, {}};
  const auto before = std::ranges::find(overrides_, made.whom, &Override::whom);
  if (before != overrides_.end()) made.words.insert(before->words.begin(), before->words.end());
  made.rule = parse_rule(made.words);
  made.rule.overrides = true;
  if (made.words.size() == made.whom.size()) {
    throw failed("set", to_text(words), "it says nothing about what to change", "give it a weight, a class or a limit");
  }
  if (names_only_a_flow(made.rule) && !names_known_flow(made.rule)) {
    throw failed("set", to_text(made.whom), "no rule names this flow", "name one that the weights file has");
  }
  if (made.rule.pid) {
    made.rule.start_time = start_of_(*made.rule.pid);
    if (!made.rule.start_time) {
      throw failed("set", to_text(made.whom), "there is no such process", "name one that runs");
    }
  }
  if (before != overrides_.end()) {
    overrides_.erase(before);
  } else if (overrides_.size() == kMost) {
    throw failed("set", to_text(made.whom), std::to_string(kMost) + " changes are in force", "undo one first");
  }
  overrides_.insert(overrides_.begin(), std::move(made));
  apply_(whole());
}

void WeightOverrides::unset(const RuleWords& whom) {
  const std::lock_guard lock{mutex_};
  drop_ended_processes();
  if (std::erase_if(overrides_, [&](const Override& made) { return made.whom == whom; }) == 0) {
    throw failed("unset", to_text(whom), "nothing was set for it", "name it as it was set, or 'all'");
  }
  apply_(whole());
}

void WeightOverrides::clear() {
  const std::lock_guard lock{mutex_};
  overrides_.clear();
  apply_(whole());
}

std::vector<RuleWords> WeightOverrides::list() {
  const std::lock_guard lock{mutex_};
  drop_ended_processes();
  std::vector<RuleWords> result;
  for (const Override& made : overrides_) result.push_back(made.words);
  return result;
}

void WeightOverrides::drop_ended_processes() {
  std::erase_if(overrides_, [this](const Override& made) {
    return made.rule.pid && start_of_(*made.rule.pid) != made.rule.start_time;
  });
}

bool WeightOverrides::names_known_flow(const WeightRule& rule) const {
  const auto same = [&](const WeightRule& other) { return other.flow == rule.flow && !names_only_a_flow(other); };
  return std::ranges::any_of(file_.rules, same) ||
         std::ranges::any_of(overrides_, [&](const Override& made) { return same(made.rule); });
}

WeightRules WeightOverrides::whole() const {
  WeightRules result{file_.default_weight, {}};
  for (const Override& made : overrides_) {
    if (!names_only_a_flow(made.rule)) result.rules.push_back(made.rule);
  }
  result.rules.insert(result.rules.end(), file_.rules.begin(), file_.rules.end());
  // From the oldest on, so that the newest has the last word.
  for (auto made = overrides_.rbegin(); made != overrides_.rend(); ++made) {
    if (!names_only_a_flow(made->rule)) continue;
    for (WeightRule& rule : result.rules) {
      if (rule.flow == made->rule.flow) change(rule, made->words, made->rule);
    }
  }
  return result;
}

}  // namespace fairfs::cli
