// Which file systems belong to this machine alone.
#pragma once

namespace fairfs::fs {

/// True for those whose files change only by this machine's doing and whose stamps are fine: ext2 to ext4, xfs, btrfs,
/// tmpfs. Their files can be opened by FileId for as long as they exist, too.
[[nodiscard]] bool is_local(int fd) noexcept;

}  // namespace fairfs::fs
