#include "cli/alert_watch.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "cli/text.h"
#include "cli/weights_verdict.h"

namespace fairfs::cli {
namespace {

using namespace std::chrono_literals;

/// Foreign traffic of a moment is a cron job, full processors of a moment are somebody's build.
constexpr sched::Duration kLasting = 10s;
/// A program alone on the disk is nothing strange: only who has weights and never sees them work wants to know.
constexpr sched::Duration kLong = 30s;
/// A sign that was away for less comes and goes.
constexpr sched::Duration kGone = 10s;
/// Others' part of the traffic from which on weights decide about less than people think, and what is worth a word.
constexpr double kForeignPart = 0.25, kForeignLeast_bytes = 1e6;
const std::string kWeightsFile = "weights file";
/// Ids of what was told, kept: flows come and go.
constexpr std::size_t kToldMost = 10'000;

std::string slowness_words(double slowness) {
  char text[160];
  std::snprintf(text, sizeof text,
                "the disk takes %.2g times as long as its profile says: measure it anew (probe=run at the next mount)",
                slowness);
  return text;
}

std::string processor_words(const AlertSigns& signs) {
  return "weights have little effect: the disk isn't the limit, the processors are: " +
         std::to_string(std::lround(signs.machine.processor_use * 100)) + " % busy";
}

}  // namespace

std::vector<AlertWatch::Sign> AlertWatch::signs_of(const AlertSigns& signs) const {
  std::vector<Sign> result;
  for (const std::string& line : forgeable_) result.push_back({"forgeable " + line, line, {}});
  if (!weights_error_.empty()) {
    result.push_back({kWeightsFile, "the weights file is not in force: " + weights_error_, {}});
  }
  const auto earlier = earlier_readings(signs.before, signs.after);
  for (std::size_t i = 0; i < signs.after.flows.size(); ++i) {
    const auto& flow = signs.after.flows[i];
    const sched::Duration before = earlier[i] != nullptr ? earlier[i]->counters.starved : sched::Duration{};
    if (flow.counters.starved <= before) continue;
    result.push_back({"starved " + std::to_string(flow.key),
                      printable(flow.name) + " has waited over a second with nothing done for it",
                      {}});
  }
  if (const auto slowness = doubt_.factor()) result.push_back({"profile", slowness_words(*slowness), {}});
  if (signs.foreign_bytes_per_s > std::max(kForeignPart * signs.disk_bytes_per_s, kForeignLeast_bytes)) {
    result.push_back({"foreign",
                      "the disk is used past this mount: " + human_bytes(signs.foreign_bytes_per_s) + "/s of " +
                          human_bytes(signs.disk_bytes_per_s) + "/s; weights don't reach that",
                      kLasting});
  }
  if (signs.scheduling && processors_are_the_limit(signs.before, signs.after, signs.machine)) {
    result.push_back({"processors", processor_words(signs), kLasting});
  }
  if (signs.scheduling && signs.elevator == "bfq") {
    result.push_back({"bfq", "bfq underneath schedules the daemon as one program: better none or mq-deadline", {}});
  }
  if (signs.has_rules) {
    const WeightsVerdict verdict = weights_verdict(signs.before, signs.after, signs.scheduling);
    using State = WeightsVerdict::State;
    if (verdict.state != State::in_force && verdict.state != State::idle && verdict.state != State::only_metadata) {
      result.push_back({"without effect " + std::to_string(static_cast<int>(verdict.state)),
                        "weights have been without effect for half a minute: " + to_words(verdict), kLong});
    }
  }
  return result;
}

std::vector<std::string> AlertWatch::look(const AlertSigns& signs, sched::Time now) {
  std::vector<std::string> news;
  doubt_.add(signs.before.slowness, signs.after.slowness, signs.machine.processor_use);
  for (Sign& sign : signs_of(signs)) {
    Held& held = held_[sign.id];
    if (held.since == sched::Time{}) held.since = now;
    held.last = now;
    held.words = std::move(sign.words);
    if (held.raised || now - held.since < sign.lasting) continue;
    held.raised = true;
    if (told_.size() >= kToldMost) told_.clear();
    if (told_.insert(sign.id).second && sign.id != kWeightsFile) news.push_back(held.words);
  }
  if (weights_error_.empty()) held_.erase(kWeightsFile);  // mended: that is no matter of seconds
  std::erase_if(held_, [&](const auto& entry) { return now - entry.second.last >= kGone; });
  return news;
}

std::vector<std::string> AlertWatch::standing() const {
  std::vector<std::string> result;
  for (const auto& [id, held] : held_) {
    if (held.raised) result.push_back(held.words);
  }
  return result;
}

std::vector<std::string> forgeable_rules(const engine::WeightRules& rules, const std::string& file) {
  std::vector<std::string> result;
  for (const engine::WeightRule& rule : rules.rules) {
    if (!rule.command || rule.user || rule.exe || rule.pid) continue;
    result.push_back(printable(file) + ":" + std::to_string(rule.line) + ": any user may call a program '" +
                     printable(*rule.command) + "': add user or exe to the rule");
  }
  return result;
}

}  // namespace fairfs::cli
