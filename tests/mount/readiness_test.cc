// When a service manager hears what: the mount is live at READY, and not before.
#include <signal.h>
#include <sys/mount.h>

#include "tests/cli/notify_socket.h"
#include "tests/mount/daemon.h"

namespace fairfs::test {
namespace {

class Readiness : public DaemonTest {
 protected:
  std::string address() const { return "@" + root().string(); }
};

TEST_F(Readiness, ComesWhenTheMountAnswers) {
  write_file(source("file"), "there");
  const NotifySocket manager{address()};
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl(program().c_str(), "fairfs", "-f", "-o", "probe=off", source().c_str(), mountpoint().c_str(), nullptr);
    ::_exit(127);
  }
  EXPECT_EQ(manager.hear(),
            "READY=1\nSTATUS=" + (root() / "source").string() + " mirrored at " + (root() / "mount").string());
  EXPECT_EQ(read_file(mountpoint("file")), "there") << "nobody waited for the mount but by the message";
  ::kill(child, SIGTERM);
  EXPECT_TRUE(manager.hear().starts_with("STOPPING=1"));
  EXPECT_EQ(end_of(child), 0);
  EXPECT_EQ(manager.hear_now(), "");
}

TEST_F(Readiness, IsNotSaidOfAMountThatFails) {
  const NotifySocket manager{address()};
  EXPECT_EQ(run({program(), root() / "missing", mountpoint(), "-f"}).status, 1);
  EXPECT_EQ(run({program(), source(), mountpoint(), "-f", "-o", "metrics=unix:" + (root() / "no/m").string()}).status,
            1);
  EXPECT_EQ(manager.hear_now(), "");
}

// A service may call mount(8); whether it is ready is not ours to say then.
TEST_F(Readiness, IsTheExitStatusInTheBackground) {
  const NotifySocket manager{address()};
  ASSERT_EQ(mount().status, 0);
  ASSERT_EQ(::umount2(mountpoint().c_str(), 0), 0);
  EXPECT_TRUE(eventually(std::chrono::seconds{10}, [&] { return daemon() == 0; }));
  EXPECT_EQ(manager.hear_now(), "");
}

TEST_F(Readiness, AnUnmountEndsTheService) {
  const NotifySocket manager{address()};
  const pid_t child = mount_in_foreground();
  EXPECT_TRUE(manager.hear().starts_with("READY=1"));
  ASSERT_EQ(::umount2(mountpoint().c_str(), 0), 0);
  EXPECT_EQ(end_of(child), 0);
  EXPECT_EQ(manager.hear_now(), "") << "nobody told it to stop";
}

}  // namespace
}  // namespace fairfs::test
