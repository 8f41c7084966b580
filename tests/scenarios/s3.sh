#!/bin/sh
# s3.sh [--quick] [MODEL...]: an aggressive buffered writer beside a buffered reader, `dd bs=4K` both, through fairfs
# over a modelled disk, with what the probe says of it. Seconds of the reader alone, beside the writer with the same
# weight, real-time (ionice -c1), and best-effort 0 beside 7; how long the writer takes for its bytes; an idle-class
# writer must end as well; and the most that the kernel had dirty or in write-back for the disk.
# Wanted: the reader <= 2.2 x alone beside an equal one, <= 1.1 x real-time, <= 1.25 x as 0 beside 7; dirty + write-back
# within the bounds (what the disk writes in 220 ms, 4 MiB and two pieces at least) + 32 MiB.
# --kernel SCHEDULER: no fairfs, the kernel's scheduler (none, mq-deadline, bfq) on the disk; nothing is wanted then.
# Default: hdd and ssd; --quick: less to read, and twice that. Exits 1 if a number is off, 77 without a modelled disk.
set -eu

SCENARIO=s3
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=bounds.sh
. "$(dirname "$0")/bounds.sh"

megabytes=384 kernel='' slack=1 writer='' watcher='' place=''

while [ $# -gt 0 ]; do
  case $1 in
    --quick) megabytes=128 slack=2 ;;
    --kernel) kernel=$2; shift ;;
    -*) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) break ;;
  esac
  shift
done

disk_cleanup() {
  # shellcheck disable=SC2086  # none or one
  { kill $writer $watcher && wait $writer $watcher; } 2> /dev/null || true
  fairfs_down || true
  # A loop device keeps it for its next disk.
  [ -z "$kernel" ] || [ -z "$DISK_LOOP" ] || echo none > "/sys/block/${DISK_LOOP#/dev/}/queue/scheduler" || true
  ! mountpoint -q "$scenario_work/debug" || umount "$scenario_work/debug"
  disk_down
  [ -z "$scenario_work" ] || rm -rf --one-file-system "$scenario_work"
}

# seconds COMMAND...
seconds() {
  began=$(date +%s%N)
  "$@"
  echo "$began $(date +%s%N)" | awk '{ printf "%.2f", ($2 - $1) / 1e9 }'
}

# read_file IONICE...: the reader, nothing of its file in memory.
read_file() {
  echo 3 > /proc/sys/vm/drop_caches
  seconds ionice "$@" dd if="$place/read" of=/dev/null bs=4K status=none
}

writer_start() { # IONICE...
  rm -f "$place/written"
  ionice "$@" dd if=/dev/zero of="$place/written" bs=4K count="$((megabytes * 4 * 256))" conv=fdatasync status=none &
  writer=$!
  sleep 1.5
}

# An end by the signal frees the disk; nobody waits for the rest.
writer_end() {
  kill "$writer" 2> /dev/null || true
  wait "$writer" 2> /dev/null || true
  writer=''
}

# watch: appends MiB that are dirty or in write-back for the disk, ten times a second.
watch() {
  while :; do
    awk '/^BdiWriteback|^BdiReclaimable/ { sum += $2 } END { print sum / 1024 }' "$scenario_work/debug/bdi/$1/stats"
    sleep 0.1
  done > "$scenario_work/dirty" 2> /dev/null
}

ratio() { echo "$1 $2" | awk '{ printf "%.2f", $1 / $2 }'; }
bound() { [ -n "$kernel" ] || check "$1" 0 "$2" "$(echo "$3 $slack" | awk '{ print $1 * $2 }')"; }

measure() {
  disk_up "$1" 4096 ext4 "$scenario_work/disk"
  dd if=/dev/urandom of="$DISK_MOUNT/read" bs=1M count="$megabytes" conv=fsync status=none
  disk_on
  if [ -n "$kernel" ]; then
    echo "$kernel" > "/sys/block/${DISK_LOOP#/dev/}/queue/scheduler"
    place=$DISK_MOUNT
  else
    fairfs_up "probe=run,sched=fair,write_behind=on"
    place=$fairfs_mount
  fi
  watch "$(cat "/sys/block/${DISK_LOOP#/dev/}/dev")" & watcher=$!
  alone=$(read_file -c2 -n4)
  writer_start -c2 -n4
  equal=$(read_file -c2 -n4)
  writer_end
  most=$(sort -n "$scenario_work/dirty" | tail -n 1)
  writer_start -c2 -n7
  high=$(read_file -c2 -n0)
  writer_end
  writer_start -c2 -n7
  first=$(read_file -c1 -n0)
  writer_end
  kill "$watcher"
  wait "$watcher" 2> /dev/null || true
  watcher=''
  printf '%s: alone %s s, beside an equal one %s (%s x), 0 beside 7 %s (%s x), real-time %s (%s x); %.0f MiB dirty\n' \
    "$1${kernel:+ $kernel}" "$alone" "$equal" "$(ratio "$equal" "$alone")" "$high" "$(ratio "$high" "$alone")" \
    "$first" "$(ratio "$first" "$alone")" "$most"
  bound "reader beside an equal writer / alone" "$(ratio "$equal" "$alone")" 2.2
  bound "best-effort 0 beside 7 / alone" "$(ratio "$high" "$alone")" 1.25
  bound "real-time / alone" "$(ratio "$first" "$alone")" 1.1
  case $1 in
    hdd) bound "MiB dirty and in write-back" "$most" 58 ;;
    ssd) bound "MiB dirty and in write-back" "$most" 95 ;;
  esac
  if [ -z "$kernel" ]; then
    (while :; do dd if="$place/read" of=/dev/null bs=1M iflag=direct status=none; done) & writer=$!
    bound "seconds of 16 MiB of an idle-class writer beside readers" \
      "$(seconds ionice -c3 dd if=/dev/zero of="$place/idle" bs=4K count=4096 conv=fdatasync status=none)" 30
    writer_end
  fi
  fairfs_down
  [ -z "$kernel" ] || echo none > "/sys/block/${DISK_LOOP#/dev/}/queue/scheduler"
  disk_down
}

[ $# -gt 0 ] || set -- hdd ssd
[ "$(id -u)" = 0 ] || scenario_skip "needs root"
[ -x "$FAIRFS" ] || scenario_skip "there is no fairfs at $FAIRFS: build it, or set FAIRFS"
disk_trap
scenario_work=$(mktemp -d "${TMPDIR:-/tmp}/fairfs-$SCENARIO.XXXXXX")
mkdir "$scenario_work/mount" "$scenario_work/debug"
mount -t debugfs debugfs "$scenario_work/debug" || scenario_skip "there is no debugfs to see dirty pages in"
for model; do measure "$model"; done
[ "$failures" = 0 ]
