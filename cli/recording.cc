#include "cli/recording.h"

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "cli/failure.h"

namespace fairfs::cli {
namespace {

constexpr const char* kAdvice = "name a file that --record wrote";
/// A reading of 10,000 flows with full histograms has half of it.
constexpr std::size_t kLineMost = 64 << 20;

}  // namespace

Recorder::Recorder(const std::string& path) : path_{path} {
  errno = 0;
  file_.open(path, std::ios::trunc);
  if (!file_) throw failed("record", path, errno != 0 ? errno : EIO, "name a file that can be written");
}

void Recorder::add(std::string_view line) {
  errno = 0;
  // Whole lines: what was recorded before a crash can be read after it.
  if (!(file_ << line << '\n').flush())
    throw failed("record", path_, errno != 0 ? errno : EIO, "make room, or leave it out");
}

Recording::Recording(const std::string& path) : path_{path} {
  errno = 0;
  file_.open(path);
  if (!file_) throw failed("replay", path, errno != 0 ? errno : EIO, kAdvice);
  if (std::error_code error; std::filesystem::is_directory(path, error)) throw failed("replay", path, EISDIR, kAdvice);
}

bool Recording::next_line(std::string& line) {
  errno = 0;
  for (int letter = 0; (letter = file_.get()) != std::ifstream::traits_type::eof();) {
    if (letter == '\n') return true;
    if (line.size() == kLineMost) throw failed("replay", path_, "a line of it never ends", kAdvice);
    line += static_cast<char>(letter);
  }
  if (file_.bad()) throw failed("replay", path_, errno != 0 ? errno : EIO, kAdvice);
  return !line.empty();
}

std::optional<StatReply> Recording::next() {
  std::string line;
  if (!next_line(line)) return std::nullopt;
  ++line_;
  const std::string where = path_ + ":" + std::to_string(line_);
  try {
    StatReply reply = parse_reply(line);
    if (!reply.readings.empty()) return reply;
  } catch (const std::runtime_error& error) {
    throw failed("replay", where, error.what(), "name a file that --record of this version wrote");
  }
  throw failed("replay", where, "there is no reading", "name a file that --record of this version wrote");
}

}  // namespace fairfs::cli
