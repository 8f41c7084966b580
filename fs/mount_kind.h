// What is to be known of the file system that a source lies on.
#pragma once

#include <cstdint>
#include <string>

namespace fairfs::fs {

/// The options of the mount that `source` lies on, as /proc/self/mountinfo shows them; empty when unknown.
[[nodiscard]] std::string mount_options(int source);

/// False also where it can't be told.
[[nodiscard]] bool is_ext4_without_quota(int source) noexcept;

/// The file of `fd` has blocks behind `size` bytes, its own (true also where it can't be told).
[[nodiscard]] bool has_space_behind(int fd, std::uint64_t size) noexcept;

}  // namespace fairfs::fs
