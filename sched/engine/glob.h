// Shell patterns over paths.
#pragma once

#include <string_view>

namespace fairfs::engine {

/// `*` stands for any characters but '/', `?` for one of them; all others for themselves (a backslash too: systemd's
/// unit names are full of them).
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace fairfs::engine
