// What is changed while running: rules before those of the file.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "cli/rule_words.h"
#include "sched/engine/weight_rules.h"

namespace fairfs::cli {

/// Thread-safe. A change stands before the file's rules and before older changes, so that it is the first to match; it
/// outlives a new file and ends when it is undone, when fairfs ends, and, if it names a pid, with that process.
class WeightOverrides {
 public:
  /// More would only slow down the look at each new caller.
  static constexpr std::size_t kMost = 256;

  using Apply = std::function<void(engine::WeightRules)>;
  /// When the process of that id started (Process::start_time); nothing if there is none.
  using StartOf = std::function<std::optional<std::uint64_t>(pid_t)>;

  /// `file` is in force already. `apply` is called with every new whole, one call at a time, from the thread that made
  /// the change.
  WeightOverrides(engine::WeightRules file, Apply apply, StartOf start_of)
      : file_{std::move(file)}, apply_{std::move(apply)}, start_of_{std::move(start_of)} {}

  /// The file was read again.
  void replace_file(engine::WeightRules file);

  /// One rule (see whom_of): a change for the same ones as an earlier one adds to it, and replaces what it said.
  /// Throws Failure, having changed nothing: a key or value that the weights file wouldn't take either, a flow that no
  /// rule names, a process that isn't there, nothing to change, too many.
  void set(const RuleWords& words);
  /// Ends the change for exactly these. Throws Failure when there is none.
  void unset(const RuleWords& whom);
  void clear();

  /// Whole changes, the newest first.
  [[nodiscard]] std::vector<RuleWords> list();

 private:
  struct Override {
    RuleWords whom, words;
    engine::WeightRule rule;
  };
  // All under the mutex.
  void drop_ended_processes();
  [[nodiscard]] bool names_known_flow(const engine::WeightRule& rule) const;
  [[nodiscard]] engine::WeightRules whole() const;

  std::mutex mutex_;
  engine::WeightRules file_;
  const Apply apply_;
  const StartOf start_of_;
  std::vector<Override> overrides_;  // newest first
};

}  // namespace fairfs::cli
