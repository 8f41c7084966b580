// What an operation did, as its caller can see it.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace fairfs::test {

/// What of a file must be alike on both sides. Not compared: inode number, times that are "now", access time (the
/// kernel's own pages answer reads), size of directories, blocks (that depends on when delayed allocation ends).
struct Visible {
  int error = 0;  ///< errno of the stat itself
  std::uint32_t mode = 0, user = 0, group = 0;
  std::uint64_t links = 0, device = 0;
  std::int64_t size = 0;
  /// Where it is one of the moments that the test itself set; 0 for "now".
  std::int64_t modified_s = 0, modified_ns = 0;

  static Visible of(int result, const struct stat& status);
  bool operator==(const Visible&) const = default;
};

/// Plain data: sent from the worker to the test.
struct Outcome {
  std::int64_t result = 0;
  int error = 0;
  int signal = 0;              ///< SIGBUS for a mapping beyond the end
  std::uint64_t bytes = 0;     ///< hash of what was read, listed or found
  std::int64_t position = 0;   ///< of the open file
  std::uint64_t contents = 0;  ///< hash of the whole file after a change
  Visible file, path, other_path;
  bool as_in_source = true;  ///< both paths have the times, owners and sizes that the source tells

  bool operator==(const Outcome&) const = default;
};

std::string describe(const Outcome& outcome);

/// FNV-1a, 64 bits, continued from `hash`.
inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325U;
std::uint64_t hash_of(const void* data, std::size_t size, std::uint64_t hash = kHashStart);

}  // namespace fairfs::test
