// The probe's own file: without a name, filled, and gone afterwards.
#pragma once

#include <cstdint>
#include <string>

#include "probe/area.h"
#include "probe/disk.h"

namespace fairfs::probe {

/// Checks whether there is room, and fills a file without a name (O_TMPFILE: the kernel frees it when the process ends,
/// however it does), up to `bytes` and some more than a second. Its data is on the disk afterwards. Empty, with the
/// reason in `why`, when it can't be made.
[[nodiscard]] Area fill_file(const std::string& directory, std::uint64_t bytes, std::string& why);

struct Filling {
  std::uint64_t bytes = 0;  ///< from the start on, without a gap
  int error = 0;            ///< errno of the first write that failed
};
/// Writes the disk's span from its start, in requests of 1 MiB with some in flight, until it is full or a second is
/// over; a disk that has not taken 16 MiB by then gets three more.
[[nodiscard]] Filling fill(Disk& disk);

}  // namespace fairfs::probe
