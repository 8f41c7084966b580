// What somebody should know, in words: raised when it lasts, gone when it is over, told once.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/processor_verdict.h"
#include "cli/profile_doubt.h"
#include "sched/engine/snapshot.h"
#include "sched/engine/weight_rules.h"

namespace fairfs::cli {

/// What there is to see in one second.
struct AlertSigns {
  const engine::Snapshot& before;
  const engine::Snapshot& after;
  bool scheduling = true;
  bool has_rules = false;  ///< somebody expects weights to do something
  std::string elevator;    ///< the kernel's own scheduler underneath
  double disk_bytes_per_s = 0, foreign_bytes_per_s = 0;
  MachineLoad machine = {};
};

/// Pure; not thread-safe.
class AlertWatch {
 public:
  /// `profile_error`: profile_doubt.h.
  explicit AlertWatch(double profile_error = error_of(sched::Confidence::high)) : doubt_{profile_error} {}

  /// Rules that any user can slip under, as lines for people; they stand as long as the rules do.
  void set_forgeable(std::vector<std::string> lines) { forgeable_ = std::move(lines); }

  /// What is wrong with the weights file, whose last good rules stay in force; empty for nothing. Whoever found it has
  /// logged it.
  void set_weights_error(std::string line) { weights_error_ = std::move(line); }

  /// Once a second. What is new and was never told before.
  [[nodiscard]] std::vector<std::string> look(const AlertSigns& signs, sched::Time now);
  /// What holds now.
  [[nodiscard]] std::vector<std::string> standing() const;

 private:
  struct Sign {
    std::string id, words;
    sched::Duration lasting{};  ///< how long it must hold before anybody is told
  };
  struct Held {
    std::string words;
    sched::Time since{}, last{};
    bool raised = false;
  };
  [[nodiscard]] std::vector<Sign> signs_of(const AlertSigns& signs) const;

  ProfileDoubt doubt_;
  std::vector<std::string> forgeable_;
  std::string weights_error_;
  std::map<std::string, Held> held_;  // by id
  std::set<std::string> told_;        // ids
};

/// Rules that name a program by nothing but a name any user may give theirs, one line each: "FILE:LINE: ...".
[[nodiscard]] std::vector<std::string> forgeable_rules(const engine::WeightRules& rules, const std::string& file);

}  // namespace fairfs::cli
