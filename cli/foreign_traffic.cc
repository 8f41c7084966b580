#include "cli/foreign_traffic.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace fairfs::cli {
namespace {

/// What a flush or a new name may write beside the data: a journal's descriptor, blocks and commit (ext4, xfs), and
/// the tree's way up (btrfs).
constexpr double kChangeBytes = 64 * 1024;
/// Dirty pages are written within 30 s (vm.dirty_expire_centisecs): a credit older than that was never used.
constexpr double kCreditLife_s = 30;
/// Readings of a second jump; a mean over three is calm and still quick.
constexpr double kSmooth_s = 3;

double difference(std::uint64_t now, std::uint64_t before) {
  return now > before ? static_cast<double>(now - before) : 0;  // a device that was replaced counts from nothing
}

}  // namespace

void ForeignTraffic::add(const DiskCounters& now, sched::Duration since_last) {
  const DiskCounters before = last_;
  last_ = now;
  const double seconds = std::chrono::duration<double>(since_last).count();
  if (!std::exchange(started_, true) || seconds <= 0) return;

  credit_ = credit_ * std::exp(-seconds / kCreditLife_s) + difference(now.own_dirtied, before.own_dirtied) +
            kChangeBytes * difference(now.own_changes, before.own_changes);
  const double written = difference(now.device_written, before.device_written);
  const double read = difference(now.device_read, before.device_read);
  const double foreign_read = std::max(read - difference(now.own_read, before.own_read), 0.0);
  const double foreign_written = std::max(written - credit_, 0.0);
  credit_ = std::max(credit_ - written, 0.0);

  const double weight = 1 - std::exp(-seconds / kSmooth_s);
  device_ += weight * ((read + written) / seconds - device_);
  foreign_ += weight * ((foreign_read + foreign_written) / seconds - foreign_);
}

}  // namespace fairfs::cli
