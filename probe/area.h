// Where the probe reads and writes: files, one behind another.
#pragma once

#include <cstdint>
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

  /// In whole MiB.
  void add(engine::FileDescriptor file, std::uint64_t bytes);
  /// Keeps the first `bytes`, a multiple of 1 MiB.
  void cut(std::uint64_t bytes);
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

/// 1 MiB of data that neither compresses nor repeats, on a boundary that direct I/O accepts.
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
