// An ordinary user's own mount, made through fusermount3.

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tests/mount/daemon.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

/// fusermount3 wants a user with a name.
constexpr const char* kUser = "nobody";

/// In a mount namespace of its own, where /dev/fuse is open to all as on most systems. What happens there is told by
/// exit status and on standard error.
class UserMount : public DaemonTest {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    if (IsSkipped()) return;
    const passwd* const user = ::getpwnam(kUser);
    if (user == nullptr) GTEST_SKIP() << "there is no user " << kUser;
    if (::system("command -v fusermount3 > /dev/null") != 0) GTEST_SKIP() << "there is no fusermount3";
    user_ = user->pw_uid;
    group_ = user->pw_gid;
    std::filesystem::create_directory(root() / "run");
    for (const Path& path : {source(), mountpoint(), root() / "run"})
      ASSERT_EQ(::chown(path.c_str(), user_, group_), 0);
  }

  uid_t owner() const { return user_; }
  /// What `body` finds wrong, each said by `check`.
  int inside(const std::function<void()>& body) {
    return in_child([&] {
      const Path device = root() / "fuse";
      if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
          ::mknod(device.c_str(), S_IFCHR | 0666, makedev(10, 229)) != 0 || ::chmod(device.c_str(), 0666) != 0 ||
          ::mount(device.c_str(), "/dev/fuse", nullptr, MS_BIND, nullptr) != 0)
        return 100;
      try {
        body();
      } catch (const std::exception& error) {
        check(false, error.what());
      }
      ::umount2((root() / "mount").c_str(), MNT_DETACH);
      return wrong_;
    });
  }
  void check(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "wrong: %s\n", what);
    ++wrong_;
  }
  void become_user() const {
    ::setenv("XDG_RUNTIME_DIR", (root() / "run").c_str(), 1);
    if (::setgroups(0, nullptr) != 0 || ::setresgid(group_, group_, group_) != 0 ||
        ::setresuid(user_, user_, user_) != 0)
      ::_exit(126);
  }
  Ended run_as_user(std::vector<std::string> words) const {
    return run(std::move(words), [this] { become_user(); });
  }
  bool start() const {
    const Ended ended = run_as_user({program(), source(), mountpoint()});
    if (ended.status != 0) std::fprintf(stderr, "%s", ended.output.c_str());
    return ended.status == 0;
  }
  int as_owner(const std::function<int()>& body) const {
    return as_user(user_, group_, {}, [&] {
      try {
        return body();
      } catch (const std::system_error& error) {
        return error.code().value();
      }
    });
  }
  bool ends(pid_t process) const {
    return eventually(10s, [&] { return daemon() != process; });
  }

 private:
  uid_t user_ = 0;
  gid_t group_ = 0;
  int wrong_ = 0;
};

TEST_F(UserMount, ServesItsOwnerAlone) {
  write_file(source("of root"), "secret");
  ASSERT_EQ(::chmod(source("of root").c_str(), 0600), 0);
  EXPECT_EQ(inside([&] {
              check(start(), "it starts");
              const std::string line = mount_line(root() / "mount");
              check(line.find("nosuid,nodev") != line.npos, "nosuid,nodev");
              check(as_owner([&] {
                      write_file(mountpoint("own"), "written");
                      std::filesystem::create_directory(mountpoint("folder"));
                      std::filesystem::rename(mountpoint("own"), mountpoint("folder/own"));
                      return read_file(mountpoint("folder/own")) == "written" ? 0 : 1;
                    }) == 0,
                    "own files work");
              check(as_owner([&] { return ::open(mountpoint("of root").c_str(), O_RDONLY) < 0 ? errno : 0; }) == EACCES,
                    "others' files are theirs");
              struct stat status {};
              check(::stat(mountpoint().c_str(), &status) < 0 && errno == EACCES, "root isn't let in");
              const Path statistics = Path{program()}.parent_path() / "fairfs-stat";
              check(run_as_user({statistics, mountpoint(), "--once"}).status == 0, "fairfs-stat answers its owner");
            }),
            0);
  EXPECT_EQ(read_file(source("folder/own")), "written");
}

// As under cron and su, where nobody has made /run/user/UID.
TEST_F(UserMount, FairfsStatFindsItWithoutARuntimeDirectory) {
  const Path spare = "/tmp/fairfs-" + std::to_string(owner());
  if (std::filesystem::exists(spare) || std::filesystem::exists("/run/user/" + std::to_string(owner())))
    GTEST_SKIP() << kUser << " has one, or mounts here";
  EXPECT_EQ(inside([&] {
              const auto without = [&](std::vector<std::string> words) {
                return run(std::move(words), [this] {
                  become_user();
                  ::unsetenv("XDG_RUNTIME_DIR");
                });
              };
              const Path statistics = Path{program()}.parent_path() / "fairfs-stat";
              check(without({program(), source(), mountpoint()}).status == 0, "it starts");
              check(without({statistics, mountpoint(), "--once"}).status == 0, "fairfs-stat answers its owner");
              check(run({statistics, mountpoint(), "--once"}).status == 0, "and root");
              check(status_of(spare).st_mode % 01000 == 0700, "nobody else can look there");
            }),
            0);
  // The daemon takes its sockets out of it at the same moment.
  EXPECT_TRUE(eventually(10s, [&] {
    std::error_code raced;
    std::filesystem::remove_all(spare, raced);
    return !std::filesystem::exists(spare);
  }));
}

TEST_F(UserMount, EndsInOrder) {
  EXPECT_EQ(inside([&] {
              check(start(), "it starts");
              const pid_t first = daemon();
              ::kill(first, SIGTERM);
              check(ends(first), "SIGTERM ends it");
              check(!is_mounted(), "and takes the mount away");
              check(start(), "it starts again");
              const pid_t second = daemon();
              check(run_as_user({"fusermount3", "-u", mountpoint()}).status == 0, "fusermount3 -u");
              check(ends(second), "ends it, too");
            }),
            0);
}

TEST_F(UserMount, OverItsOwnDeadMount) {
  EXPECT_EQ(inside([&] {
              check(start(), "it starts");
              ::kill(daemon(), SIGKILL);
              check(as_owner([&] {
                      struct stat status {};
                      const auto dead = [&] { return ::stat(mountpoint().c_str(), &status) < 0 && errno == ENOTCONN; };
                      return eventually(10s, dead) ? 0 : 1;
                    }) == 0,
                    "it is dead");
              check(start(), "it starts over the dead mount");
              check(as_owner([&] {
                      write_file(mountpoint("again"), "served");
                      return 0;
                    }) == 0,
                    "and serves");
            }),
            0);
}

TEST_F(UserMount, SaysWhatIsMissing) {
  EXPECT_EQ(inside([&] {
              check(::chmod("/dev/fuse", 0600) == 0, "chmod");
              const Ended ended = run_as_user({program(), source(), mountpoint()});
              check(ended.status == 1, "it fails");
              check(ended.output.find("/dev/fuse: Permission denied") != std::string::npos, ended.output.c_str());
            }),
            0);
}

}  // namespace
}  // namespace fairfs::test
