// What a simulated program asks of the disk.
#pragma once

#include <cstdint>

#include "sched/types.h"

namespace fairfs::test {

struct Workload {
  std::uint32_t outstanding = 4;  ///< requests it has submitted and not seen completed
  sched::Duration think{};        ///< from a completion to the request that replaces it; 0: backlogged
  sched::Duration busy{};         ///< bursty: submits for this long, 0: always
  sched::Duration pause{};        ///< ... then is silent for this long
  sched::Duration start{};        ///< first request
  std::uint64_t bytes_min = 4096, bytes_max = 4096;
  sched::Operation operation = sched::Operation::read;
  bool sequential = false;
  bool bounded_wait = false;
};

}  // namespace fairfs::test
