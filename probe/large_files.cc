#include "probe/large_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace fairfs::probe {
namespace {

constexpr std::uint64_t kMebi = 1024 * 1024;
constexpr std::uint64_t kFileLeast = 64 * kMebi;   // smaller ones lie too close together
constexpr std::uint64_t kAreaLeast = 256 * kMebi;  // as wide as the file that we would write instead
constexpr std::size_t kFilesMax = 16;
constexpr std::size_t kEntriesMax = 4000;  // stat of each from a cold disk may seek: some hundred milliseconds at worst
constexpr int kStretchesMax = 64;          // a file in more pieces than this is passed over

using Candidates = std::vector<std::pair<std::uint64_t, std::string>>;  // bytes, path

/// Nine tenths: zeros would show as a disk that is faster by as much.
bool nearly(std::uint64_t part, std::uint64_t whole) { return part >= whole / 10 * 9; }

Candidates candidates(const std::string& directory) {
  Candidates found;
  struct stat root {};
  if (stat(directory.c_str(), &root) != 0) return found;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entries{
      directory, std::filesystem::directory_options::skip_permission_denied, error};
  const std::filesystem::recursive_directory_iterator end;
  for (std::size_t seen = 0; !error && entries != end && seen < kEntriesMax; entries.increment(error), ++seen) {
    struct stat status {};
    if (lstat(entries->path().c_str(), &status) != 0) continue;
    if (S_ISDIR(status.st_mode) && status.st_dev != root.st_dev) entries.disable_recursion_pending();
    if (!S_ISREG(status.st_mode) || status.st_dev != root.st_dev) continue;
    const auto bytes = static_cast<std::uint64_t>(status.st_size);
    const auto allocated = static_cast<std::uint64_t>(status.st_blocks) * 512;
    if (bytes >= kFileLeast && nearly(allocated, bytes)) found.emplace_back(bytes, entries->path());
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

}  // namespace

std::uint64_t written_bytes(int file, std::uint64_t size) {
  std::uint64_t written = 0;
  off_t hole = 0;
  for (int stretch = 0; stretch < kStretchesMax; ++stretch) {
    const off_t data = lseek(file, hole, SEEK_DATA);
    if (data < 0 || static_cast<std::uint64_t>(data) >= size) break;
    hole = lseek(file, data, SEEK_HOLE);
    if (hole < 0) break;
    written += std::min(static_cast<std::uint64_t>(hole), size) - static_cast<std::uint64_t>(data);
  }
  return written;
}

Area find_files(const std::string& directory) {
  Area area;
  std::size_t files = 0;
  for (const auto& [bytes, path] : candidates(directory)) {
    // Not followed, not waited for, and no trace of our reading: the last needs the owner's right.
    constexpr int kFlags = O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    engine::FileDescriptor file{open(path.c_str(), kFlags | O_NOATIME)};
    if (!file) file = engine::FileDescriptor{open(path.c_str(), kFlags)};
    if (!file || !nearly(written_bytes(file.get(), bytes), bytes)) continue;
    area.add(std::move(file), bytes);
    if (++files == kFilesMax) break;
  }
  return area.bytes() >= kAreaLeast ? std::move(area) : Area{};
}

}  // namespace fairfs::probe
