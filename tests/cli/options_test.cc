#include "cli/options.h"

#include <gtest/gtest.h>

#include <vector>

#include "cli/comma_list.h"
#include "cli/mount_options.h"
#include "tests/cli/failure_of.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

using cli::Options;
using Words = std::vector<const char*>;
using std::chrono::milliseconds;

Options mounted_with(const char* options) { return cli::parse_options(Words{"/a", "/b", "-o", options}); }
std::string misuse(const Words& words) {
  const auto [status, line] = failure_of([&] { (void)cli::parse_options(words); });
  EXPECT_EQ(status, 2) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos);
  return line;
}
std::string misuse_of(const char* options) { return misuse({"/a", "/b", "-o", options}); }

TEST(Options, DefaultsAreThoseOfTheManual) {
  const Options options = cli::parse_options(Words{"/a", "/b"});
  EXPECT_EQ(options.action, Options::Action::mount);
  EXPECT_EQ(options.mount.source, "/a");
  EXPECT_EQ(options.mount.mountpoint, "/b");
  EXPECT_FALSE(options.foreground);
  EXPECT_FALSE(options.mount.debug);
  EXPECT_EQ(options.grouping, engine::Grouping::cgroup);
  EXPECT_EQ(options.policy, sched::Policy::fair);
  EXPECT_FALSE(options.depth.has_value());
  EXPECT_EQ(options.idle, std::nullopt);
  EXPECT_TRUE(options.mount.write_behind);
  EXPECT_EQ(options.max_wait, milliseconds{1000});
  EXPECT_EQ(options.mount.entry_timeout_s, 1.0);
  EXPECT_EQ(options.mount.attr_timeout_s, 1.0);
  EXPECT_EQ(options.log_level, cli::LogLevel::info);
  EXPECT_EQ(options.mount.mount_flags, static_cast<unsigned long>(MS_NOSUID | MS_NODEV));
}

TEST(Options, Switches) {
  EXPECT_TRUE(cli::parse_options(Words{"-f", "/a", "/b"}).foreground);
  const Options debug = cli::parse_options(Words{"/a", "-d", "/b"});
  EXPECT_TRUE(debug.foreground);
  EXPECT_TRUE(debug.mount.debug);
  EXPECT_EQ(debug.log_level, cli::LogLevel::debug);
  EXPECT_EQ(cli::parse_options(Words{"-h"}).action, Options::Action::help);
  EXPECT_EQ(cli::parse_options(Words{"--help"}).action, Options::Action::help);
  EXPECT_EQ(cli::parse_options(Words{"-V"}).action, Options::Action::version);
  EXPECT_EQ(cli::parse_options(Words{"--version"}).action, Options::Action::version);
  const Options check = cli::parse_options(Words{"--check-config", "w.toml"});
  EXPECT_EQ(check.action, Options::Action::check_config);
  EXPECT_EQ(check.config, "w.toml");
  const Options probe = cli::parse_options(Words{"--probe-only", "--json", "/a"});
  EXPECT_EQ(probe.action, Options::Action::probe);
  EXPECT_EQ(probe.mount.source, "/a");
  EXPECT_TRUE(probe.json);
  EXPECT_EQ(cli::parse_options(Words{"--", "-a", "-b"}).mount.source, "-a");
}

TEST(Options, EveryValuedOption) {
  const Options options = mounted_with(
      "weights=w.toml,grouping=uid,sched=off,depth=1024,probe=disk.toml,idle=on,max_wait=0.25,"
      "write_behind=off,entry_timeout=0,attr_timeout=2.5,log_level=warning,log_file=f.log,fsname=data,"
      "stat_access=group:7");
  EXPECT_EQ(options.weights, "w.toml");
  EXPECT_EQ(options.grouping, engine::Grouping::uid);
  EXPECT_EQ(options.policy, sched::Policy::off);
  EXPECT_EQ(options.depth, 1024U);
  EXPECT_EQ(options.probe, Options::Probe::file);
  EXPECT_EQ(options.profile, "disk.toml");
  EXPECT_EQ(options.max_wait, milliseconds{250});
  EXPECT_EQ(options.idle, true);
  EXPECT_FALSE(options.mount.write_behind);
  EXPECT_EQ(options.mount.entry_timeout_s, 0.0);
  EXPECT_EQ(options.mount.attr_timeout_s, 2.5);
  EXPECT_EQ(options.log_level, cli::LogLevel::warning);
  EXPECT_EQ(options.log_file, "f.log");
  EXPECT_EQ(options.mount.fsname, "data");
  EXPECT_EQ(options.stat_access.others, cli::StatAccess::Others::group);
  EXPECT_EQ(options.stat_access.group, 7U);
  EXPECT_EQ(mounted_with("stat_access=group:root").stat_access.group, 0U);
  EXPECT_EQ(mounted_with("stat_access=all").stat_access.others, cli::StatAccess::Others::all);
  EXPECT_EQ(mounted_with("stat_access=all,stat_access=owner").stat_access.others, cli::StatAccess::Others::none);
  EXPECT_EQ(mounted_with("grouping=process").grouping, engine::Grouping::process);
  EXPECT_EQ(mounted_with("ro").probe, Options::Probe::automatic);
  EXPECT_EQ(mounted_with("probe=x,probe=off").probe, Options::Probe::off);
  EXPECT_EQ(mounted_with("probe=x,probe=off").profile, "");
  EXPECT_EQ(mounted_with("probe=auto").probe, Options::Probe::automatic);
  EXPECT_EQ(mounted_with("probe=run").probe, Options::Probe::run);
}

