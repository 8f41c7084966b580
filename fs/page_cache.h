// Asks the kernel what it holds of a file, without starting any I/O.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace fairfs::fs {

/// True when every page of [offset, offset + size) that lies in the file is in the page cache, so that a read will not
/// touch the disk. cachestat(2) where the kernel has it (6.5), else mincore(2) on a mapping of the range. A read with
/// RWF_NOWAIT would not do: on a miss it starts the disk read itself, past the scheduler.
[[nodiscard]] bool page_cache_holds(int fd, off_t offset, std::size_t size) noexcept;

}  // namespace fairfs::fs
