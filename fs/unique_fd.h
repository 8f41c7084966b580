// A file descriptor that closes itself.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace fairfs::fs {

/// Owns a descriptor, or holds the negative errno that says why there is none. Not thread-safe.
class UniqueFd {
 public:
  UniqueFd() = default;
  /// Takes over a descriptor; a negative value is the error.
  explicit UniqueFd(int descriptor_or_error) noexcept : value_(descriptor_or_error) {}
  UniqueFd(UniqueFd&& other) noexcept : value_(std::exchange(other.value_, -EBADF)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
      reset();
      value_ = std::exchange(other.value_, -EBADF);
    }
    return *this;
  }
  ~UniqueFd() { reset(); }

  explicit operator bool() const noexcept { return value_ >= 0; }
  /// The descriptor; only while there is one.
  [[nodiscard]] int get() const noexcept { return value_; }
  /// Negative errno; only while there is no descriptor.
  [[nodiscard]] int error() const noexcept { return value_; }
  /// Gives the descriptor to the caller, to close.
  [[nodiscard]] int release() noexcept { return std::exchange(value_, -EBADF); }

 private:
  void reset() noexcept {
    if (value_ >= 0) ::close(value_);
    value_ = -EBADF;
  }

  int value_ = -EBADF;
};

}  // namespace fairfs::fs
