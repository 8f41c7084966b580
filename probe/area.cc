#include "probe/area.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <utility>

#include "probe/trial.h"

namespace fairfs::probe {
namespace {

constexpr std::uint64_t kMebi = 1024 * 1024;
constexpr std::uint64_t kFilledLeast = 16 * kMebi;
constexpr std::uint64_t kFreePart = 20;  // at most a 20th (5 %) of the free space
/// Filling stops after this, so that a slow disk keeps time for measuring.
constexpr auto kFillTime = std::chrono::milliseconds{1100};
constexpr std::uint64_t kAlignment = 4096;

}  // namespace

void Area::add(engine::FileDescriptor file, std::uint64_t bytes) {
  bytes = bytes / kBytesMax * kBytesMax;
  parts_.push_back({std::move(file), bytes_, bytes});
  bytes_ += bytes;
}

Area::Place Area::place(std::uint64_t offset, std::uint64_t bytes) const {
  const auto after = std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) { return part.start > offset; });
  const Part& part = *(after - 1);
  return {part.file.get(), std::min(offset - part.start, part.bytes - bytes)};
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
  bytes = std::min<std::uint64_t>(bytes, space.f_bavail * space.f_frsize / kFreePart) / kBytesMax * kBytesMax;
  if (bytes < kFilledLeast) {
    why = "5 % of the free space is less than 16 MiB";
    return {};
  }
  engine::FileDescriptor file{open(directory.c_str(), O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600)};
  if (!file) {
    why = errno == EINVAL ? "the filesystem has no direct I/O" : std::string{"O_TMPFILE: "} + std::strerror(errno);
    return {};
  }
  // At its full size from the start: a write that makes a file longer is a synchronous one.
  if (const int error = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes)); error != 0) {
    why = std::strerror(error);
    return {};
  }
  const Noise noise;
  std::uint64_t filled = 0;
  const auto end = std::chrono::steady_clock::now() + kFillTime;
  while (filled < bytes && std::chrono::steady_clock::now() < end) {
    const ssize_t written = pwrite(file.get(), noise.data(), kBytesMax, static_cast<off_t>(filled));
    if (written != static_cast<ssize_t>(kBytesMax)) {
      why = std::string{"writing: "} + std::strerror(written < 0 ? errno : ENOSPC);
      return {};
    }
    filled += kBytesMax;
  }
  if (fsync(file.get()) != 0) {
    why = std::string{"fsync: "} + std::strerror(errno);
    return {};
  }
  Area area;
  area.add(std::move(file), filled);
  return area;
}

Noise::Noise() : data_(std::aligned_alloc(kAlignment, kBytesMax)) {
  if (data_ == nullptr) throw std::bad_alloc{};
  std::mt19937_64 random;
  auto* const words = static_cast<std::uint64_t*>(data_);
  std::generate(words, words + kBytesMax / sizeof(std::uint64_t), [&random] { return random(); });
}

Noise::~Noise() { std::free(data_); }

}  // namespace fairfs::probe
