#include "cli/share_explanation.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/limits_view.h"

namespace fairfs::cli {
namespace {

using engine::Explanation;
using engine::GroupKind;
using sched::Limits;

std::string percent(double fraction) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.1f %%", fraction * 100);
  return buffer.data();
}

/// A node above the process that is in the interval, too.
bool is_level(const Explanation::Level& level, const GroupView& group) {
  return level.kind == group.kind && level.cgroup == group.cgroup && level.user == group.user;
}

class Sentences {
 public:
  Sentences(const Explanation& why, const IntervalView& interval) : why_{why}, interval_{interval} {
    for (const FlowView& flow : interval_.flows) {
      if (is_own(flow)) add(flow);
    }
  }

  std::vector<std::string> take() {
    if (!interval_.about.scheduling) say("The mount was made with sched=off: weights and classes count for nothing.");
    if (!seen_) {
      say("It has asked " + interval_.about.mountpoint + " for nothing in the last 10 s, so nothing is due to it.");
    } else if (sum_.share_due == 0) {
      without_disk();
    } else {
      due();
    }
    return std::move(sentences_);
  }

 private:
  void say(std::string sentence) { sentences_.push_back(std::move(sentence)); }

  [[nodiscard]] bool is_own(const FlowView& flow) const {
    return std::ranges::find(why_.flows, flow.key) != why_.flows.end();
  }

  void add(const FlowView& flow) {
    seen_ = true;
    sum_.share_due += flow.share_due;
    sum_.share_got += flow.share_got;
    sum_.cached_per_s += flow.cached_per_s;
    sum_.metadata_per_s += flow.metadata_per_s;
    sum_.backlogged = std::max(sum_.backlogged, flow.backlogged);
    sum_.throttled = std::max(sum_.throttled, flow.throttled);
    sum_.starved = std::max(sum_.starved, flow.starved);
    sum_.queued += flow.queued;
    rates_.add(flow);
  }

  /// It had nothing to do with the disk in that second.
  void without_disk() {
    if (sum_.queued != 0) return say("Its requests have only just begun to wait.");
    if (sum_.cached_per_s > 0)
      return say("The page cache answered all it read: that never waits, and no weight counts.");
    if (sum_.metadata_per_s > 0) return say("It only asked for names and attributes, which are never queued.");
    say("In the last second it asked the disk for nothing, so nothing was due to it.");
  }

  void due() {
    const auto others = std::ranges::count_if(
        interval_.flows, [this](const FlowView& flow) { return flow.share_due > 0 && !is_own(flow); });
    if (interval_.about.scheduling) {
      say("In the last second " + std::to_string(others) + (others == 1 ? " other flow" : " other flows") +
          " used the disk, too: " + percent(sum_.share_due) + " of its time are due to this one.");
    }
    got(others);
    if (sum_.throttled > 0.01) {
      say("Its writes waited " + percent(sum_.throttled) + " of the time for its own dirty data to be written.");
    }
    if (sum_.starved > 0) say("It waited for over a second with nothing done for it.");
  }

  void got(std::ptrdiff_t others) {
    const std::string part = "It got " + percent(sum_.share_got);
    if (!interval_.about.scheduling && others != 0) return say(part + ", as it asked.");
    const bool wants_more = sum_.backlogged >= kBacklogged;
    if (const std::string ceilings = limits_that(ceilings_reached); wants_more && !ceilings.empty()) {
      return say(part + " and wants more, but is as fast as it may be (" + ceilings + "): a ceiling holds even when " +
                 "the disk is idle.");
    }
    if (others == 0)
      return say(part + ": it was alone, and whoever is alone gets all it asks for, whatever it weighs.");
    if (sum_.share_got > sum_.share_due * (1 + kShareTolerance)) return say(part + ", more than is due, " + more());
    if (sum_.share_got >= sum_.share_due * (1 - kShareTolerance)) return say(part + ", which is what is due.");
    if (interval_.state.processor_bound && !follows_others()) {
      return say(part + ", less than is due: the processors are the limit and not the disk (" +
                 percent(interval_.state.processor_use) + " busy). Who gets a processor first is served first, and " +
                 "weights hold less well.");
    }
    if (!wants_more) {
      return say(part + ", less than is due: it did not ask for more. Requests of it were waiting in only " +
                 percent(sum_.backlogged) +
                 " of the time; a program that has one request at a time in flight can't use a "
                 "large share.");
    }
    if (follows_others()) return say(part + ", less than is due by weight, because others are of a higher class.");
    say(part +
        ", less than is due, although it asked for more: it pays for what it was given before (a deadline, "
        "metadata), or others' requests could wait no longer or are guaranteed (floors, latency).");
  }

  [[nodiscard]] std::string more() const {
    if (const std::string floors = limits_that(floors_in_use); !floors.empty()) {
      return "because that much is guaranteed to it whatever it weighs (" + floors + ").";
    }
    if (precedes_others()) return "because its class goes before the others'.";
    if (interval_.state.processor_bound) {
      return "because the processors are the limit and not the disk (" + percent(interval_.state.processor_use) +
             " busy): others had to wait for one.";
    }
    return "because others did not use up theirs.";
  }

  /// Those of its own limits and of the nodes' above it that `chosen` picks.
  [[nodiscard]] std::string limits_that(std::string (&chosen)(const Limits&, const DiskRates&)) const {
    std::string result = chosen(why_.limits, rates_);
    for (const auto& level : why_.levels) {
      if (!level.limits.any()) continue;
      const std::string words = chosen(level.limits, rates_below(level));
      if (words.empty()) continue;
      const std::string whose = level.kind == GroupKind::user ? "its user's" : "of cgroup " + level.cgroup;
      result.append(result.empty() ? "" : "; ").append(words).append(" ").append(whose);
    }
    return result;
  }

  [[nodiscard]] DiskRates rates_below(const Explanation::Level& level) const {
    DiskRates result;
    for (const FlowView& flow : interval_.flows) {
      for (std::int32_t at = flow.group; at != -1; at = interval_.groups[static_cast<std::size_t>(at)].parent) {
        if (is_level(level, interval_.groups[static_cast<std::size_t>(at)])) result.add(flow);
      }
    }
    return result;
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
  bool seen_ = false;
  FlowView sum_;  ///< of its flows: several where its threads have several classes
  DiskRates rates_;
  std::vector<std::string> sentences_;
};

}  // namespace

std::vector<std::string> explain_share(const Explanation& why, const IntervalView& interval) {
  return Sentences{why, interval}.take();
}

}  // namespace fairfs::cli
