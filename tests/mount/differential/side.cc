#include "tests/mount/differential/side.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

namespace fairfs::test {
namespace {

bool is_special(int root, const char* path) {
  struct stat status {};
  return ::fstatat(root, path, &status, 0) == 0 && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
}

Visible look(int root, const char* path) {
  struct stat status {};
  return Visible::of(::fstatat(root, path, &status, AT_SYMLINK_NOFOLLOW), status);
}

/// Whether a mount tells of `path` what its source tells, to the nanosecond, at once.
bool is_as_in_source(int mounted, int source, const char* path) {
  struct stat here {}, there{};
  const int error = ::fstatat(mounted, path, &here, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
  const int real_error = ::fstatat(source, path, &there, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
  if (error != 0 || real_error != 0) return error == real_error;
  const auto same = [](const timespec& a, const timespec& b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; };
  return here.st_ino == there.st_ino && here.st_mode == there.st_mode && here.st_nlink == there.st_nlink &&
         here.st_uid == there.st_uid && here.st_gid == there.st_gid && here.st_size == there.st_size &&
         same(here.st_mtim, there.st_mtim) && same(here.st_ctim, there.st_ctim);
}

/// All bytes of an open file; 0 when there are none to be had. Where the descriptor itself doesn't read them, a second
/// open of the file does if this user may.
std::uint64_t contents_of(int file) {
  static std::vector<char> memory(2 * kSizeMax);
  const int mode = ::fcntl(file, F_GETFL);
  UniqueFd second;
  if ((mode & (O_PATH | O_DIRECT)) != 0 || (mode & O_ACCMODE) == O_WRONLY) {
    second = UniqueFd{::open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDONLY | O_CLOEXEC)};
    file = second.get();
  }
  const ssize_t size = ::pread(file, memory.data(), memory.size(), 0);
  return size > 0 ? hash_of(memory.data(), static_cast<std::size_t>(size)) : 0;
}

bool is_regular(const Visible& file) { return file.error == 0 && S_ISREG(file.mode); }

}  // namespace

void Side::open(const Operation& operation, Outcome& outcome) {
  if (operation.kind == Kind::duplicate) {
    outcome.result = ::fcntl(handle(operation.other_slot), F_DUPFD_CLOEXEC, 0);
  } else if (operation.kind == Kind::create_nameless) {
    outcome.result = ::openat(root_, operation.path.data(), operation.flags, operation.mode & 0777);
  } else if (is_special(root_, operation.path.data())) {
    return;  // a mount may have other rules for devices, and opening them does things
  } else {
    outcome.result = ::openat(root_, operation.path.data(), operation.flags, operation.mode & 0777);
  }
  outcome.error = outcome.result < 0 ? errno : 0;
  if (outcome.result < 0) return;
  slots_[static_cast<std::size_t>(operation.slot)] = UniqueFd{static_cast<int>(outcome.result)};
  outcome.result = 0;  // numbers of descriptors differ
}

void Side::list(const Operation& operation, Outcome& outcome) {
  const UniqueFd directory{::openat(root_, operation.path.data(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  const auto close = [](DIR* stream) { ::closedir(stream); };
  const int copy = directory ? ::dup(directory.get()) : -1;
  const std::unique_ptr<DIR, decltype(close)> stream{copy < 0 ? nullptr : ::fdopendir(copy), close};
  if (!stream) {
    outcome.result = -1;
    outcome.error = errno;
    return;
  }
  std::vector<std::pair<std::string, int>> found;
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) found.emplace_back(entry->d_name, entry->d_type);
  outcome.error = errno;
  outcome.result = static_cast<std::int64_t>(found.size());
  std::sort(found.begin(), found.end());
  outcome.bytes = kHashStart;
  for (const auto& [name, type] : found) {
    outcome.bytes = hash_of(name.data(), name.size() + 1, outcome.bytes);
    outcome.bytes = hash_of(&type, sizeof type, outcome.bytes);
  }
}

void Side::observe(const Operation& operation, Outcome& outcome) {
  outcome.path = look(root_, operation.path.data());
  outcome.other_path = look(root_, operation.other_path.data());
  if (source_ >= 0)
    outcome.as_in_source = is_as_in_source(root_, source_, operation.path.data()) &&
                           is_as_in_source(root_, source_, operation.other_path.data());
  const int file = handle(operation.slot), other = handle(operation.other_slot);
  struct stat target {};
  if (operation.kind == Kind::copy_range && ::fstat(other, &target) == 0 && S_ISREG(target.st_mode))
    outcome.bytes = contents_of(other);
  if (file < 0) return;
  struct stat status {};
  outcome.file = Visible::of(::fstat(file, &status), status);
  if (!is_regular(outcome.file)) return;
  outcome.position = ::lseek(file, 0, SEEK_CUR);
  outcome.contents = contents_of(file);
}

Outcome Side::apply(const Operation& operation) {
  Outcome outcome;
  switch (operation.kind) {
    case Kind::open:
    case Kind::create_nameless:
    case Kind::duplicate:
      open(operation, outcome);
      break;
    case Kind::close:
      slots_[static_cast<std::size_t>(operation.slot)].reset();
      break;
    case Kind::list:
      list(operation, outcome);
      break;
    case Kind::truncate:
    case Kind::change_mode:
    case Kind::change_mode_of_handle:
    case Kind::change_owner:
    case Kind::change_owner_of_handle:
    case Kind::set_times:
    case Kind::set_times_of_handle:
    case Kind::set_attribute:
    case Kind::get_attribute:
    case Kind::list_attributes:
    case Kind::remove_attribute:
    case Kind::set_acl:
    case Kind::access:
      act_on_attributes(operation, outcome);
      break;
    case Kind::make_node:
    case Kind::make_directory:
    case Kind::remove_file:
    case Kind::remove_directory:
    case Kind::link:
    case Kind::link_handle:
    case Kind::make_symlink:
    case Kind::read_link:
    case Kind::rename:
    case Kind::status:
      act_on_names(operation, outcome);
      break;
    default:
      act_on_contents(operation, outcome);
  }
  observe(operation, outcome);
  return outcome;
}

}  // namespace fairfs::test
