#include "probe/traffic.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <fstream>

#include "probe/mounted.h"

namespace fairfs::probe {
namespace {

constexpr std::uint64_t kSector = 512;  // diskstats' unit, whatever the device's is

std::string numbers(dev_t device) { return std::to_string(major(device)) + ":" + std::to_string(minor(device)); }

}  // namespace

dev_t block_device(dev_t filesystem) {
  std::error_code ignored;
  if (std::filesystem::exists("/sys/dev/block/" + numbers(filesystem), ignored)) return filesystem;
  struct stat status {};
  const std::string source = mounted(filesystem).source;
  return ::stat(source.c_str(), &status) == 0 && S_ISBLK(status.st_mode) ? status.st_rdev : 0;
}

std::string device_directory(dev_t device) {
  const std::string own = "/sys/dev/block/" + numbers(device);
  std::error_code error;
  if (!std::filesystem::exists(own + "/partition", error)) return own;
  const auto whole = std::filesystem::canonical(own + "/..", error);
  return error ? own : whole.string();
}

std::optional<std::uint64_t> device_traffic(dev_t device) {
  std::ifstream file{device_directory(device) + "/stat"};
  std::uint64_t reads = 0, merged = 0, read = 0, time = 0, writes = 0, merged_writes = 0, written = 0;
  if (!(file >> reads >> merged >> read >> time >> writes >> merged_writes >> written)) return std::nullopt;
  return (read + written) * kSector;
}

std::optional<std::uint64_t> own_traffic() {
  std::ifstream file{"/proc/self/io"};
  std::optional<std::uint64_t> sum;
  for (std::string name; file >> name;) {
    std::uint64_t number = 0;
    file >> number;
    if (name == "read_bytes:" || name == "write_bytes:") sum = sum.value_or(0) + number;
  }
  return sum;
}

}  // namespace fairfs::probe
