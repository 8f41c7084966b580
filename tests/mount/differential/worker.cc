#include "tests/mount/differential/worker.h"

#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <type_traits>

#include "tests/mount/differential/side.h"

namespace fairfs::test {
namespace {

static_assert(std::is_trivially_copyable_v<Operation> && std::is_trivially_copyable_v<Outcomes>, "sent as they are");

/// An operation takes milliseconds; a stuck mount takes for ever.
constexpr int kPatience_ms = 60'000;

[[noreturn]] void fail(const char* what) { throw std::system_error{errno, std::generic_category(), what}; }

int serve(const Identity& identity, int channel, int mounted_root, int source_root, int native_root) {
  ::signal(SIGPIPE, SIG_IGN);
  ::umask(identity.mask);
  if (::setgroups(identity.groups.size(), identity.groups.data()) != 0 ||
      ::setresgid(identity.group, identity.group, identity.group) != 0 ||
      ::setresuid(identity.user, identity.user, identity.user) != 0)
    return errno;
  const auto mounted = std::make_unique<Side>(mounted_root, source_root), native = std::make_unique<Side>(native_root);
  Operation operation;
  while (::recv(channel, &operation, sizeof operation, 0) == static_cast<ssize_t>(sizeof operation)) {
    const Outcomes outcomes{.mounted = mounted->apply(operation), .native = native->apply(operation)};
    if (::send(channel, &outcomes, sizeof outcomes, MSG_NOSIGNAL) < 0) break;
  }
  return 0;
}

}  // namespace

Worker::Worker(const Identity& identity, int mounted_root, int source_root, int native_root) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
  channel_ = UniqueFd{ends[0]};
  const UniqueFd theirs{ends[1]};
  process_ = ::fork();
  if (process_ < 0) fail("fork");
  if (process_ == 0) ::_exit(serve(identity, theirs.get(), mounted_root, source_root, native_root));
}

Worker::~Worker() {
  ::shutdown(channel_.get(), SHUT_RDWR);
  ::waitpid(process_, nullptr, 0);
}

Outcomes Worker::apply(const Operation& operation) {
  Outcomes outcomes;
  pollfd answered{channel_.get(), POLLIN, 0};
  if (::send(channel_.get(), &operation, sizeof operation, MSG_NOSIGNAL) < 0) throw std::runtime_error{"a worker died"};
  if (::poll(&answered, 1, kPatience_ms) != 1) {
    ::kill(process_, SIGKILL);
    throw std::runtime_error{"a worker got no answer for a minute"};
  }
  if (::recv(channel_.get(), &outcomes, sizeof outcomes, 0) != static_cast<ssize_t>(sizeof outcomes))
    throw std::runtime_error{"a worker died"};
  return outcomes;
}

}  // namespace fairfs::test
