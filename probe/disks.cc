#include "probe/disks.h"

#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "probe/mounted.h"
#include "probe/traffic.h"

namespace fairfs::probe {
namespace {

// Arrays of volumes of arrays: deeper is a loop.
constexpr int kDepthMost = 8;

std::optional<dev_t> number_in(const std::string& file) {
  unsigned high = 0, low = 0;
  char colon = 0;
  if (std::ifstream text{file}; text >> high >> colon >> low) return makedev(high, low);
  return std::nullopt;
}

void add_disks(const std::string& directory, int depth, std::set<dev_t>& disks) {
  std::error_code error;
  bool made_of_others = false;
  for (const auto& part : std::filesystem::directory_iterator{directory + "/slaves", error}) {
    made_of_others = true;
    const auto device = number_in(part.path().string() + "/dev");
    if (device && depth < kDepthMost) add_disks(device_directory(*device), depth + 1, disks);
  }
  if (made_of_others) return;
  if (const auto device = number_in(directory + "/dev")) disks.insert(*device);
}

bool has_no_disk(std::string_view type) {
  constexpr std::array kTypes{"tmpfs", "ramfs", "nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "afs"};
  return std::ranges::find(kTypes, type) != kTypes.end() || type == "fuse" || type.starts_with("fuse.");
}

}  // namespace

std::set<dev_t> disks_under(dev_t device) {
  std::set<dev_t> disks;
  add_disks(device_directory(device), 0, disks);
  return disks;
}

bool on_different_disks(dev_t file_system, dev_t other) {
  if (file_system == other) return false;
  if (has_no_disk(mounted(file_system).type) || has_no_disk(mounted(other).type)) return true;
  const dev_t first = block_device(file_system), second = block_device(other);
  if (first == 0 || second == 0) return false;
  const auto ours = disks_under(first), theirs = disks_under(second);
  return !ours.empty() && !theirs.empty() &&
         std::ranges::none_of(ours, [&](dev_t disk) { return theirs.contains(disk); });
}

}  // namespace fairfs::probe
