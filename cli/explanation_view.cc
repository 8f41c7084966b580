#include "cli/explanation_view.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/explanation_text.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

using engine::Explanation;
using engine::GroupKind;
using engine::Origin;
using sched::ServiceClass;

std::string percent(double fraction) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.1f %%", fraction * 100);
  return buffer.data();
}

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
  Sentences(const Explanation& why, const IntervalView& interval, const std::string& user)
      : why_{why}, interval_{interval}, file_{interval.about.weights} {
    const engine::Process& process = why.process;
    say(process.command + "[" + std::to_string(process.pid) + "] of user " + user + " is in cgroup " + process.cgroup +
        ".");
  }

  std::vector<std::string> take() {
    weight();
    levels();
    service();
    for (const FlowView& flow : interval_.flows) {
      if (std::ranges::find(why_.flows, flow.key) != why_.flows.end()) flows_.push_back(&flow);
    }
    due();
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
      say("Its ionice level " + std::to_string(why_.process.priority.level) + " makes that " + number + ".");
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

  void due() {
    if (!interval_.about.scheduling) say("The mount was made with sched=off: weights and classes count for nothing.");
    if (flows_.empty()) {
      say("It has asked " + interval_.about.mountpoint + " for nothing in the last 10 s, so nothing is due to it.");
      return;
    }
    FlowView sum;
    for (const FlowView* flow : flows_) {
      sum.share_due += flow->share_due;
      sum.share_got += flow->share_got;
      sum.cached_per_s += flow->cached_per_s;
      sum.reads_per_s += flow->reads_per_s;
      sum.metadata_per_s += flow->metadata_per_s;
      sum.backlogged = std::max(sum.backlogged, flow->backlogged);
      sum.throttled = std::max(sum.throttled, flow->throttled);
      sum.starved = std::max(sum.starved, flow->starved);
      sum.queued += flow->queued;
    }
    if (sum.share_due == 0) return without_disk(sum);
    const auto others = std::ranges::count_if(interval_.flows, [&](const FlowView& flow) {
      return flow.share_due > 0 && std::ranges::find(flows_, &flow) == flows_.end();
    });
    if (interval_.about.scheduling) {
      say("In the last second " + std::to_string(others) + (others == 1 ? " other flow" : " other flows") +
          " used the disk, too: " + percent(sum.share_due) + " of its time are due to this one.");
    }
    got(sum, others);
    if (sum.throttled > 0.01) {
      say("Its writes waited " + percent(sum.throttled) + " of the time for its own dirty data to be written.");
    }
    if (sum.starved > 0) say("It waited for over a second with nothing done for it.");
  }

  /// It had nothing to do with the disk in that second.
  void without_disk(const FlowView& sum) {
    if (sum.queued != 0) return say("Its requests have only just begun to wait.");
    if (sum.cached_per_s > 0)
      return say("The page cache answered all it read: that never waits, and no weight counts.");
    if (sum.metadata_per_s > 0) return say("It only asked for names and attributes, which are never queued.");
    say("In the last second it asked the disk for nothing, so nothing was due to it.");
  }

  void got(const FlowView& sum, std::ptrdiff_t others) {
    const std::string part = "It got " + percent(sum.share_got);
    if (others == 0)
      return say(part + ": it was alone, and whoever is alone gets all it asks for, whatever it weighs.");
    if (!interval_.about.scheduling) return say(part + ", as it asked.");
    if (sum.share_got > sum.share_due * (1 + kShareTolerance)) {
      return say(part + ", more than is due, because " +
                 (precedes_others() ? "its class goes before the others'." : "others did not use up theirs."));
    }
    if (sum.share_got >= sum.share_due * (1 - kShareTolerance)) return say(part + ", which is what is due.");
    if (sum.backlogged < kBacklogged) {
      return say(part + ", less than is due: it did not ask for more. Requests of it were waiting in only " +
                 percent(sum.backlogged) +
                 " of the time; a program that has one request at a time in flight can't use a "
                 "large share.");
    }
    if (follows_others()) return say(part + ", less than is due by weight, because others are of a higher class.");
    say(part +
        ", less than is due, although it asked for more: it pays for what it was given before (a deadline, "
        "metadata), or others' requests could wait no longer.");
  }

  [[nodiscard]] bool precedes_others() const {
    return std::ranges::any_of(
        interval_.flows, [this](const FlowView& flow) { return flow.share_due > 0 && flow.service > why_.service; });
  }
  [[nodiscard]] bool follows_others() const {
    return std::ranges::any_of(
        interval_.flows, [this](const FlowView& flow) { return flow.share_due > 0 && flow.service < why_.service; });
  }

  const Explanation& why_;
  const IntervalView& interval_;
  const std::string& file_;
  std::vector<const FlowView*> flows_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> explain(const Explanation& why, const IntervalView& interval, const std::string& user) {
  return Sentences{why, interval, user}.take();
}

}  // namespace fairfs::cli
