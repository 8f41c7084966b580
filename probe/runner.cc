#include "probe/runner.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <random>
#include <system_error>

#include "probe/aio_disk.h"
#include "probe/estimator.h"
#include "probe/filling.h"
#include "probe/large_files.h"
#include "probe/load.h"
#include "probe/source.h"
#include "probe/traffic.h"

namespace fairfs::probe {
namespace {

constexpr std::uint64_t kFileBytes = std::uint64_t{256} << 20;
/// Only to be written: the reads go to files that exist. A stripe of four writes 70 MiB of it in one trial.
constexpr std::uint64_t kWriteFileBytes = std::uint64_t{128} << 20;
/// Others' part of the traffic on the device that a measurement bears. Metadata of our own writes is less.
constexpr double kForeignMax = 0.10;

Measurement not_measured(const std::string& why) {
  Measurement result;
  result.profile.reason = "not measured: " + why + "; defaults are taken";
  return result;
}

/// The active one stands in brackets.
bool queued_by_bfq(dev_t device) {
  std::ifstream file{device_directory(device) + "/queue/scheduler"};
  std::string text;
  std::getline(file, text);
  return text.find("[bfq]") != text.npos;
}

/// What went through the device, and what of it was ours.
class Traffic {
 public:
  explicit Traffic(dev_t device) : device_(device), all_(device_traffic(device)), own_(own_traffic()) {}
  /// Others' part since then, 0..1; 0 where the kernel doesn't count.
  [[nodiscard]] double foreign() const {
    const auto all = device_traffic(device_), own = own_traffic();
    if (!all_ || !own_ || !all || !own || *all == *all_) return 0;
    const auto moved = static_cast<double>(*all - *all_);
    return std::max(0.0, 1 - static_cast<double>(*own - *own_) / moved);
  }

 private:
  dev_t device_;
  std::optional<std::uint64_t> all_, own_;
};

sched::DiskProfile run_trials(const ProbeConfig& config, Disk& disk) {
  Estimator estimator{{.reads = disk.span(Operation::read) > 0,
                       .writes = disk.span(Operation::write) > 0,
                       .idle_before = config.idle_before}};
  // Other places each time: what lay under the last probe may be in the drive's own memory.
  std::random_device seeds;
  while (const auto step = estimator.next()) {
    if (config.progress) config.progress(estimator.progress());
    estimator.record(Load{disk, step->trial, seeds()}.run(step->limits));
  }
  if (config.progress) config.progress(1);
  return estimator.profile();
}

}  // namespace

Measurement measure(const ProbeConfig& config) {
  if (const std::string why = refusal(config.directory); !why.empty()) return not_measured(why);
  struct stat status {};
  if (stat(config.directory.c_str(), &status) != 0) return not_measured(std::generic_category().message(errno));
  const dev_t device = block_device(status.st_dev);

  const Area found = find_files(config.directory);
  std::string why;
  const Area filled = fill_file(config.directory, found.bytes() > 0 ? kWriteFileBytes : kFileBytes, why);
  if (found.bytes() == 0 && filled.bytes() == 0) {
    return not_measured("there are no large files to read, and none can be made: " + why);
  }
  Measurement result;
  sched::DiskProfile& profile = result.profile;
  const Traffic traffic{device};
  try {
    AioDisk disk{found.bytes() > 0 ? found : filled, filled};
    profile = run_trials(config, disk);
  } catch (const std::system_error& error) {
    return not_measured(error.what());
  }
  if (!why.empty()) profile.reason += "; writes not measured: " + why;
  if (queued_by_bfq(device)) profile.reason += "; bfq schedules underneath, set the queue to none";
  if (const double foreign = traffic.foreign(); profile.measured.reads && foreign > kForeignMax) {
    result.disturbed = true;
    profile.confidence = sched::Confidence::low;
    profile.reason += "; others did " + std::to_string(std::lround(foreign * 100)) + " % of the transfers meanwhile";
  }
  return result;
}

}  // namespace fairfs::probe
