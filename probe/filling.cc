#include "probe/filling.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <vector>

#include "probe/aio_disk.h"

namespace fairfs::probe {
namespace {

constexpr std::uint64_t kLeast = 16 * kBytesMax;
constexpr std::uint64_t kFreePart = 20;  // at most a 20th (5 %) of the free space
/// Filling stops after this, so that a slow disk keeps time for measuring.
constexpr Duration kFillTime = std::chrono::seconds{1}, kFillTimeMost = std::chrono::seconds{4};
/// A write that hangs for longer is given up.
constexpr Duration kPatience = std::chrono::seconds{5};
/// Enough that a disk writes on while one of them is answered: a spindle that waits for the next loses a rotation with
/// each, and a stripe of them fills so little in the time that streams would come to its end.
constexpr std::uint32_t kAtOnce = 4;

std::string written(AioDisk& disk, Area& area, int file) {
  const Filling filling = fill(disk);
  if (filling.error != 0) return std::string{"writing: "} + std::strerror(filling.error);
  if (filling.bytes < kLeast) return "the disk doesn't take 16 MiB in four seconds";
  if (fsync(file) != 0) return std::string{"fsync: "} + std::strerror(errno);
  area.cut(filling.bytes);
  return {};
}

}  // namespace

Filling fill(Disk& disk) {
  const std::uint64_t span = disk.span(Operation::write);
  const Time end = disk.now() + kFillTime, last = disk.now() + kFillTimeMost;
  Filling result;
  std::uint32_t in_flight = 0;
  std::vector<Transfer> transfers;
  std::vector<Ended> ended;
  for (std::uint32_t slot = 0; slot < kAtOnce; ++slot) ended.push_back({slot, 0});
  for (;;) {
    transfers.clear();
    for (const Ended& one : ended) {
      if (one.error != 0 && result.error == 0) result.error = one.error;
      const bool over = disk.now() >= (result.bytes < kLeast ? last : end);
      if (result.error != 0 || result.bytes + kBytesMax > span || over) continue;
      transfers.push_back({one.slot, Operation::write, result.bytes, kBytesMax});
      result.bytes += kBytesMax;
    }
    disk.start(transfers);
    in_flight += static_cast<std::uint32_t>(transfers.size());
    if (in_flight == 0) return result;
    ended.clear();
    disk.wait(disk.now() + kPatience, ended);
    in_flight -= static_cast<std::uint32_t>(ended.size());
    if (!ended.empty()) continue;
    result.error = ETIMEDOUT;
    return result;
  }
}

Area fill_file(const std::string& directory, std::uint64_t bytes, std::string& why) {
  struct statvfs space {};
  if (statvfs(directory.c_str(), &space) != 0) {
    why = std::strerror(errno);
    return {};
  }
  if ((space.f_flag & ST_RDONLY) != 0) {
    why = "the source is read-only";
    return {};
  }
  engine::FileDescriptor file{open(directory.c_str(), O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600)};
  if (!file) {
    why = errno == EINVAL ? "the filesystem has no direct I/O" : std::string{"O_TMPFILE: "} + std::strerror(errno);
    return {};
  }
  bytes = std::min<std::uint64_t>(bytes, space.f_bavail * space.f_frsize / kFreePart) / kBytesMax * kBytesMax;
  if (bytes < kLeast) {
    why = "5 % of the free space is less than 16 MiB";
    return {};
  }
  // At its full size from the start: a write that makes a file longer is a synchronous one.
  if (const int error = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes)); error != 0) {
    why = std::strerror(error);
    return {};
  }
  const int descriptor = file.get();
  Area area;
  area.add(std::move(file), bytes);
  try {
    AioDisk disk{area, area};
    why = written(disk, area, descriptor);
  } catch (const std::system_error& error) {
    why = error.what();
  }
  return why.empty() ? std::move(area) : Area{};
}

}  // namespace fairfs::probe
