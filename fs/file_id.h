// What a file system calls a file, whatever its path is: name_to_handle_at(2).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "fs/unique_fd.h"

namespace fairfs::fs {

/// A descriptor that keeps a mounted file system reachable; shared by those who open files on it.
using MountAnchor = std::shared_ptr<const UniqueFd>;

/// Names one file for as long as it exists; a number that is given to another file changes the name, because the
/// generation is part of it. A value type; equal names are equal bytes.
class FileId {
 public:
  /// The name of the file behind `fd` (O_PATH is enough), and through which mount it was reached. None where the file
  /// system has no such names. Starts no I/O.
  struct Located;
  [[nodiscard]] static std::optional<Located> of(int fd);

  /// O_PATH descriptor of the file; `anchor` is on the mount that `of` told. -ESTALE when the file is gone, -EPERM
  /// without CAP_DAC_READ_SEARCH.
  [[nodiscard]] UniqueFd open(const UniqueFd& anchor) const noexcept;

  bool operator==(const FileId&) const = default;

 private:
  std::vector<std::byte> bytes_;  ///< of a struct file_handle
};

struct FileId::Located {
  FileId id;
  int mount = 0;  ///< number in /proc/self/mountinfo
};

}  // namespace fairfs::fs
