#include "cli/stat_client.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>

#include "cli/failure.h"
#include "cli/socket_address.h"

namespace fairfs::cli {
namespace {

/// Thousands of flows with histograms take a few megabytes.
constexpr std::size_t kReplyMax = std::size_t{256} << 20;

[[noreturn]] void fail(const std::string& mountpoint, int error) {
  if (error == ENOENT || error == ENOTDIR) {
    throw failed("stat", mountpoint, "no fairfs of yours is mounted here", "name the mountpoint of a running fairfs");
  }
  if (error == EACCES || error == EPERM) throw failed("stat", mountpoint, error, "ask as its owner or as root");
  if (error == EAGAIN) {
    throw failed("stat", mountpoint, "its daemon does not answer",
                 "look into its log; end it with SIGTERM, twice if it is stuck");
  }
  throw failed("stat", mountpoint, "its daemon is gone (" + std::generic_category().message(error) + ")",
               "start fairfs on it again, which takes the dead mount away");
}

UniqueFd connect_to(const std::string& directory, const std::string& mountpoint) {
  const UniqueFd folder{open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (!folder) fail(mountpoint, errno);
  UniqueFd result{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (!result) fail(mountpoint, errno);
  const timeval patience{kAnswerTime.count(), 0};
  setsockopt(result.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(result.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const sockaddr_un address = address_in(folder.get(), socket_name(mountpoint));
  if (connect(result.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail(mountpoint, errno);
  return result;
}

/// Until the daemon has said something.
void wait_for(int daemon, int stop, const std::string& mountpoint) {
  std::array<pollfd, 2> waiting{pollfd{daemon, POLLIN, 0}, pollfd{stop, POLLIN, 0}};  // -1 is passed over
  constexpr auto kTime = static_cast<int>(std::chrono::milliseconds{kAnswerTime}.count());
  const int ready = poll(waiting.data(), waiting.size(), kTime);
  if (ready == 0) fail(mountpoint, EAGAIN);
  if (ready > 0 && waiting[1].revents != 0) throw failed("stat", mountpoint, "not waited for", "ask again");
}

}  // namespace

std::string socket_directory_of(const std::string& mountpoint, const std::vector<Mount>& mounts) {
  // The last one mounted there is the one that is seen.
  const auto found =
      std::find_if(mounts.rbegin(), mounts.rend(), [&](const Mount& mount) { return mount.mountpoint == mountpoint; });
  return socket_directory_with(found != mounts.rend() ? found->owner : geteuid(), mountpoint);
}

Failure refused(const StatTarget& target, std::string_view what) {
  // What is not understood comes of two versions; everything else the daemon says as one of our own would.
  if (what.starts_with("not understood")) {
    return failed("stat", target.mountpoint, what, "use the fairfs-stat of the daemon's version");
  }
  return {kExitFailed, target.mountpoint + ": " + std::string{what}};
}

StatConnection::StatConnection(const StatTarget& target)
    : target_{target}, daemon_{connect_to(target.directory, target.mountpoint)} {}

std::string StatConnection::ask(std::string_view question, int stop) {
  const std::string& mountpoint = target_.mountpoint;
  const std::string line = std::string{question} + "\n";
  // Who is turned away is told why and hung up on, maybe before the question is out.
  if (send(daemon_.get(), line.data(), line.size(), MSG_NOSIGNAL) < 0 && errno != EPIPE) fail(mountpoint, errno);
  std::string reply;
  std::array<char, 65536> buffer{};
  while (!reply.ends_with('\n')) {
    wait_for(daemon_.get(), stop, mountpoint);
    const ssize_t count = recv(daemon_.get(), buffer.data(), buffer.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(mountpoint, errno);
    if (count == 0 || reply.size() > kReplyMax) fail(mountpoint, ECONNRESET);
    reply.append(buffer.data(), static_cast<std::size_t>(count));
  }
  reply.pop_back();
  return reply;
}

std::string ask_line(const StatTarget& target, std::string_view question, int stop) {
  return StatConnection{target}.ask(question, stop);
}

}  // namespace fairfs::cli
