#include "cli/stale_sockets.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <memory>
#include <string_view>

#include "cli/numbers.h"
#include "cli/socket_address.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {
namespace {

constexpr std::string_view kEnding = ".sock";

bool nobody_listens(int directory, const char* name) {
  const UniqueFd caller{socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  const sockaddr_un address = address_in(directory, name);
  return caller && connect(caller.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
         errno == ECONNREFUSED;
}

/// "NAME.sock", at which its daemon listens as long as it lives, or "NAME.sock.PID", which that process is about to put
/// there.
bool is_stale(int directory, const char* name) {
  const std::string_view text = name;
  if (text.ends_with(kEnding)) return nobody_listens(directory, name);
  const auto dot = text.rfind('.');
  if (dot == text.npos || !text.substr(0, dot).ends_with(kEnding)) return false;
  const auto pid = number_within(text.substr(dot + 1), pid_t{1}, std::numeric_limits<pid_t>::max());
  return pid && kill(*pid, 0) != 0 && errno == ESRCH;
}

}  // namespace

void remove_stale_sockets(int directory) noexcept {
  const int descriptor = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries{fdopendir(descriptor), &closedir};
  if (!entries) {
    close(descriptor);
    return;
  }
  struct stat before {
  }, after{};
  while (const dirent* const entry = readdir(entries.get())) {
    const char* const name = entry->d_name;
    if (fstatat(directory, name, &before, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISSOCK(before.st_mode)) continue;
    if (!is_stale(directory, name)) continue;
    // Its successor may have come meanwhile.
    if (fstatat(directory, name, &after, AT_SYMLINK_NOFOLLOW) == 0 && after.st_ino == before.st_ino)
      unlinkat(directory, name, 0);
  }
}

}  // namespace fairfs::cli
