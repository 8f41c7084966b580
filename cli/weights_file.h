// The weights file: TOML in, the engine's rules out.
#pragma once

#include <string>
#include <string_view>

#include "cli/rule_words.h"
#include "cli/unique_fd.h"
#include "sched/engine/weight_rules.h"

namespace fairfs::cli {

/// `file` is only for messages. Throws ConfigError ("file:line:column: what; what is allowed") at the first thing
/// wrong: not TOML, unknown key, wrong type, weight outside 1..10000, unknown user or group, relative path, a rule that
/// matches nothing in particular. Users and groups are looked up in this system's database.
[[nodiscard]] engine::WeightRules parse_weights(std::string_view text, std::string_view file);

/// One rule that stands in no file, with the same keys and ranges; it may be for a named flow and nobody else. Throws
/// ConfigError ("what; what is allowed").
[[nodiscard]] engine::WeightRule parse_rule(const RuleWords& words);

/// A weights file whose directory was opened before mounting: reading it later can't walk through the mount that this
/// very daemon serves, even where the mount now covers its path.
class WeightsFile {
 public:
  /// What a failure advises; for a mount, which can do without the file.
  static constexpr const char* kMountAdvice = "name a file that can be read, or leave weights out";

  /// `path` absolute. Throws Failure, with `advice`, when its directory can't be opened.
  explicit WeightsFile(std::string path, const char* advice = kMountAdvice);

  /// Throws Failure naming the path when it can't be read or is over 1 MiB.
  [[nodiscard]] std::string read() const;
  [[nodiscard]] engine::WeightRules load() const { return parse_weights(read(), path_); }

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The last component of the path, and the directory that holds it.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] int directory() const { return directory_.get(); }

 private:
  std::string path_;
  const char* advice_;
  UniqueFd directory_;
};

}  // namespace fairfs::cli
