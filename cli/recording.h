// Readings kept in a file: the daemon's answers as they came, one a line.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "cli/stat_protocol.h"

namespace fairfs::cli {

class Recorder {
 public:
  /// Begins the file anew. Throws Failure.
  explicit Recorder(const std::string& path);
  /// Throws Failure when it can't be written.
  void add(std::string_view line);

 private:
  const std::string path_;
  std::ofstream file_;
};

class Recording {
 public:
  /// Throws Failure.
  explicit Recording(const std::string& path);
  /// The next reading; nothing at the end. Throws Failure ("FILE:LINE: ...") for what is no reading.
  [[nodiscard]] std::optional<StatReply> next();

 private:
  /// False at the end.
  bool next_line(std::string& line);

  const std::string path_;
  std::ifstream file_;
  std::size_t line_ = 0;
};

}  // namespace fairfs::cli
