// What a simulated program asks of the disk.
#pragma once

#include <cstdint>

#include "sched/types.h"

namespace fairfs::test {

struct Workload {
  std::uint32_t outstanding = 4;  ///< requests it has submitted and not seen completed
  sched::Duration think{};        ///< from a completion to the request that replaces it; 0: at once
  sched::Duration busy{};         ///< bursty: submits for this long, 0: always
  sched::Duration pause{};        ///< ... then is silent for this long
  sched::Duration start{};        ///< first request
  std::uint64_t bytes_min = 4096, bytes_max = 4096;
  std::uint32_t files = 1;  ///< asked in turn, each by itself sequential or random
  sched::Operation operation = sched::Operation::read;
  bool sequential = false;
  /// A sequential program goes on elsewhere in its file with this chance before each request.
  unsigned jump_percent = 0;
  std::uint64_t ends_after = 0;  ///< bytes that it asks for in all; 0: never
  bool bounded_wait = false;
  bool buffered = false;  ///< the writes of write-behind
  sched::ServiceClass service = sched::ServiceClass::best_effort;
  /// A find: one small random read after the other, unasked and charged afterwards; after each so many look-ups that
  /// memory answers.
  bool metadata = false;
  std::uint32_t remembered = 0;
  /// A sequential program that shares a file with `zones` - 1 others reads every zones-th zone of `zone_bytes`, the
  /// first at `zone` * zone_bytes. 0: a file of its own, all of it.
  std::uint64_t shared_file = 0, zone_bytes = 1, zones = 1, zone = 0;
};

}  // namespace fairfs::test
