#include "cli/mount_options.h"
#include "cli/options.h"

namespace fairfs::cli {

std::string_view mount_options_help() {
  return R"(  weights=FILE            rules: who weighs what (TOML); reloaded on SIGHUP and when it changes
  grouping=cgroup|process|uid
                          what stands between the root and a process: its cgroups (default); nothing; its user
  sched=fair|off          fair: shares by weight (default); off: first come, first served
  depth=N                 requests in the disk at once, 1..1024 (default: the profile's)
  probe=auto|run|off|FILE what the disk can do: auto: measured at the first mount (5 to 12 s), kept for
                          30 days (default); run: measured now; off: a stated default; FILE: a profile (TOML)
  idle=auto|on|off        take turns and wait for streams: as the profile says (default), or always, or never
  write_behind=on|off     on: bring buffered writes to the disk in their writers' turns (default); off: as the kernel
                          likes
  max_wait=S              longest wait of a buffered request whatever its weight (default 1)
  entry_timeout=S         how long the kernel trusts a name (default 1)
  attr_timeout=S          how long the kernel trusts attributes (default 1)
  log_level=LEVEL         trace, debug, info (default), warning, error
  log_file=FILE           instead of stderr (-f) or syslog
  metrics=ADDRESS         counters for Prometheus by HTTP at unix:/path, 127.0.0.1:PORT or [::1]:PORT (default:
                          none)
  stat_access=WHO         who may look with fairfs-stat beside root and the mount's owner, who alone may
                          change: owner: nobody (default); group:NAME; all
  fsname=NAME             what df shows as source (default: SOURCE)
  ro rw suid nosuid dev nodev exec noexec atime noatime relatime nodiratime sync dirsync
                          as in mount(8); nosuid,nodev unless suid or dev is given
  defaults nofail _netdev auto noauto user nouser users owner group x-* allow_other
  default_permissions     accepted, change nothing
  A comma within a value is written \, and a backslash \\.
)";
}

std::string help() {
  return std::string{R"(Usage: fairfs SOURCE MOUNTPOINT [-o OPTION[,OPTION...]]... [-f] [-d]
       fairfs --check-config FILE
       fairfs --probe-only [--json] DIR
Mirrors the directory SOURCE at MOUNTPOINT and shares its disk among programs by weight.

  -o, --options OPTION[,OPTION...]
                          mount options, see below
  -f, --foreground        stay in the foreground, log to stderr
  -d, --debug             log every request (implies -f)
  --check-config FILE     read a weights file, say whether it is right, and end
  --probe-only            measure the disk behind DIR, print its profile (TOML), and end
  --json                  with --probe-only: the profile as a JSON object
  -h, --help              this text
  -V, --version           the version

Mount options:
)"} + std::string{mount_options_help()} +
         "\nReturns 0 once the mount answers; 1 with one line on stderr on failure, 2 on wrong usage.\n"
         "Unmount with umount(8), fusermount3 -u, or SIGTERM.\n";
}

}  // namespace fairfs::cli
