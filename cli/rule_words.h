// A rule in words: whom it is for and what they get, with the keys of the weights file. What fairfs-stat --set takes
// and the control socket carries.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace fairfs::cli {

using RuleWord = std::variant<std::int64_t, std::string>;
using RuleWords = std::map<std::string, RuleWord, std::less<>>;

/// "command=rsync,user=1000"; `\,` is a comma in a value. A whole number is one, but for keys whose values are names
/// (cgroup, command, exe, flow, class). Which keys there are, and what is allowed, is the weights parser's to say.
/// Throws Failure (exit status 2) for a word without a key or a value, and for a key that comes twice.
[[nodiscard]] RuleWords parse_rule_words(std::string_view text);

/// The same in words again: "command=rsync,user=1000".
[[nodiscard]] std::string to_text(const RuleWords& words);

/// The keys that say whom a rule is for: cgroup, command, exe, user, group, gid, pid; and `flow` where it stands
/// without any of them: then it means that named flow. The rest says what they get.
[[nodiscard]] RuleWords whom_of(const RuleWords& words);

}  // namespace fairfs::cli
