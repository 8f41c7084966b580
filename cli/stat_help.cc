#include "cli/stat_options.h"

namespace fairfs::cli {

std::string stat_help() {
  return R"(Usage: fairfs-stat [MOUNTPOINT...] [--interval S] [--record FILE]
       fairfs-stat [MOUNTPOINT] [--once] [--json|--csv] [--interval S] [--count N] [--record FILE]
       fairfs-stat [MOUNTPOINT...] --openmetrics
       fairfs-stat --replay FILE [--once] [--json|--csv] [--interval S] [--count N]
       fairfs-stat [MOUNTPOINT] --explain PID
       fairfs-stat [MOUNTPOINT] --trace [CONDITION...] [--json] [--count N]
       fairfs-stat [MOUNTPOINT] --set WHOM KEY=VALUE...
       fairfs-stat [MOUNTPOINT] --unset WHOM|all | --overrides | --reload
Shows what each program got of the disk behind a mounted fairfs, each second anew; changes weights
while it runs. Without MOUNTPOINT: all that are mounted, or the only one.

On a terminal it is a live view; F1 there shows its keys. Elsewhere, and with --once, --json, --csv
or --count, it writes:

  --once         the last full second, then end; with --replay the last that was kept
  --json         one JSON object a line instead of a table
  --csv          a line for each program, with a heading
  --openmetrics  counters for Prometheus (the node exporter's textfile collector), once
  --interval S   seconds between two looks, 0.1 to 86400 (default 1)
  --count N      end after N tables, or N requests of --trace
  --record FILE  keep all that comes in FILE, too
  --replay FILE  show what was kept; the live view at the pace it had, or another by --interval
  --explain PID  which rule counts for it, what is due to it, why it got what it got, in sentences
  --trace [CONDITION...]
                 each request as it ends: flow=PART of its name, command=, pid=, inode=,
                 op=read|write|sync, why=alone|share|deadline|unscheduled, longer=20ms
  --set WHOM KEY=VALUE...
                 from now on, whatever the weights file says: --set command=rsync weight=20;
                 WHOM: cgroup=, command=, exe=, user=, group=, pid= (several with commas between),
                 or flow=; KEY: weight, class, flow, min_read, min_write, max_read, max_write (50MB/s),
                 min_iops, max_iops, latency (20ms)
  --unset WHOM   undo that; --unset all: undo everything
  --overrides    what is set, the newest first
  --reload       read the weights file again, say what is wrong with it
  -h, --help     this text
  -V, --version  the version

DUE and GOT are fractions of the disk's time; a + behind GOT: the flow did not ask for more.
)";
}

}  // namespace fairfs::cli
