#include "tests/sim/device.h"

#include <algorithm>

namespace fairfs::test {

sched::Time Device::start(sched::Duration cost, sched::Time now) {
  const std::uint64_t percent = random_.between(100 - noise_percent_, 100 + noise_percent_);
  sched::Time& channel = *std::min_element(free_.begin(), free_.end());
  channel = std::max(channel, now) + cost * static_cast<sched::Duration::rep>(percent) / 100;
  return channel;
}

}  // namespace fairfs::test
