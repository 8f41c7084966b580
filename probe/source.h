// What can be known of a source before anything is measured.
#pragma once

#include <cstdint>
#include <string>

namespace fairfs::probe {

/// Why measuring the disk behind `directory` would say nothing: files in memory, on another machine, in another
/// filesystem. Empty when nothing is known against it.
[[nodiscard]] std::string refusal(const std::string& directory);
/// The same for a filesystem that statfs(2) calls by this number.
[[nodiscard]] std::string refusal_of(std::uint32_t magic);

}  // namespace fairfs::probe
