// Who may look at a mount's statistics.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace fairfs::cli {

/// The daemon's own user and root always may, and they alone may change anything.
struct StatAccess {
  enum class Others : std::uint8_t { none, group, all } others = Others::none;
  gid_t group = 0;  ///< of Others::group
};

}  // namespace fairfs::cli
