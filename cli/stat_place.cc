// Where the control socket stands, and how it gets there.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cli/socket_address.h"
#include "cli/stale_sockets.h"
#include "cli/stat_server.h"

namespace fairfs::cli {
namespace {

/// Clients that connect at once while the thread answers another.
constexpr int kListenBacklog = 128;

[[noreturn]] void fail(const std::string& what, const std::string& path, int error = errno) {
  throw std::system_error{error, std::generic_category(), "control socket: " + path + ": " + what};
}

UniqueFd open_directory(const std::string& path) {
  const mode_t mode = geteuid() == 0 ? 0755 : 0700;
  if (mkdir(path.c_str(), mode) != 0 && errno != EEXIST) fail("make directory", path);
  UniqueFd directory{open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)};
  struct stat status {};
  if (!directory || fstat(directory.get(), &status) != 0) fail("open directory", path);
  // Whoever can write there could put a socket of their own in our place.
  if (status.st_uid != geteuid() || (status.st_mode & 022) != 0) fail("others can write to the directory", path, EPERM);
  return directory;
}

}  // namespace

void StatServer::settle() {
  // The last daemon to end takes the spare directory away, maybe while we are on our way into it.
  constexpr int kTries = 100;
  for (int tries_left = kTries;; --tries_left) {
    try {
      directory_ = open_directory(path_);
      remove_stale_sockets(directory_.get());
      return listen();
    } catch (const std::system_error& error) {
      if (error.code().value() != ENOENT || tries_left == 0) throw;
    }
  }
}

void StatServer::listen() {
  const std::string temporary = name_ + "." + std::to_string(getpid());
  const std::string path = path_ + "/" + name_;
  listener_ = UniqueFd{socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (!listener_) fail("socket", path);
  fchmod(listener_.get(), 0600);  // before bind: the file is never there with other permissions
  unlinkat(directory_.get(), temporary.c_str(), 0);
  const sockaddr_un address = address_in(directory_.get(), temporary);
  if (bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("bind", path);
  open_to_others(temporary);
  if (::listen(listener_.get(), kListenBacklog) != 0) fail("listen", path);
  struct stat status {};
  // Renaming replaces a stale socket in one step: nobody finds none.
  if (fstatat(directory_.get(), temporary.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
      renameat(directory_.get(), temporary.c_str(), directory_.get(), name_.c_str()) != 0) {
    fail("rename", path);
  }
  inode_ = status.st_ino;
}

void StatServer::open_to_others(const std::string& path) {
  if (access_.others == StatAccess::Others::none) return;
  const bool to_all = access_.others == StatAccess::Others::all;
  if (!to_all && fchownat(directory_.get(), path.c_str(), uid_t(-1), access_.group, AT_SYMLINK_NOFOLLOW) != 0) {
    fail("give it to group " + std::to_string(access_.group), path);
  }
  // The directory is ours alone: what stands there is the socket we have just made.
  if (fchmodat(directory_.get(), path.c_str(), to_all ? 0666 : 0660, 0) != 0) fail("open to others", path);
}

bool StatServer::is_in_place() const {
  struct stat status {};
  return fstatat(directory_.get(), name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_ino == inode_;
}

void StatServer::look_at_the_place() {
  if (is_in_place() || !is_due_()) return;
  try {
    settle();
  } catch (const std::system_error&) {
    // The directory can't be made, as /run/user/UID is when its user has logged out: nobody could come there anyway.
  }
}

}  // namespace fairfs::cli
