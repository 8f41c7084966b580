#include "cli/explanation_view.h"

#include <utility>

#include "cli/explanation_text.h"
#include "cli/limits_view.h"
#include "cli/share_explanation.h"

namespace fairfs::cli {
namespace {

using engine::Explanation;
using engine::GroupKind;
using engine::Origin;
using sched::ServiceClass;

/// The rule without what it gives: whom it is for.
std::string whom(const engine::WeightRule& rule) { return to_text(whom_of(words_of(rule))); }

std::string rule_words(const engine::WeightRule& rule, const std::string& file) {
  if (rule.overrides && rule.line == 0) return "it was set while running (" + whom(rule) + ")";
  const std::string changed = rule.overrides ? ", changed while running" : "";
  return "the rule in line " + std::to_string(rule.line) + " of " + file + " says so (" + whom(rule) + changed + ")";
}

std::string origin_words(const Origin& origin, const std::string& file) {
  switch (origin.kind) {
    case Origin::Kind::rule:
      return rule_words(*origin.rule, file);
    case Origin::Kind::cgroup_file:
      return "the cgroup's own file (io.weight or its like) says so";
    case Origin::Kind::default_weight:
      return "no rule says anything about it, and this is the default";
    case Origin::Kind::fixed:
      return "as always";
    case Origin::Kind::priority:
      return "by ionice, or by nice where that was never set";
  }
  return {};
}

class Sentences {
 public:
  Sentences(const Explanation& why, const std::string& file, const std::string& user) : why_{why}, file_{file} {
    const engine::Process& process = why.process;
    say(process.command + "[" + std::to_string(process.pid) + "] of user " + user + " is in cgroup " + process.cgroup +
        ".");
  }

  std::vector<std::string> take() {
    weight();
    levels();
    service();
    limits();
    return std::move(sentences_);
  }

 private:
  void say(std::string sentence) { sentences_.push_back(std::move(sentence)); }

  void weight() {
    const std::string number = std::to_string(why_.weight);
    if (why_.shared) {
      say("It is one of those in the flow '" + why_.name + "', which together weigh " + number + ": " +
          origin_words(why_.weight_origin, file_) + ".");
      return;
    }
    say("It weighs " + std::to_string(why_.unscaled) + ": " + origin_words(why_.weight_origin, file_) + ".");
    if (why_.weight != why_.unscaled) {
      say("Its I/O priority, level " + std::to_string(why_.process.priority.level) +
          " (by ionice, else by nice), makes that " + number + ".");
    }
  }

  void levels() {
    for (const auto& level : why_.levels) {
      const std::string weighs = " weighs " + std::to_string(level.weight) + " against those beside it: ";
      if (level.kind == GroupKind::cgroup) {
        say("The cgroup " + level.cgroup + weighs + origin_words(level.origin, file_) + ".");
      } else if (level.kind == GroupKind::user) {
        say("The user's processes together: " + std::to_string(level.weight) +
            " against other users': " + origin_words(level.origin, file_) + ".");
      }
    }
  }

  void service() {
    if (why_.service == ServiceClass::best_effort && why_.class_origin.kind == Origin::Kind::priority) return;
    const std::string by = ": " + origin_words(why_.class_origin, file_) + ".";
    switch (why_.service) {
      case ServiceClass::realtime:
        say("Its class is rt, which goes before all others whatever they weigh" + by);
        break;
      case ServiceClass::best_effort:
        say("Its class is be, the usual one" + by);
        break;
      case ServiceClass::idle:
        say("Its class is idle: it gets what the others leave, and always a few per cent" + by);
        break;
    }
  }

  void limits() {
    const auto say_limits = [this](const std::string& whose, const sched::Limits& limits, const Origin& origin) {
      if (limits.any()) say(whose + to_words(limits) + ": " + origin_words(origin, file_) + ".");
    };
    for (const auto& level : why_.levels) {
      const bool is_user = level.kind == GroupKind::user;
      say_limits((is_user ? "The user's processes" : "All in cgroup " + level.cgroup) + " together have the limits ",
                 level.limits, level.limits_origin);
    }
    say_limits(why_.shared ? "The flow has the limits " : "It has the limits ", why_.limits, why_.limits_origin);
  }

  const Explanation& why_;
  const std::string& file_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> explain(const Explanation& why, const IntervalView& interval, const std::string& user) {
  std::vector<std::string> sentences = Sentences{why, interval.about.weights, user}.take();
  for (std::string& sentence : explain_share(why, interval)) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace fairfs::cli