TEST(Options, FlagsOfMountBecomeTheKernels) {
  const unsigned long start = MS_NOSUID | MS_NODEV;
  EXPECT_EQ(mounted_with("ro,noexec,noatime").mount.mount_flags, start | MS_RDONLY | MS_NOEXEC | MS_NOATIME);
  EXPECT_EQ(mounted_with("relatime,nodiratime").mount.mount_flags, start | MS_RELATIME | MS_NODIRATIME);
  EXPECT_EQ(mounted_with("sync,dirsync").mount.mount_flags, start | MS_SYNCHRONOUS | MS_DIRSYNC);
  EXPECT_EQ(mounted_with("suid,dev").mount.mount_flags, 0UL);
  EXPECT_EQ(mounted_with("ro,noexec,noatime,rw,exec,atime").mount.mount_flags, start);
  EXPECT_EQ(mounted_with("suid,nosuid,dev,nodev").mount.mount_flags, start);
}

TEST(Options, FstabsOwnWordsChangeNothing) {
  const Options options = mounted_with(
      "defaults,nofail,_netdev,auto,noauto,user,nouser,users,owner,group,x-systemd.automount,x-gvfs-show,"
      "allow_other,default_permissions");
  EXPECT_EQ(options.mount.mount_flags, static_cast<unsigned long>(MS_NOSUID | MS_NODEV));
}

TEST(Options, SeveralOptionArgumentsAddUp) {
  const Options options = cli::parse_options(Words{"-o", "ro", "/a", "-odepth=3,depth=4", "/b"});
  EXPECT_EQ(options.depth, 4U);
  EXPECT_NE(options.mount.mount_flags & MS_RDONLY, 0UL);
}

TEST(Options, CommasAndBackslashesInValues) {
  const std::vector<std::string> expected{R"(fsname=a,b)", R"(log_file=c\d\)", "ro"};
  EXPECT_EQ(cli::split_at_commas(R"(fsname=a\,b,log_file=c\d\\,,ro)"), expected);
  EXPECT_TRUE(cli::split_at_commas("").empty());
  EXPECT_EQ(mounted_with(R"(fsname=1\,5)").mount.fsname, "1,5");
}

TEST(Options, WrongUsageIsNamed) {
  EXPECT_EQ(misuse({}), "SOURCE and MOUNTPOINT are missing; see fairfs --help");
  EXPECT_EQ(misuse({"/a"}), "MOUNTPOINT is missing; see fairfs --help");
  EXPECT_EQ(misuse({"/a", "/b", "/c"}), "unexpected '/c' after MOUNTPOINT; see fairfs --help");
  EXPECT_EQ(misuse({"--check-config", "w", "/a"}), "--check-config takes no SOURCE; see fairfs --help");
  EXPECT_EQ(misuse({"--nonsense", "/a", "/b"}), "unrecognised option '--nonsense'; see fairfs --help");
  EXPECT_EQ(misuse({"--probe-only"}), "--probe-only takes one DIR; see fairfs --help");
  EXPECT_EQ(misuse({"--probe-only", "/a", "/b"}), "--probe-only takes one DIR; see fairfs --help");
  EXPECT_EQ(misuse({"--json", "/a", "/b"}), "--json goes with --probe-only; see fairfs --help");
  EXPECT_NE(misuse({"--deb", "/a", "/b"}).find("'--deb'"), std::string::npos);
  EXPECT_NE(misuse({"/a", "/b", "-o"}).find("-o"), std::string::npos);
  EXPECT_EQ(misuse_of("ro,frobnicate"), "option 'frobnicate' is not known; see fairfs --help");
  EXPECT_EQ(misuse_of("ro=1"), "option 'ro' is not known; see fairfs --help");
  EXPECT_EQ(misuse_of("depth=3,x\ny=1"), "option 'x\\x0ay' is not known; see fairfs --help");
}

