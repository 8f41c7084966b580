// The bytes of a modelled disk.
#pragma once

#include <cstdint>
#include <string>

namespace fairfs::test {

/// A sparse run of zeros until something else is written: in memory, or in a file if a path is given (created, made
/// `size` long, kept).
/// The constructor throws std::system_error naming what failed on which path. Every range must lie within the size.
class Contents {
 public:
  Contents(std::uint64_t size, const std::string& path);
  ~Contents();
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Valid as long as this is; reading a part that was never written takes no memory.
  [[nodiscard]] const char* at(std::uint64_t offset) const { return base_ + offset; }
  void write(const char* data, std::uint64_t bytes, std::uint64_t offset);
  /// Zeros again; gives whole pages back.
  void discard(std::uint64_t offset, std::uint64_t bytes);

 private:
  const std::uint64_t size_;
  const bool in_memory_;
  char* base_ = nullptr;
};

}  // namespace fairfs::test
