// Names: making, removing, linking, renaming.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>

#include "tests/mount/differential/side.h"

namespace fairfs::test {

void Side::act_on_names(const Operation& operation, Outcome& outcome) {
  const char* const path = operation.path.data();
  const char* const other = operation.other_path.data();
  std::array<char, PATH_MAX> target{};
  switch (operation.kind) {
    case Kind::make_node:
      outcome.result = ::mknodat(root_, path, operation.mode, makedev(7, 250));
      break;
    case Kind::make_directory:
      outcome.result = ::mkdirat(root_, path, operation.mode & 07777);
      break;
    case Kind::remove_file:
      outcome.result = ::unlinkat(root_, path, 0);
      break;
    case Kind::remove_directory:
      outcome.result = ::unlinkat(root_, path, AT_REMOVEDIR);
      break;
    case Kind::link:
      outcome.result = ::linkat(root_, path, root_, other, operation.flags == 0 ? AT_SYMLINK_FOLLOW : 0);
      break;
    case Kind::link_handle: {
      char name[32];
      std::snprintf(name, sizeof name, "/proc/self/fd/%d", handle(operation.slot));
      outcome.result = ::linkat(AT_FDCWD, name, root_, path, AT_SYMLINK_FOLLOW);
      break;
    }
    case Kind::make_symlink:
      outcome.result = ::symlinkat(other, root_, path);
      break;
    case Kind::read_link:
      outcome.result = ::readlinkat(root_, path, target.data(), operation.flags == 0 ? 3 : target.size());
      if (outcome.result > 0) outcome.bytes = hash_of(target.data(), static_cast<std::size_t>(outcome.result));
      break;
    case Kind::rename:
      outcome.result = ::renameat2(root_, path, root_, other, static_cast<unsigned>(operation.flags));
      break;
    default: {
      struct stat status {};
      outcome.result = ::fstatat(root_, path, &status, 0);
      const int error = errno;
      const Visible seen = Visible::of(static_cast<int>(outcome.result), status);
      outcome.bytes = hash_of(&seen.mode, sizeof seen.mode) + static_cast<std::uint64_t>(seen.size) + seen.links;
      errno = error;
    }
  }
  outcome.error = outcome.result < 0 ? errno : 0;
}

}  // namespace fairfs::test
