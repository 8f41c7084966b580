#include "cli/failure.h"

#include <cerrno>

#include "cli/text.h"

namespace fairfs::cli {
namespace {

std::string join(std::string_view what, std::string_view path, std::string_view why, std::string_view advice) {
  std::string line{what};
  if (!path.empty()) line.append(": ").append(path);
  return line.append(": ").append(why).append("; ").append(advice);
}

std::string_view advice_for(int error) {
  switch (error) {
    case EPERM:
    case EACCES:
      return "run it as root, or as a user who may do this";
    case ENODEV:
      return "load the fuse module";
    case ENOTCONN:
      return "a dead mount is in the way: end it with umount -l";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files";
    case EAGAIN:
      return "raise the limits of memory and of processes (ulimit -v, ulimit -u)";
    default:
      return "start it with -d to see more";
  }
}

}  // namespace

Failure::Failure(int exit_status, std::string_view line)
    : std::runtime_error{printable(line)}, exit_status_{exit_status} {}

Failure failed(std::string_view what, std::string_view path, std::string_view why, std::string_view advice) {
  return {kExitFailed, join(what, path, why, advice)};
}

Failure failed(std::string_view what, std::string_view path, int error, std::string_view advice) {
  return failed(what, path, std::generic_category().message(error), advice);
}

Failure failed(const std::system_error& error) {
  std::string what = error.what();
  // What the library says of a thread that it could not start is only why.
  if (what == error.code().message()) what.insert(0, "starting a thread: ");
  return {kExitFailed, what.append("; ").append(advice_for(error.code().value()))};
}

Failure misused(std::string_view what, std::string_view program) {
  return {kExitMisused, std::string{what}.append("; see ").append(program).append(" --help")};
}

}  // namespace fairfs::cli
