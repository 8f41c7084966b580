#include "probe/verdict.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "probe/coefficients.h"

namespace fairfs::probe {
namespace {

/// Idling is off from here on: interleaving costs less than holding the disk might.
constexpr double kInterleavingFree = 0.9;
/// And on below this; between the two the last verdict stays.
constexpr double kInterleavingLoses = 0.85;
/// Two requests at once on two heads meet on different ones half of the time and gain a third; one head that picks the
/// nearer of two gains about a tenth. Half way between.
constexpr double kPairGain = 1.22;
/// A stream total this near to the best one loses nothing worth having.
constexpr double kStreamsPart = 0.95;
/// As sched::DiskProfile::saturating_bytes says.
constexpr double kSaturated = 0.9;
constexpr double kSpreadMax = 0.10;
/// One head gains a tenth or two by sorting, which noise may hide; and its slots keep it from waiting for the program.
constexpr std::uint32_t kSerialDepthLeast = 4;
/// In flight by Little's law, of what was asked for.
constexpr double kLoadLeast = 0.85;

sched::Duration duration(double seconds) { return sched::Duration{std::llround(seconds * 1e9)}; }

double interleaving(const Samples& samples) {
  const double alone = samples.rate(streams_trial(1));
  return alone > 0 ? std::min(samples.rate(streams_trial(2)), samples.rate(streams_trial(4))) / alone : 0;
}

bool measured_streams(const Samples& samples) {
  return samples.has(streams_trial(1)) && samples.has(streams_trial(2)) && samples.has(streams_trial(4));
}

/// The worst of all that the numbers come from, but flushes (a journal's work varies by itself) and streams side by
/// side (on several heads it depends on how they happen to lie).
double spread(const Samples& samples, std::uint32_t knee) {
  double worst = std::max(samples.spread(random_trial(Operation::read, 1)), samples.spread(streams_trial(1)));
  for (const Operation operation : {Operation::read, Operation::write}) {
    for (const Trial& trial :
         {random_trial(operation, knee), large_random_trial(operation), bandwidth_trial(operation)}) {
      worst = std::max(worst, samples.spread(trial));
    }
  }
  return worst;
}

/// A random read that takes longer (s) waits for a head: half a rotation of the fastest disks is 2 ms.
constexpr double kHeadMoves = 3e-3;
/// What turning to a stream elsewhere on such a disk costs at least (s): a mean seek across it and half a rotation at
/// 7200/min. The files that are measured lie within a small part of it, where seeks are short.
constexpr double kAcrossDisk = 12e-3;

/// Of one head what a request of two streams takes longer than one of a single stream, or a random read if that is
/// more: how two streams happen to lie makes a rotation's difference. Of several heads two streams don't show what it
/// costs to bring all of them to another stream, since they move at the same time: each seeks once.
double switch_seconds(const Samples& samples, double parallelism) {
  const double beside = std::max(0.0, samples.seconds(streams_trial(2)) - samples.seconds(streams_trial(1)));
  const DiskKind kind = kind_of(samples);
  if (kind == DiskKind::parallel) return beside;
  const double alone = samples.seconds(random_trial(Operation::read, 1));
  if (kind == DiskKind::striped) return std::max(beside, parallelism * alone);
  return std::max({beside, alone, alone >= kHeadMoves ? kAcrossDisk : 0});
}

void judge_streams(const Samples& samples, bool idle_before, sched::DiskProfile& profile) {
  profile.measured.streams = true;
  profile.interleave_ratio = interleaving(samples);
  profile.idle =
      profile.interleave_ratio < kInterleavingLoses || (profile.interleave_ratio < kInterleavingFree && idle_before);
  double best = 0;
  for (const std::uint32_t streams : {1U, 2U, 4U, 8U}) best = std::max(best, samples.rate(streams_trial(streams)));
  std::uint32_t most = 1;
  for (const std::uint32_t streams : {2U, 4U, 8U}) {
    if (samples.rate(streams_trial(streams)) >= kStreamsPart * best) most = streams;
  }
  // Eight that are as good as one are no reason to believe in more where two or four were not.
  profile.best_streams = most == 8 && !profile.idle ? std::max(profile.depth, most) : most;
  profile.switch_cost = duration(switch_seconds(samples, profile.parallelism));
  double fastest = 0;
  const std::initializer_list<std::uint64_t> sizes{64 * 1024, kStreamBytes, 256 * 1024, 512 * 1024, kLarge};
  for (const std::uint64_t bytes : sizes) fastest = std::max(fastest, samples.bandwidth(size_trial(bytes)));
  for (const std::uint64_t bytes : sizes) {
    if (samples.bandwidth(size_trial(bytes)) < kSaturated * fastest) continue;
    profile.saturating_bytes = bytes;
    break;
  }
}

std::string percent(double part) { return std::to_string(std::lround(part * 100)) + " %"; }

std::string describe(const Samples& samples, const sched::DiskProfile& profile) {
  const std::string at_once = std::to_string(std::lround(profile.parallelism * 10) / 10) + "." +
                              std::to_string(std::lround(profile.parallelism * 10) % 10);
  if (!profile.measured.streams) return "serves " + at_once + " requests in the time of one";
  const std::string together = "streams side by side get " + percent(profile.interleave_ratio) + " of one alone";
  switch (kind_of(samples)) {
    case DiskKind::serial:
      return "serial disk: a queue gains " + at_once + " by sorting, " + together;
    case DiskKind::striped:
      return "several disks in one: serves " + at_once + " requests in the time of one, but " + together;
    case DiskKind::parallel:
      return "parallel disk: serves " + at_once + " requests in the time of one, " + together;
  }
  return {};
}

}  // namespace

DiskKind kind_of(const Samples& samples) {
  if (interleaving(samples) >= kInterleavingLoses) return DiskKind::parallel;
  const double alone = samples.rate(random_trial(Operation::read, 1));
  return samples.rate(random_trial(Operation::read, 2)) < kPairGain * alone ? DiskKind::serial : DiskKind::striped;
}

sched::DiskProfile judge(const Samples& samples, std::uint32_t knee, bool idle_before) {
  sched::DiskProfile profile;
  const double alone = samples.rate(random_trial(Operation::read, 1));
  if (alone > 0) {
    double most = 0;
    for (const auto& [trial, rates] : samples.rates()) {
      if (trial == random_trial(Operation::read, trial.depth)) most = std::max(most, samples.rate(trial));
    }
    profile.depth = kind_of(samples) == DiskKind::serial ? std::max(knee, kSerialDepthLeast) : knee;
    profile.parallelism = most / alone;
    if (measured_streams(samples)) judge_streams(samples, idle_before, profile);
    if (samples.has(bandwidth_trial(Operation::read))) {
      profile.measured.reads = true;
      profile.read = coefficients(samples, Operation::read, knee);
    }
  }
  if (samples.has(bandwidth_trial(Operation::write)) && samples.has(random_trial(Operation::write, knee))) {
    profile.measured.writes = true;
    profile.write = coefficients(samples, Operation::write, knee);
  } else if (profile.measured.reads) {
    profile.write = profile.read;  // nearer than the default's guess
  }
  if (samples.has(sync_trial())) {
    profile.measured.sync = true;
    profile.sync = duration(samples.seconds(sync_trial()));
  }
  if (!profile.measured.reads) return profile;
  profile.reason = describe(samples, profile);
  profile.confidence = sched::Confidence::high;
  const auto doubt = [&profile](const std::string& why) {
    profile.confidence = sched::Confidence::low;
    profile.reason += "; " + why;
  };
  if (const double worst = spread(samples, knee); worst > kSpreadMax) doubt("rounds differ by " + percent(worst));
  for (const std::uint32_t streams : {2U, 4U}) {
    const auto [least, most] = samples.range_over(streams_trial(streams), streams_trial(1));
    if (least < kInterleavingLoses && most >= kInterleavingFree && !profile.idle) {
      doubt("rounds disagree on streams side by side");
    }
  }
  if (samples.load() < kLoadLeast) doubt("this machine, not the disk, was the limit");
  return profile;
}

}  // namespace fairfs::probe
