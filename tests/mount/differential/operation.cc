#include "tests/mount/differential/operation.h"

#include <fcntl.h>

#include <cstdio>

namespace fairfs::test {
namespace {

constexpr std::array kNames{"open",
                            "create_nameless",
                            "close",
                            "duplicate",
                            "set_flags",
                            "make_node",
                            "make_directory",
                            "remove_file",
                            "remove_directory",
                            "link",
                            "link_handle",
                            "make_symlink",
                            "read_link",
                            "rename",
                            "list",
                            "status",
                            "access",
                            "truncate",
                            "truncate_handle",
                            "change_mode",
                            "change_mode_of_handle",
                            "change_owner",
                            "change_owner_of_handle",
                            "set_times",
                            "set_times_of_handle",
                            "set_attribute",
                            "get_attribute",
                            "list_attributes",
                            "remove_attribute",
                            "set_acl",
                            "read",
                            "write",
                            "read_at",
                            "write_at",
                            "append_once",
                            "seek",
                            "seek_hole",
                            "allocate",
                            "copy_range",
                            "read_mapped",
                            "write_mapped",
                            "sync",
                            "evict"};
static_assert(kNames.size() == static_cast<std::size_t>(Kind::count));

/// Long names are told by their length.
std::string shown(const Operation::Path& path) {
  std::string text = path.data();
  if (text.size() > 60) text = text.substr(0, 20) + "...(" + std::to_string(text.size()) + " bytes)";
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = '?';
  return "\"" + text + "\"";
}

}  // namespace

bool uses_slot(Kind kind) {
  switch (kind) {
    case Kind::open:
    case Kind::create_nameless:
    case Kind::link_handle:
      return true;
    default:
      return !uses_path(kind);
  }
}

bool uses_path(Kind kind) {
  switch (kind) {
    case Kind::close:
    case Kind::duplicate:
    case Kind::set_flags:
    case Kind::truncate_handle:
    case Kind::change_mode_of_handle:
    case Kind::change_owner_of_handle:
    case Kind::set_times_of_handle:
      return false;
    default:
      return kind < Kind::read;
  }
}

std::string describe(const Operation& operation) {
  char text[256];
  std::snprintf(text, sizeof text,
                " slot=%d other_slot=%d offset=%lld other_offset=%lld length=%llu flags=%#x mode=%o user=%d group=%d "
                "time=%lld.%09lld fill=%u",
                operation.slot, operation.other_slot, static_cast<long long>(operation.offset),
                static_cast<long long>(operation.other_offset), static_cast<unsigned long long>(operation.length),
                static_cast<unsigned>(operation.flags), operation.mode, static_cast<int>(operation.user),
                static_cast<int>(operation.group), static_cast<long long>(operation.seconds),
                static_cast<long long>(operation.nanoseconds), operation.fill);
  return "worker " + std::to_string(operation.worker) + " " + kNames.at(static_cast<std::size_t>(operation.kind)) +
         " " + shown(operation.path) + " " + shown(operation.other_path) + text;
}

}  // namespace fairfs::test
