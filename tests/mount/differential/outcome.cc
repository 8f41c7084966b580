#include "tests/mount/differential/outcome.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace fairfs::test {
namespace {

/// 2020-09-13: the test sets earlier moments only.
constexpr std::int64_t kNow = 1'600'000'000;

std::string describe(const char* name, const Visible& file) {
  char text[256];
  std::snprintf(text, sizeof text,
                " %s[errno=%d mode=%o user=%u group=%u links=%llu size=%lld device=%llx modified=%lld.%09lld]", name,
                file.error, file.mode, file.user, file.group, static_cast<unsigned long long>(file.links),
                static_cast<long long>(file.size), static_cast<unsigned long long>(file.device),
                static_cast<long long>(file.modified_s), static_cast<long long>(file.modified_ns));
  return text;
}

}  // namespace

std::uint64_t hash_of(const void* data, std::size_t size, std::uint64_t hash) {
  // Eight bytes a step: whole files pass through here after each change.
  const auto* byte = static_cast<const unsigned char*>(data);
  for (; size >= 8; size -= 8, byte += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, byte, sizeof word);
    hash = (hash ^ word) * 0x100000001b3U;
    hash ^= hash >> 29U;
  }
  for (; size > 0; --size, ++byte) hash = (hash ^ *byte) * 0x100000001b3U;
  return hash;
}

Visible Visible::of(int result, const struct stat& status) {
  Visible file;
  if (result != 0) {
    file.error = errno;
    return file;
  }
  file.mode = status.st_mode;
  file.user = status.st_uid;
  file.group = status.st_gid;
  file.links = status.st_nlink;
  file.size = S_ISDIR(status.st_mode) ? 0 : status.st_size;
  file.device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) ? status.st_rdev : 0;
  // Writing to a pipe changes its time natively; under FUSE pipes are the kernel's alone, and it stamps none.
  if (status.st_mtim.tv_sec < kNow && !S_ISFIFO(status.st_mode)) {
    file.modified_s = status.st_mtim.tv_sec;
    file.modified_ns = status.st_mtim.tv_nsec;
  }
  return file;
}

std::string describe(const Outcome& outcome) {
  char text[256];
  std::snprintf(text, sizeof text, "result=%lld errno=%d (%s) signal=%d bytes=%016llx position=%lld contents=%016llx",
                static_cast<long long>(outcome.result), outcome.error, std::strerror(outcome.error), outcome.signal,
                static_cast<unsigned long long>(outcome.bytes), static_cast<long long>(outcome.position),
                static_cast<unsigned long long>(outcome.contents));
  const std::string files =
      describe("file", outcome.file) + describe("path", outcome.path) + describe("other", outcome.other_path);
  return text + files + (outcome.as_in_source ? "" : " not as in its source");
}

}  // namespace fairfs::test
