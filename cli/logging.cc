#include "cli/logging.h"

#include <fcntl.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/sinks/syslog_sink.h>
#include <spdlog/spdlog.h>
#include <syslog.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "cli/failure.h"
#include "cli/text.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {
namespace {

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::trace:
      return spdlog::level::trace;
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

spdlog::sink_ptr make_sink(const Options& options) {
  if (!options.log_file.empty()) {
    // spdlog would report the path and the reason in words of its own, and make directories.
    const UniqueFd file{open(options.log_file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644)};
    if (!file)
      throw failed("log file", options.log_file, errno, "name a file that can be written, or leave log_file out");
    return std::make_shared<spdlog::sinks::basic_file_sink_mt>(options.log_file);
  }
  if (options.foreground) return std::make_shared<spdlog::sinks::stderr_sink_mt>();
  return std::make_shared<spdlog::sinks::syslog_sink_mt>("fairfs", LOG_PID, LOG_DAEMON, true);
}

/// Names of files and programs are anybody's: a line feed in one must not begin a line of the log.
class PrintableLines final : public spdlog::formatter {
 public:
  explicit PrintableLines(std::unique_ptr<spdlog::formatter> lines) : lines_{std::move(lines)} {}
  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& to) override {
    const std::string text = printable({message.payload.data(), message.payload.size()});
    spdlog::details::log_msg copy = message;
    copy.payload = text;
    lines_->format(copy, to);
  }
  std::unique_ptr<formatter> clone() const override { return std::make_unique<PrintableLines>(lines_->clone()); }

 private:
  std::unique_ptr<spdlog::formatter> lines_;
};

}  // namespace

void configure_logging(const Options& options) {
  auto logger = std::make_shared<spdlog::logger>("fairfs", make_sink(options));
  const bool to_syslog = options.log_file.empty() && !options.foreground;  // it has the time and the level already
  logger->set_formatter(std::make_unique<PrintableLines>(
      to_syslog ? std::make_unique<spdlog::pattern_formatter>("%v", spdlog::pattern_time_type::local, "")
                : std::make_unique<spdlog::pattern_formatter>()));
  logger->set_level(level_of(options.log_level));
  // What was logged before a crash is what one wants to read after it.
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace fairfs::cli