TEST(Options, ValuesOutOfRangeAreNamed) {
  for (const char* wrong : {"depth=0", "depth=1025", "depth=3x", "depth=-1", "depth=", "depth"}) {
    EXPECT_TRUE(misuse_of(wrong).starts_with("option 'depth'")) << wrong;
  }
  EXPECT_EQ(misuse_of("depth=1025"), "option 'depth': '1025' is not a whole number from 1 to 1024; see fairfs --help");
  EXPECT_EQ(misuse_of("sched=unfair"), "option 'sched': 'unfair' is not one of fair, off; see fairfs --help");
  EXPECT_EQ(misuse_of("grouping=gid"),
            "option 'grouping': 'gid' is not one of cgroup, process, uid; see fairfs --help");
  EXPECT_EQ(misuse_of("log_level=loud"),
            "option 'log_level': 'loud' is not one of trace, debug, info, warning, error; see fairfs --help");
  for (const char* wrong : {"max_wait=0", "max_wait=3601", "max_wait=nan", "max_wait=1s"}) {
    EXPECT_TRUE(misuse_of(wrong).starts_with("option 'max_wait': ")) << wrong;
  }
  EXPECT_TRUE(misuse_of("entry_timeout=-1").starts_with("option 'entry_timeout': '-1' is not a time"));
  EXPECT_TRUE(misuse_of("attr_timeout=inf").starts_with("option 'attr_timeout': 'inf' is not a time"));
  EXPECT_EQ(misuse_of("stat_access=some"),
            "option 'stat_access': 'some' is not owner, all or group:NAME; see fairfs --help");
  EXPECT_TRUE(misuse_of("stat_access=group:no-such")
                  .starts_with("option 'stat_access': 'group:no-such' is not a group of this system"));
  EXPECT_TRUE(misuse_of("stat_access=group:4294967295").starts_with("option 'stat_access': "));
  for (const char* name : {"weights", "probe", "log_file", "fsname"}) {
    EXPECT_EQ(misuse_of(name), "option '" + std::string{name} + "' needs a value: " + name + "=...; see fairfs --help");
  }
}

TEST(Options, HelpNamesEveryOption) {
  const std::string text = cli::help();
  for (const char* word :
       {"weights=",      "grouping=",      "sched=",        "depth=",     "probe=",         "max_wait=",
        "write_behind=", "entry_timeout=", "attr_timeout=", "log_level=", "log_file=",      "fsname=",
        "stat_access=",  "metrics=",       "ro rw suid",    "nofail",     "--check-config", "--probe-only [--json] DIR",
        "--foreground",  "--debug",        "--version"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(Paths, BecomeAbsoluteAndCanonical) {
  const TemporaryDirectory folder;
  std::filesystem::create_directories(folder.path("real/mountpoint"));
  std::filesystem::create_symlink("real/mountpoint", folder.path("link"));
  Options options = cli::parse_options(Words{"/a", "/b", "-o", "weights=w.toml,log_file=/var/f.log"});
  options.mount.source = folder.path();
  options.mount.mountpoint = folder.path("real/../link/");
  cli::resolve_paths(options);
  EXPECT_EQ(options.mount.mountpoint, folder.path("real/mountpoint"));
  EXPECT_EQ(options.mount.fsname, folder.path());
  EXPECT_EQ(options.weights, std::filesystem::current_path() / "w.toml");
  EXPECT_EQ(options.log_file, "/var/f.log");
  EXPECT_EQ(options.profile, "");
}

TEST(Paths, EachMissingOneHasItsLine) {
  const TemporaryDirectory folder;
  const std::string file = folder.write("file", "");
  const auto resolve = [&](const std::string& source, const std::string& mountpoint) {
    Options options;
    options.mount.source = source;
    options.mount.mountpoint = mountpoint;
    return failure_of([&] { cli::resolve_paths(options); });
  };
  using Expected = std::pair<int, std::string>;
  EXPECT_EQ(resolve(folder.path("no"), folder.path()),
            Expected(1, "source: " + folder.path("no") + ": No such file or directory; name a directory that exists"));
  EXPECT_EQ(resolve(file, folder.path()),
            Expected(1, "source: " + file + ": Not a directory; name a directory that exists"));
  EXPECT_EQ(resolve(folder.path(), folder.path("no")),
            Expected(1, "mountpoint: " + folder.path("no") +
                            ": No such file or directory; name a directory that exists, or create it"));
  EXPECT_EQ(resolve(folder.path(), file),
            Expected(1, "mountpoint: " + file + ": Not a directory; name a directory that exists, or create it"));
}

}  // namespace
}  // namespace fairfs::test
