#include "cli/disk_counters.h"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "probe/traffic.h"

namespace fairfs::cli {
namespace {

constexpr std::uint64_t kSector = 512;  // diskstats' unit, whatever the device's is

}  // namespace

std::string chosen_elevator(const std::string& text) {
  const auto open = text.find('['), close = text.find(']');
  return open != std::string::npos && close != std::string::npos && close > open
             ? text.substr(open + 1, close - open - 1)
             : std::string{};
}

ObservedDisk::ObservedDisk(const std::string& directory) {
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0) return;
  const dev_t device = probe::block_device(status.st_dev);
  if (device == 0) return;
  std::error_code error;
  folder_ = std::filesystem::canonical(probe::device_directory(device), error).string();
  if (error) folder_.clear();
  name_ = std::filesystem::path{folder_}.filename().string();
}

std::string ObservedDisk::elevator() const {
  std::ifstream file{folder_ + "/queue/scheduler"};
  return chosen_elevator({std::istreambuf_iterator<char>{file}, {}});
}

std::optional<DiskCounters> ObservedDisk::counters() const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream device{folder_ + "/stat"};
  std::uint64_t reads = 0, merged = 0, read = 0, time = 0, writes = 0, merged_writes = 0, written = 0;
  if (!(device >> reads >> merged >> read >> time >> writes >> merged_writes >> written)) return std::nullopt;
  DiskCounters result;
  // Documentation/block/stat.rst: then write ticks, in_flight, io_ticks, time_in_queue.
  std::uint64_t ticks = 0, in_flight = 0, busy = 0;
  device >> ticks >> in_flight >> busy >> result.queued_ms;
  result.device_read = read * kSector;
  result.device_written = written * kSector;
  std::ifstream own{"/proc/self/io"};
  bool counted = false;
  std::uint64_t number = 0;
  for (std::string name; own >> name >> number;) {
    if (name == "read_bytes:") result.own_read = number;
    if (name == "write_bytes:") result.own_dirtied = number;
    counted |= name == "read_bytes:";
  }
  return counted ? std::optional{result} : std::nullopt;
}

}  // namespace fairfs::cli
