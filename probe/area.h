// Where the probe reads and writes: files one behind another; and a file without a name that is gone afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sched/engine/file.h"

namespace fairfs::probe {

/// Files one behind another as one span of bytes.
class Area {
 public:
  struct Place {
    int file;
    std::uint64_t offset;
  };

  void add(engine::FileDescriptor file, std::uint64_t bytes);
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Where `offset` of the span lies. A request that would cross the end of its file is moved to fit into it.
  [[nodiscard]] Place place(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  struct Part {
    engine::FileDescriptor file;
    std::uint64_t start, bytes;
  };
  std::vector<Part> parts_;
  std::uint64_t bytes_ = 0;
};

/// Checks whether there is room, and fills a file without a name (O_TMPFILE: the kernel frees it when the process ends,
/// however it does) with data that neither compresses nor repeats, up to `bytes` and a second. Its data is on the disk
/// afterwards. Empty, with the reason in `why`, when it can't be made.
[[nodiscard]] Area fill_file(const std::string& directory, std::uint64_t bytes, std::string& why);

/// 1 MiB of it, on a boundary that direct I/O accepts.
class Noise {
 public:
  Noise();
  ~Noise();
  Noise(const Noise&) = delete;
  Noise& operator=(const Noise&) = delete;
  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_;
};

}  // namespace fairfs::probe
