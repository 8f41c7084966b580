// Users that open all they can, on a daemon with few descriptors: what they get, and that all others go on.

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "tests/mount/daemon.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

constexpr uid_t kGreedy = 23451, kOther = 23452;
/// Of 512 descriptors an eighth and a quarter are for inodes and a quarter are kept back; a handle may need two of the
/// rest.
constexpr int kHandles = 96;
/// An eighth is root's alone; one user may have as many as are left.
constexpr int kOneUsers = 42;

class Limits : public DaemonTest {};

class OpenFiles : public DaemonTest {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    if (IsSkipped()) return;
    ::chmod(source().c_str(), 0777);
    std::filesystem::create_directory(source("folder"));
    write_file(source("file"), "contents");
    ::chmod(source("file").c_str(), 0666);
    const std::string options = "log_file=" + (root() / "log").string();
    ASSERT_EQ(run({program(), source(), mountpoint(), "-o", options}, few_descriptors).status, 0);
  }
  void TearDown() override {
    for (const pid_t child : holders_) end(child);
    DaemonTest::TearDown();
  }

  struct Held {
    int count = 0, error = 0;  ///< what the user got, and the errno that ended it
  };
  /// A process of `user` that opens `name` until it can't, and keeps what it has until the test ends or `release`.
  Held hold(uid_t user, const std::string& name, int flags) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return {};
    const pid_t child = ::fork();
    if (child == 0) {
      Held held;
      if (::setresgid(user, user, user) != 0 || ::setresuid(user, user, user) != 0) ::_exit(1);
      while (held.count < 1000 && ::open(mountpoint(name).c_str(), flags | O_CLOEXEC) >= 0) ++held.count;
      held.error = errno;
      if (::write(ends[1], &held, sizeof held) < 0) ::_exit(1);
      for (;;) ::pause();
    }
    holders_.push_back(child);
    ::close(ends[1]);
    Held held;
    EXPECT_EQ(::read(ends[0], &held, sizeof held), static_cast<ssize_t>(sizeof held));
    ::close(ends[0]);
    return held;
  }
  void release() {
    for (const pid_t child : holders_) end(child);
    holders_.clear();
  }

  /// What anybody does all day: list, read, look, make, write, remove. 0 or the errno of the first that failed.
  int daily_work(uid_t user) const {
    return as_user(user, user, {}, [&] {
      const std::string own = mountpoint("made by " + std::to_string(user));
      try {
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator{mountpoint()}) continue;
        if (read_file(mountpoint("file")) != "contents") return EIO;
        write_file(own, "written");
        if (read_file(own) != "written") return EIO;
        std::filesystem::create_directory(own + " folder");
        std::filesystem::remove(own + " folder");
        std::filesystem::remove(own);
        return 0;
      } catch (const std::system_error& error) {
        return error.code().value();
      }
    });
  }
  int statistics() const {
    return run({Path{program()}.parent_path() / "fairfs-stat", mountpoint(), "--once", "--json"}).status;
  }
  int lines_of_refusals() const {
    const std::string log = read_file(root() / "log");
    int lines = 0;
    for (auto at = log.find("(ENFILE)"); at != log.npos; at = log.find("(ENFILE)", at + 1)) ++lines;
    return lines;
  }

 private:
  static void end(pid_t child) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  std::vector<pid_t> holders_;
};

TEST_F(OpenFiles, OneUserLeavesEnoughForAllOthers) {
  const Held held = hold(kGreedy, "file", O_RDONLY);
  EXPECT_EQ(held.error, ENFILE);
  EXPECT_EQ(held.count, kOneUsers);
  EXPECT_EQ(hold(kGreedy, "folder", O_RDONLY | O_DIRECTORY).count, 0) << "directories count, too";
  EXPECT_EQ(daily_work(0), 0);
  EXPECT_EQ(daily_work(kOther), 0);
  EXPECT_EQ(statistics(), 0);
  const std::string log = read_file(root() / "log");
  EXPECT_NE(log.find("user " + std::to_string(kGreedy) + " ("), log.npos) << log;
  EXPECT_EQ(lines_of_refusals(), 1) << log;
}

TEST_F(OpenFiles, AllComeBackAndNoneLeak) {
  std::size_t after_first = 0;
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(eventually(10s, [&] {
      const int count = hold(kGreedy, "file", O_RDWR).count;
      release();
      return count == kOneUsers;
    }));
    EXPECT_EQ(hold(kGreedy, "folder", O_RDONLY | O_DIRECTORY).error, ENFILE);
    EXPECT_EQ(daily_work(kOther), 0);
    release();
    // The removed files' inodes are forgotten and the handles closed after the callers have gone on.
    EXPECT_TRUE(eventually(10s, [&] { return round == 0 || descriptors_of(daemon()) <= after_first; }));
    if (round != 0) continue;
    EXPECT_TRUE(eventually(10s, [&] { return descriptors_of(daemon()) < kOneUsers + 20u; }));
    after_first = descriptors_of(daemon());
  }
}

TEST_F(OpenFiles, ManyGreedyUsersLeaveSomeForTheNextAndForRoot) {
  int taken = 0;
  for (uid_t user = kGreedy + 10; user < kGreedy + 14; ++user) taken += hold(user, "file", O_RDONLY).count;
  EXPECT_LT(taken, kHandles * 7 / 8);
  EXPECT_EQ(daily_work(kOther), 0);
  EXPECT_EQ(daily_work(0), 0);
}

