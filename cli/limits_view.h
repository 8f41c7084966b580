// Floors and ceilings beside what was got: for people.
#pragma once

#include <string>

#include "cli/interval_view.h"
#include "sched/limits.h"

namespace fairfs::cli {

/// What one or several flows got of the disk, which is what limits count: reads that the page cache answered are not
/// among it, as far as their number tells.
struct DiskRates {
  double read_bytes_per_s = 0, write_bytes_per_s = 0, requests_per_s = 0;
  void add(const FlowView& flow);
};

/// As in the weights file: "max_read=10MB/s, latency=20ms". Empty for none.
[[nodiscard]] std::string to_words(const sched::Limits& limits);

/// The ceilings that this comes up to within a tenth, and the floors that it is not a tenth above, in the same words;
/// empty for none. Rates swing by as much from one second to the next.
[[nodiscard]] std::string ceilings_reached(const sched::Limits& limits, const DiskRates& got);
[[nodiscard]] std::string floors_in_use(const sched::Limits& limits, const DiskRates& got);

}  // namespace fairfs::cli
