#include "sched/engine/process_table.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

#include "tests/engine/temporary_folder.h"

namespace fairfs::test {
namespace {

using engine::ProcDirectory;
using engine::Process;

std::string status_text(const std::string& process, const std::string& pending, const std::string& more) {
  return "Name:\tworker\nTgid:\t" + process + "\nPPid:\t1\nUid:\t0\t1000\t0\t0\nGid:\t0\t1001\t0\t0\n" + more +
         "Threads:\t3\nSigPnd:\t" + pending + "\nShdPnd:\t0000000000000000\n";
}

// As the kernel writes it; the start time is the 22nd field.
std::string stat_text(const std::string& command) {
  return "70 (" + command + ") S 1 70 70 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 2244608 0\n";
}

TEST(ProcessTable, FindsItselfInTheRealProc) {
  const ProcDirectory table{"/proc"};
  const Process process = table.find(::gettid());
  EXPECT_EQ(process.kind, Process::Kind::process);
  EXPECT_EQ(process.pid, ::getpid());
  EXPECT_EQ(process.uid, ::geteuid());
  EXPECT_EQ(process.gid, ::getegid());
  EXPECT_GT(process.start_time, 0u);
  std::string command;
  std::ifstream file{"/proc/self/comm"};
  std::getline(file, command);
  EXPECT_EQ(process.command, command);
  EXPECT_EQ(process.cgroup.front(), '/');
  EXPECT_EQ(table.executable(::getpid()), std::filesystem::read_symlink("/proc/self/exe").string());
}

TEST(ProcessTable, AThreadIsItsProcess) {
  const ProcDirectory table{"/proc"};
  Process found;
  pid_t thread = 0;
  std::thread{[&] {
    thread = ::gettid();
    found = table.find(thread);
  }}.join();
  EXPECT_NE(thread, ::getpid());
  EXPECT_EQ(found.pid, ::getpid());
  EXPECT_EQ(found.start_time, table.find(::getpid()).start_time);
}

TEST(ProcessTable, KernelAndGoneCallersHaveNames) {
  const TemporaryFolder proc;
  const ProcDirectory table{proc.path().c_str()};
  EXPECT_EQ(table.find(0).kind, Process::Kind::kernel);
  EXPECT_EQ(table.find(0).command, "(kernel)");
  EXPECT_EQ(table.find(70).kind, Process::Kind::unknown);
  EXPECT_EQ(table.find(70).command, "(unknown)");
  EXPECT_EQ(table.find(70).cgroup, "/");
}

TEST(ProcessTable, CommandMayHoldBlanksAndParentheses) {
  const TemporaryFolder proc;
  proc.write("71/status", status_text("70", "0000000000000000", "VmSize:\t1 kB\n"));
  proc.write("70/stat", stat_text("a) b (c"));
  proc.write("71/cgroup", "2:cpu,blkio:/old/way\n0::/new/way\n");
  const Process process = ProcDirectory{proc.path().c_str()}.find(71);
  EXPECT_EQ(process.pid, 70);
  EXPECT_EQ(process.command, "a) b (c");
  EXPECT_EQ(process.start_time, 987654u);
  EXPECT_EQ(process.uid, 1000u);
  EXPECT_EQ(process.gid, 1001u);
  EXPECT_EQ(process.cgroup, "/old/way");
}

TEST(ProcessTable, AMissingProcIsNamed) {
  try {
    const ProcDirectory table{"/nowhere/proc"};
    FAIL() << "opened";
  } catch (const std::system_error& error) {
    EXPECT_NE(std::string{error.what()}.find("/nowhere/proc"), std::string::npos);
  }
}

TEST(ProcessTable, PendingKillIsBitNineOnly) {
  const TemporaryFolder proc;
  const ProcDirectory table{proc.path().c_str()};
  proc.write("71/status", status_text("70", "0000000000000100", "VmSize:\t1 kB\n"));
  EXPECT_TRUE(table.dying(71, 70));
  proc.write("71/status", status_text("70", "fffffffffffffeff", "VmSize:\t1 kB\n"));
  EXPECT_FALSE(table.dying(71, 70));
}

TEST(ProcessTable, AThreadThatEndedIsNotItsProcess) {
  const TemporaryFolder proc;
  const ProcDirectory table{proc.path().c_str()};
  proc.write("70/status", status_text("70", "0000000000000000", "VmSize:\t1 kB\n"));
  EXPECT_FALSE(table.dying(71, 70));  // its asynchronous I/O is still wanted
  EXPECT_FALSE(table.dying(72, 0));   // whose thread it was isn't known
  EXPECT_TRUE(table.dying(80, 80));
  EXPECT_TRUE(table.dying(81, 80));
}

TEST(ProcessTable, AProcessThatGaveUpItsMemoryIsDyingButAKernelThreadIsNot) {
  std::string text = status_text("70", "0000000000000000", "");
  text.replace(text.find("Threads:\t3"), 10, "Threads:\t1");
  const TemporaryFolder proc;
  const ProcDirectory table{proc.path().c_str()};
  proc.write("70/status", text);
  EXPECT_TRUE(table.dying(70, 70));
  proc.write("70/status", text + "Kthread:\t1\n");
  EXPECT_FALSE(table.dying(70, 70));
}

TEST(ProcessTable, AKilledChildIsDyingUntilItIsReaped) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0)
    for (;;) ::pause();
  const ProcDirectory table{"/proc"};
  EXPECT_FALSE(table.dying(child, child));
  ::kill(child, SIGKILL);
  siginfo_t info;
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);  // ended, but still to be seen
  EXPECT_TRUE(table.dying(child, child));
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(table.dying(child, child));
}

}  // namespace
}  // namespace fairfs::test
