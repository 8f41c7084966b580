#include "cli/recording.h"

#include <cerrno>
#include <stdexcept>

#include "cli/failure.h"

namespace fairfs::cli {

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
  if (!file_) throw failed("replay", path, errno != 0 ? errno : EIO, "name a file that --record wrote");
}

std::optional<StatReply> Recording::next() {
  std::string line;
  if (!std::getline(file_, line)) return std::nullopt;
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
