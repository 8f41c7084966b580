// What a daemon does with its process: background, signals.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <future>

#include "cli/daemonize.h"
#include "cli/signals.h"

namespace fairfs::test {
namespace {

/// Runs `body` in a process of its own and answers waitpid's status.
template <typename Body>
int in_a_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(Background, ParentSaysWhatTheChildSaid) {
  EXPECT_EQ(WEXITSTATUS(in_a_child([] {
              cli::Background background{"/mnt"};
              background.ready();
              _exit(7);  // no longer anybody's business
            })),
            0);
  EXPECT_EQ(WEXITSTATUS(in_a_child([] {
              cli::Background background{"/mnt"};
              background.fail("mount: /mnt: this line belongs to the test; ignore it");
              _exit(7);
            })),
            1);
  EXPECT_EQ(WEXITSTATUS(in_a_child([] {
              const cli::Background background{"/mnt"};
              _exit(0);  // without a word
            })),
            1);
}

TEST(Background, ChildIsASessionOfItsOwnInTheRoot) {
  EXPECT_EQ(WEXITSTATUS(in_a_child([] {
              cli::Background background{"/mnt"};
              const bool free = getsid(0) == getpid() && std::filesystem::current_path() == "/" &&
                                std::filesystem::read_symlink("/proc/self/fd/2") == "/dev/null";
              free ? background.ready() : background.fail("not free");
              _exit(0);
            })),
            0);
}

TEST(Background, JudgesWhatCameThroughThePipe) {
  EXPECT_EQ(cli::judge({"\0", 1}, 0, "/mnt").exit_status, 0);
  EXPECT_EQ(cli::judge({"\0", 1}, 0, "/mnt").line, "");
  EXPECT_EQ(cli::judge("what: why", 256, "/mnt").line, "what: why");
  EXPECT_EQ(cli::judge("", SIGKILL, "/mnt").exit_status, 1);
  EXPECT_EQ(cli::judge("", SIGKILL, "/mnt").line,
            "mount: /mnt: the background process was ended by signal 9 before the mount answered; start it with -d to "
            "see more");
}

TEST(Signals, StopReloadAndQuitAlsoWhereTheyWereIgnored) {
  const int status = in_a_child([] {
    for (const int number : {SIGINT, SIGHUP}) std::signal(number, SIG_IGN);
    cli::block_signals();
    std::promise<void> reloaded, stopped;
    const cli::Signals signals{
        {.stop = [&] { stopped.set_value(); }, .reload = [&] { reloaded.set_value(); }, .quit = [] { _exit(42); }}};
    kill(getpid(), SIGHUP);
    reloaded.get_future().wait();
    kill(getpid(), SIGINT);
    stopped.get_future().wait();
    kill(getpid(), SIGPIPE);
    kill(getpid(), SIGXFSZ);
    kill(getpid(), SIGTERM);
    for (;;) pause();
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

}  // namespace
}  // namespace fairfs::test
