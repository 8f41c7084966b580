#include "tests/mount/differential/trees.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "tests/mount/differential/operation.h"
#include "tests/mount/differential/outcome.h"
#include "tests/mount/unique_fd.h"

namespace fairfs::test {
namespace {

/// What one tree says of one name.
struct File {
  struct statx status {};
  Visible visible;
  std::string target;
  std::map<std::string, std::string> attributes;
  std::uint64_t contents = 0;
  std::vector<off_t> borders;  ///< between data and holes
};
using Tree = std::map<std::string, File>;

std::map<std::string, std::string> attributes_of(const std::string& path) {
  std::map<std::string, std::string> found;
  std::vector<char> names(65536), value(65536);
  const ssize_t size = ::llistxattr(path.c_str(), names.data(), names.size());
  for (ssize_t at = 0; at < size;) {
    const std::string name = names.data() + at;
    const ssize_t length = ::lgetxattr(path.c_str(), name.c_str(), value.data(), value.size());
    found[name] =
        length < 0 ? "errno " + std::to_string(errno) : std::string(value.data(), static_cast<std::size_t>(length));
    at += static_cast<ssize_t>(name.size()) + 1;
  }
  return found;
}

void read_contents(const std::string& path, File& file) {
  const UniqueFd descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOATIME)};
  std::vector<char> bytes(2 * kSizeMax);
  const ssize_t size = ::pread(descriptor.get(), bytes.data(), bytes.size(), 0);
  file.contents = size < 0 ? static_cast<std::uint64_t>(errno) : hash_of(bytes.data(), static_cast<std::size_t>(size));
  int whence = SEEK_HOLE;
  for (off_t at = 0; (at = ::lseek(descriptor.get(), at, whence)) >= 0 && at < size;) {
    file.borders.push_back(at);
    whence = whence == SEEK_HOLE ? SEEK_DATA : SEEK_HOLE;
  }
}

void add(int root, const std::string& name, Tree& tree) {
  const std::string path = "/proc/self/fd/" + std::to_string(root) + "/" + name;
  File& file = tree[name];
  ::statx(root, name.c_str(), AT_SYMLINK_NOFOLLOW | AT_STATX_FORCE_SYNC, STATX_BASIC_STATS | STATX_BTIME, &file.status);
  struct stat status {};
  file.visible = Visible::of(::lstat(path.c_str(), &status), status);
  file.attributes = attributes_of(path);
  std::array<char, PATH_MAX> target{};
  if (S_ISLNK(status.st_mode) && ::readlink(path.c_str(), target.data(), target.size() - 1) > 0)
    file.target = target.data();
  if (S_ISREG(status.st_mode)) read_contents(path, file);
  if (!S_ISDIR(status.st_mode)) return;
  const UniqueFd directory{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  const auto close = [](DIR* stream) { ::closedir(stream); };
  const std::unique_ptr<DIR, decltype(close)> stream{::fdopendir(::dup(directory.get())), close};
  std::set<std::string> names;
  while (const dirent* entry = stream ? ::readdir(stream.get()) : nullptr) names.insert(entry->d_name);
  for (const std::string& entry : names)
    if (entry != "." && entry != "..") add(root, name + "/" + entry, tree);
}

Tree read_tree(int root) {
  Tree tree;
  add(root, ".", tree);
  return tree;
}

bool same_time(const statx_timestamp& a, const statx_timestamp& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

std::string difference(const File& mounted, const File& source) {
  const struct statx &a = mounted.status, &b = source.status;
  if (a.stx_ino != b.stx_ino) return "inode number";
  if (a.stx_mode != b.stx_mode || a.stx_uid != b.stx_uid || a.stx_gid != b.stx_gid) return "mode or owner";
  if (a.stx_nlink != b.stx_nlink || a.stx_size != b.stx_size || a.stx_blksize != b.stx_blksize) return "links or sizes";
  if (a.stx_rdev_major != b.stx_rdev_major || a.stx_rdev_minor != b.stx_rdev_minor) return "device";
  if (!same_time(a.stx_mtime, b.stx_mtime)) return "mtime";
  if (!same_time(a.stx_ctime, b.stx_ctime)) return "ctime";
  if (!same_time(a.stx_btime, b.stx_btime)) return "time of birth";
  if (mounted.target != source.target) return "target";
  if (mounted.attributes != source.attributes) return "extended attributes";
  if (mounted.contents != source.contents) return "contents";
  if (mounted.borders != source.borders) return "holes";
  if (a.stx_blocks != b.stx_blocks)
    return "blocks " + std::to_string(a.stx_blocks) + " " + std::to_string(b.stx_blocks);
  return {};
}

std::string twin_difference(const File& mounted, const File& native) {
  if (mounted.visible != native.visible) {
    Outcome here, there;
    here.path = mounted.visible;
    there.path = native.visible;
    return describe(here) + "\n" + describe(there);
  }
  if (mounted.target != native.target) return "target";
  if (mounted.attributes != native.attributes) return "extended attributes";
  return mounted.contents != native.contents ? "contents" : "";
}

std::string names_of(const Tree& tree) {
  std::string names;
  for (const auto& [name, file] : tree) names += " " + name;
  return names;
}

/// For each name the first name of the same file.
std::map<std::string, std::string> links_of(const Tree& tree) {
  std::map<std::uint64_t, std::string> first;
  std::map<std::string, std::string> links;
  for (const auto& [name, file] : tree) links[name] = first.try_emplace(file.status.stx_ino, name).first->second;
  return links;
}

}  // namespace

std::string difference_of_trees(int mounted_root, int source_root, int native_root) {
  const Tree mounted = read_tree(mounted_root), source = read_tree(source_root), native = read_tree(native_root);
  if (names_of(mounted) != names_of(source)) return "names:" + names_of(mounted) + "\nsource:" + names_of(source);
  if (names_of(mounted) != names_of(native)) return "names:" + names_of(mounted) + "\ntwin:" + names_of(native);
  for (const auto& [name, file] : mounted) {
    std::string what = difference(file, source.at(name));
    if (!what.empty()) return name + " in the mount and in its source: " + what;
    what = twin_difference(file, native.at(name));
    if (!what.empty() && name != ".") return name + " in the mount and in its twin: " + what;
  }
  return links_of(mounted) == links_of(native) ? "" : "which names are links of one file";
}

}  // namespace fairfs::test
