// Why a program could not do what it was started for: one line for people, and the exit status.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace fairfs::cli {

inline constexpr int kExitFailed = 1, kExitMisused = 2;

/// what() is the whole line but for the program's name. Never contains a line feed or another control character.
class Failure : public std::runtime_error {
 public:
  Failure(int exit_status, std::string_view line);
  [[nodiscard]] int exit_status() const { return exit_status_; }

 private:
  int exit_status_;
};

/// "what: path: why; advice", exit status 1.
[[nodiscard]] Failure failed(std::string_view what, std::string_view path, std::string_view why,
                             std::string_view advice);
/// The same for an errno value.
[[nodiscard]] Failure failed(std::string_view what, std::string_view path, int error, std::string_view advice);
/// "what; see PROGRAM --help", exit status 2.
[[nodiscard]] Failure misused(std::string_view what, std::string_view program = "fairfs");
/// What the layers below report at start-up, with an advice that fits its error code.
[[nodiscard]] Failure failed(const std::system_error& error);

}  // namespace fairfs::cli
