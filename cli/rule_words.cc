#include "cli/rule_words.h"

#include <algorithm>
#include <array>
#include <limits>

#include "cli/comma_list.h"
#include "cli/failure.h"
#include "cli/numbers.h"

namespace fairfs::cli {
namespace {

constexpr std::string_view kProgram = "fairfs-stat";
constexpr std::array<std::string_view, 5> kNames{"cgroup", "command", "exe", "flow", "class"};
constexpr std::array<std::string_view, 7> kWhom{"cgroup", "command", "exe", "user", "group", "gid", "pid"};

bool is_among(auto& names, std::string_view key) { return std::ranges::find(names, key) != names.end(); }

RuleWord value_of(std::string_view key, std::string_view text) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const auto number = is_among(kNames, key) ? std::nullopt : number_within(text, -kMost, kMost);
  return number ? RuleWord{*number} : RuleWord{std::string{text}};
}

}  // namespace

RuleWords parse_rule_words(std::string_view text) {
  RuleWords result;
  for (const std::string& word : split_at_commas(text)) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      throw misused("'" + word + "' is not of the form KEY=VALUE", kProgram);
    }
    const std::string key = word.substr(0, equals);
    if (!result.try_emplace(key, value_of(key, std::string_view{word}.substr(equals + 1))).second) {
      throw misused("'" + key + "' is there twice", kProgram);
    }
  }
  return result;
}

std::string to_text(const RuleWords& words) {
  std::string result;
  for (const auto& [key, value] : words) {
    const auto* const name = std::get_if<std::string>(&value);
    result.append(result.empty() ? "" : ",").append(key).append("=");
    result += name != nullptr ? escape_commas(*name) : std::to_string(std::get<std::int64_t>(value));
  }
  return result;
}

RuleWords whom_of(const RuleWords& words) {
  RuleWords result;
  for (const auto& [key, value] : words) {
    if (is_among(kWhom, key)) result.emplace(key, value);
  }
  const auto flow = words.find("flow");
  if (result.empty() && flow != words.end()) result.insert(*flow);
  return result;
}

}  // namespace fairfs::cli
