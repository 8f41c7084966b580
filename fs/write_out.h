// How dirty pages of one file are sent to the disk.
#pragma once

#include <cstdint>

namespace fairfs::fs {

/// Ranges where the file system writes just those, whole files where asking for a range bounds nothing.
enum class WriteOut : std::uint8_t { ranges, files };

/// By what the source lies on: ZFS has no pages that sync_file_range(2) knows of, NFS answers before the server has
/// written, FUSE has given the bytes to its server already, and btrfs compresses in the background and answers before
/// it has. Logs once when it is `files`.
[[nodiscard]] WriteOut write_out_of(int source) noexcept;

/// Starts writing [offset, offset + length); 0 or -errno. With WriteOut::files nothing yet.
[[nodiscard]] int start_write_out(WriteOut how, int fd, std::uint64_t offset, std::uint64_t length) noexcept;
/// Writes it and waits until it is done; 0, or -errno as sync_file_range(2): errors of earlier write-back included,
/// once for each open description. It is no flush: the disk's own cache and the file's size may still be lost.
[[nodiscard]] int finish_write_out(WriteOut how, int fd, std::uint64_t offset, std::uint64_t length) noexcept;

}  // namespace fairfs::fs
