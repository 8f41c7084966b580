#include "fs/file_id.h"

#include <fcntl.h>

#include "fs/relief.h"

namespace fairfs::fs {

std::optional<FileId::Located> FileId::of(int fd) {
  union {
    file_handle handle;
    std::byte bytes[sizeof(file_handle) + MAX_HANDLE_SZ];
  } room{};
  room.handle.handle_bytes = MAX_HANDLE_SZ;
  Located located;
  if (::name_to_handle_at(fd, "", &room.handle, &located.mount, AT_EMPTY_PATH) != 0) return std::nullopt;
  located.id.bytes_.assign(room.bytes, room.bytes + sizeof(file_handle) + room.handle.handle_bytes);
  return located;
}

UniqueFd FileId::open(const UniqueFd& anchor) const noexcept {
  // The call only reads it.
  auto* handle = reinterpret_cast<file_handle*>(const_cast<std::byte*>(bytes_.data()));
  return UniqueFd{relieved([&] { return ::open_by_handle_at(anchor.get(), handle, O_PATH | O_NOFOLLOW | O_CLOEXEC); })};
}

}  // namespace fairfs::fs
