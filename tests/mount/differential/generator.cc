#include "tests/mount/differential/generator.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace fairfs::test {
namespace {

using Share = std::pair<Kind, unsigned>;
// clang-format off
/// How often each kind comes, in relation to the others.
constexpr Share kShares[] = {
    {Kind::open, 90}, {Kind::create_nameless, 8}, {Kind::close, 12}, {Kind::duplicate, 4}, {Kind::set_flags, 8},
    {Kind::make_node, 12}, {Kind::make_directory, 22}, {Kind::remove_file, 45}, {Kind::link, 30},
    {Kind::link_handle, 14}, {Kind::make_symlink, 12}, {Kind::read_link, 6}, {Kind::rename, 40},
    {Kind::remove_directory, 8}, {Kind::list, 15}, {Kind::status, 25}, {Kind::access, 15}, {Kind::truncate, 12},
    {Kind::truncate_handle, 15}, {Kind::change_mode, 22}, {Kind::change_owner, 15},
    {Kind::change_mode_of_handle, 5}, {Kind::set_times, 15}, {Kind::set_times_of_handle, 5},
    {Kind::set_attribute, 14}, {Kind::change_owner_of_handle, 5}, {Kind::get_attribute, 10},
    {Kind::list_attributes, 6}, {Kind::set_acl, 6}, {Kind::remove_attribute, 6}, {Kind::read, 15},
    {Kind::write, 20}, {Kind::read_at, 30}, {Kind::write_at, 50}, {Kind::append_once, 6}, {Kind::seek, 10},
    {Kind::seek_hole, 10}, {Kind::allocate, 20}, {Kind::copy_range, 12}, {Kind::read_mapped, 12},
    {Kind::write_mapped, 15}, {Kind::sync, 4}, {Kind::evict, 8},
};
// clang-format on
static_assert(std::size(kShares) == static_cast<std::size_t>(Kind::count));

constexpr std::array kFileNames{"a", "b", "c", "f", "g", "h", "i", "j"};
constexpr std::array kDirectoryNames{"d", "e"};
constexpr std::array kFallocateModes{0,
                                     0,
                                     FALLOC_FL_KEEP_SIZE,
                                     FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                     FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                     FALLOC_FL_ZERO_RANGE,
                                     FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE,
                                     FALLOC_FL_PUNCH_HOLE};
constexpr std::array kRenameFlags{
    0, 0, 0, RENAME_NOREPLACE, RENAME_EXCHANGE, RENAME_WHITEOUT, RENAME_EXCHANGE | RENAME_NOREPLACE};
constexpr std::array<std::uint32_t, 16> kModes{0644,  0666,  0600,  0755,  0777,  0700,  0444, 0,
                                               04755, 02755, 06777, 01777, 02775, 02770, 0070, 0007};
constexpr std::array<std::uint32_t, 6> kOwners{0, 1000, 1001, 3000, ~0U, ~0U};
/// The first moments are long ago and so never mistaken for "now".
constexpr std::array<std::int64_t, 4> kSeconds{1'000'000'000, 1'100'000'000, 1'200'000'000, 0};
constexpr std::array<std::int64_t, 4> kNanoseconds{0, 123'456'789, UTIME_OMIT, UTIME_NOW};

}  // namespace

Kind Generator::kind() {
  unsigned total = 0;
  for (const Share& share : kShares) total += share.second;
  auto chosen = static_cast<unsigned>(random_.between(1, total));
  for (const Share& share : kShares) {
    if (chosen <= share.second) return share.first;
    chosen -= share.second;
  }
  return Kind::status;
}

std::string Generator::leaf(Kind kind) {
  // Directories are seldom empty and so outlive files: under all names there would soon be nothing else.
  if (kind == Kind::make_directory && random_.chance(85)) return one_of(kDirectoryNames);
  if (random_.chance(2)) {
    const std::vector<std::string> odd{
        std::string(255, 'x'), std::string(256, 'x'), "new\nline", ".", "..", "-n \t*", "\xff\xfe", "a/", "d/."};
    return one_of(odd);
  }
  return random_.chance(75) ? std::string{one_of(kFileNames)} : std::string{one_of(kDirectoryNames)};
}

void Generator::fill_path(Kind kind, Operation::Path& path) {
  std::string text;
  for (int level = 0; level < 3 && random_.chance(25); ++level) {
    text += random_.chance(95) ? one_of(kDirectoryNames) : one_of(kFileNames);
    text += '/';
  }
  std::string name = leaf(kind);
  // Never above the root, where the two sides stop being twins.
  if (text.empty() && (name == ".." || name == ".")) name.assign(1, 'a');
  text += name;
  std::copy(text.begin(), text.end(), path.begin());
  path[text.size()] = '\0';
}

/// Offsets and lengths like the borders of pages and sectors, and their neighbours.
std::int64_t Generator::place() {
  const auto page = static_cast<std::int64_t>(random_.between(0, 19)) * 4096;
  switch (random_.between(0, 5)) {
    case 0:
      return static_cast<std::int64_t>(random_.between(0, kSizeMax / 2));
    case 1:
      return page + static_cast<std::int64_t>(random_.between(0, 7)) * 512;
    case 2:
      return page + 1;
    case 3:
      return std::max<std::int64_t>(page - 1, 0);
    default:
      return page;
  }
}

std::uint32_t Generator::mode() { return one_of(kModes); }
std::uint32_t Generator::owner() { return one_of(kOwners); }

int Generator::open_flags() {
  constexpr std::array kAccess{O_RDONLY, O_WRONLY, O_RDWR, O_RDWR};
  // Never waits at a pipe's end.
  int flags = one_of(kAccess) | O_NONBLOCK | O_CLOEXEC;
  const std::pair<int, unsigned> choices[] = {{O_CREAT, 45},  {O_EXCL, 8},      {O_TRUNC, 8}, {O_APPEND, 15},
                                              {O_DIRECT, 18}, {O_SYNC, 3},      {O_DSYNC, 3}, {O_NOFOLLOW, 8},
                                              {O_NOATIME, 5}, {O_DIRECTORY, 3}, {O_PATH, 2}};
  for (const auto& [flag, percent] : choices)
    if (random_.chance(percent)) flags |= flag;
  return flags;
}

void Generator::fill_flags(Operation& operation) {
  switch (operation.kind) {
    case Kind::open:
      operation.flags = open_flags();
      break;
    case Kind::create_nameless:
      operation.flags = O_TMPFILE | O_RDWR | O_CLOEXEC | (random_.chance(20) ? O_EXCL : 0);
      break;
    case Kind::set_flags:
      operation.flags = (random_.chance(50) ? O_APPEND : 0) | (random_.chance(30) ? O_DIRECT : 0) | O_NONBLOCK;
      break;
    case Kind::rename:
      operation.flags = one_of(kRenameFlags);
      break;
    case Kind::allocate:
      operation.flags = one_of(kFallocateModes);
      break;
    case Kind::access:
      operation.flags = static_cast<int>(random_.between(0, 7));
      break;
    case Kind::make_directory:  // most of them can be used by all
      if (random_.chance(60)) operation.mode |= 0777;
      break;
    case Kind::make_node: {
      constexpr std::array kTypes{S_IFREG, S_IFREG, S_IFIFO, S_IFSOCK, S_IFCHR, S_IFBLK};
      operation.mode |= one_of(kTypes);
      break;
    }
    default:
      operation.flags = static_cast<int>(random_.between(0, 3));
  }
}

Operation Generator::next() {
  Operation operation;
  operation.kind = kind();
  // One works more than the others, so that its open files come to be used.
  operation.worker = random_.chance(40) ? 0 : static_cast<int>(random_.between(1, kWorkers - 1));
  operation.slot = static_cast<int>(random_.between(0, kSlots - 1));
  operation.other_slot = static_cast<int>(random_.between(0, kSlots - 1));
  fill_path(operation.kind, operation.path);
  fill_path(operation.kind, operation.other_path);
  operation.offset = place();
  operation.other_offset = place();
  operation.length = static_cast<std::uint64_t>(place());
  operation.mode = mode();
  operation.user = owner();
  operation.group = owner();
  // A stranger's chown(-1, -1) of a file with set-id bits is EPERM natively; a mount can't tell it from the kernel's
  // preparation of a write (fs/attributes.cc) and answers 0.
  constexpr auto kSame = static_cast<uid_t>(-1);
  if (operation.user == kSame && operation.group == kSame) operation.group = 0;
  operation.seconds = one_of(kSeconds);
  operation.nanoseconds = one_of(kNanoseconds);
  operation.fill = static_cast<std::uint32_t>(random_.between(1, 1'000'000));
  fill_flags(operation);
  // A link to ".." could lead out of the tree, and there the two sides are one.
  if (operation.kind == Kind::make_symlink && std::string{operation.other_path.data()}.ends_with(".."))
    operation.other_path = {"a"};
  return operation;
}

}  // namespace fairfs::test
