// Reading small kernel files (/proc, cgroup) without allocation.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <string_view>
#include <utility>

namespace fairfs::engine {

/// Owns one descriptor, or none (-1). Moves only.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// The file's text from its start, cut at the buffer's size. Empty when it can't be read. `folder` as in openat(2).
inline std::string_view read_text(int folder, const char* path, std::span<char> buffer) {
  const FileDescriptor file{::openat(folder, path, O_RDONLY | O_CLOEXEC)};
  if (!file) return {};
  std::size_t length = 0;
  while (length < buffer.size()) {
    const ssize_t got = ::read(file.get(), buffer.data() + length, buffer.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // a process that ends while we read is as good as the end of its file
    length += static_cast<std::size_t>(got);
  }
  return {buffer.data(), length};
}

/// Cuts the first line (without its end) off `text`.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// Cuts the first word, up to blanks or tabs, off `text`; empty when there is none left.
inline std::string_view take_word(std::string_view& text) {
  const std::size_t start = text.find_first_not_of(" \t\n");
  if (start == std::string_view::npos) return text = {};
  text.remove_prefix(start);
  const std::string_view word = text.substr(0, text.find_first_of(" \t\n"));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace fairfs::engine
