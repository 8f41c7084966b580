// Modes, owners, times, extended attributes, access lists.
#include <fcntl.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include "tests/mount/differential/side.h"

namespace fairfs::test {
namespace {

constexpr std::array kAttributes{"user.one",  "user.two", "trusted.three", "security.four", "system.posix_acl_access",
                                 "other.five"};

const char* attribute_of(const Operation& operation) { return kAttributes[operation.fill % kAttributes.size()]; }

constexpr auto kNobody = static_cast<__u32>(ACL_UNDEFINED_ID);

/// An access list that gives one more user and one more group rights of their own.
std::vector<std::byte> access_list(const Operation& operation) {
  const auto rights = [&](unsigned shift) { return static_cast<__u16>((operation.mode >> shift) & 7U); };
  const posix_acl_xattr_header header{.a_version = POSIX_ACL_XATTR_VERSION};
  const std::array<posix_acl_xattr_entry, 6> entries{{{ACL_USER_OBJ, rights(6), kNobody},
                                                      {ACL_USER, rights(3), 1001},
                                                      {ACL_GROUP_OBJ, rights(3), kNobody},
                                                      {ACL_GROUP, rights(6), 3000},
                                                      {ACL_MASK, rights(3), kNobody},
                                                      {ACL_OTHER, rights(0), kNobody}}};
  std::vector<std::byte> bytes(sizeof header + sizeof entries);
  std::copy_n(reinterpret_cast<const std::byte*>(&header), sizeof header, bytes.begin());
  std::copy_n(reinterpret_cast<const std::byte*>(&entries), sizeof entries, bytes.begin() + sizeof header);
  return bytes;
}

/// The names in any order, each once.
std::uint64_t hash_of_names(const char* names, std::size_t size) {
  std::uint64_t sum = 0;
  for (std::size_t start = 0; start < size;) {
    const std::string name{names + start};
    sum += hash_of(name.data(), name.size());
    start += name.size() + 1;
  }
  return sum;
}

}  // namespace

/// Calls for extended attributes take paths from the root of all; /proc leads to ours.
std::string Side::path_below_proc(const char* path) const {
  return "/proc/self/fd/" + std::to_string(root_) + "/" + path;
}

void Side::act_on_attributes(const Operation& operation, Outcome& outcome) {
  const char* const path = operation.path.data();
  const int file = handle(operation.slot);
  const int follow = operation.flags == 0 ? AT_SYMLINK_NOFOLLOW : 0;
  const std::array<timespec, 2> times{
      timespec{.tv_sec = operation.seconds, .tv_nsec = 0},
      timespec{.tv_sec = operation.seconds, .tv_nsec = static_cast<long>(operation.nanoseconds)}};
  const std::string full = path_below_proc(path);
  const std::string value(operation.length % 300, static_cast<char>('a' + operation.fill % 26));
  std::vector<char> found(operation.flags == 0 ? 0 : operation.flags == 1 ? 10 : 4096);
  switch (operation.kind) {
    case Kind::truncate:
      outcome.result = ::truncate(full.c_str(), operation.flags == 0 ? -1 : operation.offset);
      break;
    case Kind::change_mode:
      outcome.result = ::fchmodat(root_, path, operation.mode & 07777, 0);
      break;
    case Kind::change_mode_of_handle:
      outcome.result = ::fchmod(file, operation.mode & 07777);
      break;
    case Kind::change_owner:
      outcome.result = ::fchownat(root_, path, operation.user, operation.group, follow);
      break;
    case Kind::change_owner_of_handle:
      outcome.result = ::fchown(file, operation.user, operation.group);
      break;
    case Kind::set_times:
      outcome.result = ::utimensat(root_, path, times.data(), follow);
      break;
    case Kind::set_times_of_handle:
      outcome.result = ::futimens(file, times.data());
      break;
    case Kind::access:
      outcome.result = ::faccessat(root_, path, operation.flags, AT_EACCESS);
      break;
    case Kind::set_attribute:
      outcome.result =
          ::lsetxattr(full.c_str(), attribute_of(operation), value.data(), value.size(), operation.flags % 3);
      break;
    case Kind::get_attribute:
      outcome.result = ::lgetxattr(full.c_str(), attribute_of(operation), found.data(), found.size());
      if (outcome.result > 0 && !found.empty())
        outcome.bytes = hash_of(found.data(), static_cast<std::size_t>(outcome.result));
      break;
    case Kind::list_attributes:
      outcome.result = ::llistxattr(full.c_str(), found.data(), found.size());
      if (outcome.result > 0 && !found.empty())
        outcome.bytes = hash_of_names(found.data(), static_cast<std::size_t>(outcome.result));
      break;
    case Kind::remove_attribute:
      outcome.result = ::lremovexattr(full.c_str(), attribute_of(operation));
      break;
    default: {
      const auto list = access_list(operation);
      const char* const name = operation.flags == 0 ? "system.posix_acl_default" : "system.posix_acl_access";
      outcome.result = ::setxattr(full.c_str(), name, list.data(), list.size(), 0);
    }
  }
  outcome.error = outcome.result < 0 ? errno : 0;
}

}  // namespace fairfs::test
