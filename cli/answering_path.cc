#include "cli/answering_path.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/socket_path.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {
namespace {

using Clock = std::chrono::steady_clock;

// A daemon that is well answers in milliseconds, one whose disk is busy within a second.
constexpr std::chrono::seconds kPatienceFuse{2}, kPatience{30};

/// Holds nothing of ours: it may live as long as the file system does not answer.
[[noreturn]] void ask(const char* path) {
  ::close_range(0, ~0U, 0);
  struct statx status {};
  ::statx(AT_FDCWD, path, AT_STATX_FORCE_SYNC, STATX_TYPE, &status);
  ::_exit(0);
}

bool ends(pid_t child, std::chrono::milliseconds limit) {
  const UniqueFd ended{static_cast<int>(::syscall(SYS_pidfd_open, child, 0))};
  const auto until = Clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd waiting{ended.get(), POLLIN, 0};
    const int ready = ended ? ::poll(&waiting, 1, left > 0 ? static_cast<int>(left) : 0) : 1;
    if (ready < 0 && errno == EINTR) continue;
    // Without pidfds it would have to be waited for without end.
    return ready > 0 && (!ended || ::waitpid(child, nullptr, 0) == child || errno == ECHILD);
  }
}

bool is_fuse(const std::string& type) { return type.starts_with("fuse"); }

}  // namespace

PlaceOfPath place_of(const std::string& path, std::string_view mountinfo) {
  const std::string below = std::filesystem::path{path}.lexically_normal().string() + "/";
  PlaceOfPath found;
  std::istringstream lines{std::string{mountinfo}};
  for (std::string line; std::getline(lines, line);) {
    const MountLine mount = parse_mount_line(line);
    const std::string start = mount.mountpoint == "/" ? "/" : mount.mountpoint + "/";
    // Later lines lie over earlier ones.
    if (!mount.type.empty() && below.starts_with(start) && mount.mountpoint.size() >= found.mountpoint.size())
      found = {mount.mountpoint, mount.type};
  }
  return found;
}

void check_that_answers(std::string_view what, const std::string& path) {
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error);
  std::ifstream mounts{"/proc/self/mountinfo"};
  const PlaceOfPath place = place_of(absolute, std::string{std::istreambuf_iterator<char>{mounts}, {}});
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child == 0) ask(path.c_str());
  if (ends(child, is_fuse(place.type) ? kPatienceFuse : kPatience)) return;
  const bool known = is_fuse(place.type);
  throw failed(what, path, (known ? "what is mounted at " + place.mountpoint : "a file system there") +
                               " does not answer",
               "wake or end its daemon, or take it away: umount -l " + (known ? place.mountpoint : "MOUNTPOINT"));
}

}  // namespace fairfs::cli
