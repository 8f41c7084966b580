// Sockets that daemons left which were killed.
#pragma once

namespace fairfs::cli {

/// Takes away, out of a directory that is ours alone, sockets that nobody listens at any more. What can't be looked at
/// stays.
void remove_stale_sockets(int directory) noexcept;

}  // namespace fairfs::cli
