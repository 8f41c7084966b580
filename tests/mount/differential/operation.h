// One random operation: plain data, so that it can be sent to a worker, printed and repeated.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>

namespace fairfs::test {

enum class Kind : std::uint8_t {
  open,
  create_nameless,
  close,
  duplicate,
  set_flags,
  make_node,
  make_directory,
  remove_file,
  remove_directory,
  link,
  link_handle,
  make_symlink,
  read_link,
  rename,
  list,
  status,
  access,
  truncate,
  truncate_handle,
  change_mode,
  change_mode_of_handle,
  change_owner,
  change_owner_of_handle,
  set_times,
  set_times_of_handle,
  set_attribute,
  get_attribute,
  list_attributes,
  remove_attribute,
  set_acl,
  read,
  write,
  read_at,
  write_at,
  append_once,
  seek,
  seek_hole,
  allocate,
  copy_range,
  read_mapped,
  write_mapped,
  sync,
  evict,
  count
};

constexpr int kWorkers = 4;
/// Open files of each worker.
constexpr int kSlots = 6;
/// No file is longer (but for failed attempts): each is read whole after every change.
constexpr std::int64_t kSizeMax = 160 * 1024;

struct Operation {
  using Path = std::array<char, 400>;

  Kind kind{};
  int worker = 0;
  int slot = 0, other_slot = 0;  ///< open files of that worker
  Path path{}, other_path{};     ///< below the root of either side
  std::int64_t offset = 0, other_offset = 0;
  std::uint64_t length = 0;
  int flags = 0;           ///< of open, rename, fallocate, access ...
  std::uint32_t mode = 0;  ///< or user and group
  std::uint32_t user = 0, group = 0;
  std::int64_t seconds = 0, nanoseconds = 0;  ///< of utimensat
  std::uint32_t fill = 0;                     ///< seed of the bytes written
};

/// Whether the kind uses `slot` and `path`.
bool uses_slot(Kind kind);
bool uses_path(Kind kind);

/// One line, enough to do it by hand.
std::string describe(const Operation& operation);

}  // namespace fairfs::test
