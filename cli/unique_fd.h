// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

namespace fairfs::cli {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int descriptor) : descriptor_{descriptor} {}
  UniqueFd(UniqueFd&& other) noexcept : descriptor_{std::exchange(other.descriptor_, -1)} {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~UniqueFd() { reset(); }

  [[nodiscard]] int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }
  void reset() {
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  }

 private:
  int descriptor_ = -1;
};

}  // namespace fairfs::cli
