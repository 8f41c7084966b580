// Many sizes at once on a simulated disk: what it takes, and what a profile says it should.
#pragma once

#include <array>
#include <cstdint>
#include <random>

#include "probe/disk.h"
#include "sched/cost.h"
#include "tests/probe/simulated_disk.h"

namespace fairfs::test {

/// Random requests of 4 KiB to 1 MiB, each size as often as the others, so many in the disk all the time.
struct Mix {
  std::uint32_t depth = 1;
  unsigned write_percent = 0;
  std::array<std::uint64_t, 5> sizes{4096, 16384, 65536, 262144, 1048576};
};

/// Predicted over observed device time, over `requests` requests.
inline double predicted_part(SimulatedDisk& disk, const sched::DiskProfile& profile, const Mix& mix, int requests,
                             std::uint64_t seed) {
  const sched::CostModel model{profile};
  std::mt19937_64 random{seed};
  double predicted = 0;
  const auto start = [&](std::uint32_t slot) {
    const std::uint64_t bytes = mix.sizes.at(random() % mix.sizes.size());
    const auto operation = random() % 100 < mix.write_percent ? probe::Operation::write : probe::Operation::read;
    const std::uint64_t blocks = disk.span(operation) / bytes;
    disk.start(std::array{probe::Transfer{slot, operation, random() % blocks * bytes, bytes}});
    predicted += static_cast<double>(model.cost(operation, bytes, false));
  };
  const probe::Time began = disk.now();
  for (std::uint32_t slot = 0; slot < mix.depth; ++slot) start(slot);
  std::vector<probe::Ended> ended;
  std::uint32_t in_flight = mix.depth;
  while (in_flight > 0) {
    ended.clear();
    disk.wait(disk.now() + std::chrono::seconds{5}, ended);
    for (const probe::Ended& one : ended) {
      --in_flight;
      if (--requests < 0) continue;
      start(one.slot);
      ++in_flight;
    }
  }
  return predicted / static_cast<double>((disk.now() - began).count());
}

}  // namespace fairfs::test