TEST_F(OpenFiles, RootMayHaveAllButTheReserve) {
  const Held held = hold(0, "file", O_RDONLY);
  EXPECT_EQ(held.count, kHandles);
  EXPECT_EQ(held.error, ENFILE);
  EXPECT_EQ(statistics(), 0);
  EXPECT_EQ(as_user(kOther, kOther, {}, [&] { return status_of(mountpoint("folder")).st_nlink >= 2 ? 0 : 1; }), 0);
  EXPECT_EQ(::mkdir(mountpoint("made").c_str(), 0755), 0);
  release();
  EXPECT_TRUE(eventually(10s, [&] { return daily_work(kOther) == 0; }));
}

TEST_F(OpenFiles, NothingIsMadeByARefusedCreation) {
  hold(kGreedy, "file", O_RDONLY);
  EXPECT_EQ(as_user(kGreedy, kGreedy, {},
                    [&] { return ::open(mountpoint("new").c_str(), O_CREAT | O_WRONLY, 0644) < 0 ? errno : 0; }),
            ENFILE);
  EXPECT_FALSE(std::filesystem::exists(source("new")));
}

// Opened by O_PATH: the daemon is never asked. Without a name it can't find them again once it closed them.
TEST_F(OpenFiles, RemovedFilesHeldByPathDescriptorsUseUpNothing) {
  std::vector<UniqueFd> held;
  for (int i = 0; i < 2 * static_cast<int>(kFewDescriptors); ++i) {
    const Path path = mountpoint("removed " + std::to_string(i));
    write_file(path, "");
    held.push_back(open_file(path, O_PATH));
    ASSERT_EQ(::unlink(path.c_str()), 0);
  }
  EXPECT_LT(descriptors_of(daemon()), kFewDescriptors);
  EXPECT_EQ(daily_work(kOther), 0);
  EXPECT_EQ(statistics(), 0);
  const auto kept = std::count_if(held.begin(), held.end(), [](const UniqueFd& file) {
    struct stat status {};
    return ::fstat(file.get(), &status) == 0 && status.st_nlink == 0;
  });
  EXPECT_GE(kept, static_cast<int>(kFewDescriptors) / 32) << "half of what inodes may have";
}

// Open and without a name: these the daemon must keep, with two descriptors each.
TEST_F(OpenFiles, RemovedFilesThatAreOpenUseUpNothing) {
  std::vector<UniqueFd> held;
  for (int i = 0; i < kHandles - 1; ++i) {
    const Path path = mountpoint("removed " + std::to_string(i));
    held.push_back(open_file(path, O_CREAT | O_RDWR));
    ASSERT_EQ(::unlink(path.c_str()), 0);
  }
  for (int i = 0; i < 200; ++i) {
    write_file(source("seen " + std::to_string(i)), "");
    status_of(mountpoint("seen " + std::to_string(i)));
  }
  EXPECT_EQ(statistics(), 0);
  for (const UniqueFd& file : held) {
    EXPECT_EQ(::pwrite(file.get(), "kept", 4, 0), 4);
    struct stat status {};
    ASSERT_EQ(::fstat(file.get(), &status), 0);
    EXPECT_EQ(status.st_size, 4);
  }
}

// The plan fails: somebody else lowers the limit.
TEST_F(OpenFiles, InodesGiveTheirDescriptorsWhereNoneAreLeft) {
  for (int i = 0; i < 100; ++i) {
    write_file(source("seen " + std::to_string(i)), "");
    status_of(mountpoint("seen " + std::to_string(i)));
  }
  rlim_t highest = 0;
  for (const auto& entry : std::filesystem::directory_iterator{"/proc/" + std::to_string(daemon()) + "/fd"})
    highest = std::max<rlim_t>(highest, std::stoul(entry.path().filename()));
  const rlimit lowered{highest + 1, kFewDescriptors};
  ASSERT_EQ(::prlimit(daemon(), RLIMIT_NOFILE, &lowered, nullptr), 0);
  EXPECT_EQ(hold(kGreedy, "file", O_RDONLY).count, kOneUsers);
  EXPECT_EQ(daily_work(kOther), 0);
}

TEST_F(OpenFiles, MappedPagesAreWrittenThroughAHandleThatAppends) {
  const std::string before = pattern(2 * 4096);
  write_file(source("mapped"), before);
  {
    const UniqueFd file = open_file(mountpoint("mapped"), O_RDWR | O_APPEND);
    char* const bytes = static_cast<char*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 4096));
    ASSERT_NE(bytes, MAP_FAILED);
    std::copy_n("here", 4, bytes + 5);
    ASSERT_EQ(::msync(bytes, 4096, MS_SYNC), 0);
    ::munmap(bytes, 4096);
  }
  std::string after = before;
  after.replace(4096 + 5, 4, "here");
  EXPECT_TRUE(read_file(source("mapped")) == after);
}

TEST_F(Limits, RaisesItsLimitAsFarAsTheSystemAllows) {
  constexpr rlim_t kSoft = 512;
  rlimit of_daemon{}, own{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &own), 0);
  const auto lower = [&] {
    const rlimit limit{kSoft, own.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  };
  ASSERT_EQ(run({program(), source(), mountpoint()}, lower).status, 0);
  ASSERT_EQ(::prlimit(daemon(), RLIMIT_NOFILE, nullptr, &of_daemon), 0);
  const rlim_t wanted = std::min<rlim_t>(std::stoul(read_file("/proc/sys/fs/nr_open")), 1 << 20);
  const bool may_raise = in_child([&] {
                           const rlimit raised{wanted, std::max(wanted, own.rlim_max)};
                           return ::setrlimit(RLIMIT_NOFILE, &raised);
                         }) == 0;
  EXPECT_EQ(of_daemon.rlim_cur, may_raise ? wanted : std::min(wanted, own.rlim_max));
}

}  // namespace
}  // namespace fairfs::test
