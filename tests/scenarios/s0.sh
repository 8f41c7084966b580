#!/bin/sh
# s0.sh [--quick] [MODEL...]: must the disk be held for a stream that comes back? It depends on the disk, and nobody
# should have to know (../../probe/README.md has the story). Eight programs write 4 KiB O_DIRECT in order, each to four
# files in turn with one request in flight for each, through fairfs on a modelled disk: plain, and with 1 ms of thinking
# after each four. With what the probe decides ("auto"), with idle=on and idle=off forced on the same profile, and with
# sched=off; means of two runs; beside it one such program alone. A line is "ok" when auto gets 0.9 of the better of the
# two forced ones and, on a serial disk (parallelism below 2), 0.85 of one alone, on a parallel one 0.95 of sched=off.
# Default: hdd, raid0:4 without and with a write cache of 256 MB, and an ssd; --quick: the last two.
# Exits 1 if any is off, 77 where a modelled disk cannot be had.
set -eu

SCENARIO=s0
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=workloads.sh
. "$(dirname "$0")/workloads.sh"

seconds=3 failures=0

# writers COUNT THINK_US OPTIONS: MB/s of so many together.
writers() {
  fairfs_up "probe=$scenario_work/profile,$3"
  place=$fairfs_mount
  aio_stress "$1" "$2" "$seconds"
  fairfs_down
}

# row THINK_US
row() {
  alone=$(writers 1 "$1" idle=auto)
  # There and back: what a run leaves in the disk's cache is the next one's burden.
  for way in idle=auto idle=on idle=off sched=off sched=off idle=off idle=on idle=auto; do
    echo "$way $(writers 8 "$1" "$way")"
  done > "$scenario_work/runs"
  awk -v think="$1" -v parallelism="$parallelism" -v alone="$alone" '{ sum[$1] += $2 / 2 } END {
    auto = sum["idle=auto"]; on = sum["idle=on"]; off = sum["idle=off"]; unscheduled = sum["sched=off"]
    wanted = parallelism < 2 ? 0.85 * alone : 0.95 * unscheduled
    good = auto >= 0.9 * (on > off ? on : off) && auto >= wanted
    printf "  think %4d us %9.2f %9.2f %9.2f %9.2f %9.2f  ", think, alone, auto, on, off, unscheduled
    print good ? "ok" : "OFF"
    exit !good
  }' "$scenario_work/runs" || failures=$((failures + 1))
}

measure() {
  disk_up "$1" 1536 ext4 "$scenario_work/disk"
  # What any used disk has: the probe reads it, while the disk's cache holds what was written since.
  dd if=/dev/urandom of="$DISK_MOUNT/large" bs=1M count=384 conv=fsync status=none
  aio_stress_files
  disk_on
  CACHE_DIRECTORY=$scenario_work "$FAIRFS" --probe-only "$DISK_MOUNT" > "$scenario_work/profile" 2> /dev/null
  parallelism=$(sed -n 's/^parallelism = //p' "$scenario_work/profile")
  ratio=$(sed -n 's/^interleave_ratio = //p' "$scenario_work/profile")
  idle=off
  ! grep -q '^idle = true' "$scenario_work/profile" || idle=on
  printf '%s: parallelism %.1f, streams side by side %.2f of one, idle %s\n' "$1" "$parallelism" "$ratio" "$idle"
  printf '  %-13s %9s %9s %9s %9s %9s\n' 'MB/s of' 'one alone' 'auto' 'idle=on' 'idle=off' 'sched=off'
  row 0
  row 1000
  disk_down
}

ssd=ssd:channels=8,read_us=800,write_us=800,mb_s=300
case ${1:-} in
  --quick) seconds=2; set -- raid0:4,cache_mb=256,battery=1 "$ssd" ;;
  -*) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
[ $# -gt 0 ] || set -- hdd raid0:4 raid0:4,cache_mb=256,battery=1 "$ssd"
[ "$(id -u)" = 0 ] || scenario_skip "needs root"
[ -x "$FAIRFS" ] || scenario_skip "there is no fairfs at $FAIRFS: build it, or set FAIRFS"
command -v fio > /dev/null || scenario_skip "there is no fio"
disk_trap
scenario_work=$(mktemp -d "${TMPDIR:-/tmp}/fairfs-$SCENARIO.XXXXXX")
mkdir "$scenario_work/mount"
for model; do measure "$model"; done
[ "$failures" = 0 ]
