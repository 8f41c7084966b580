// Files that are there already and large enough to be read by the probe.
#pragma once

#include <cstdint>
#include <string>

#include "probe/area.h"

namespace fairfs::probe {

/// Regular files below `directory` on its own filesystem, of 64 MiB or more and written nearly everywhere (holes, and
/// what was only allocated, read as zeros without the disk), largest first, open for direct reads. Looks at no more
/// than some thousand entries. Empty when together they have less than 256 MiB.
[[nodiscard]] Area find_files(const std::string& directory);

/// Bytes below `size` of an open file that lie on the disk, as far as 64 stretches of them show it.
[[nodiscard]] std::uint64_t written_bytes(int file, std::uint64_t size);

}  // namespace fairfs::probe
