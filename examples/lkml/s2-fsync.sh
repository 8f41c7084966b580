#!/bin/sh
# s2-fsync.sh [--quick | --seconds N] [--svg FILE]: does an fsync wait behind somebody's bulk writes?
#
# "fsync() hell", 2009: a program writes 1 MiB and calls fsync, again and again, while `dd` writes as fast as it can.
# What makes it wait is not the order of requests but how much the page cache lets dd pile up in front of them; fairfs
# with write_behind=on keeps that short, and writes on for dd between two fsyncs.
# Seconds, lower is better, beside what dd gets to the disk meanwhile; and a loop of (write a line, fsync), alone.
# Disk: a hard disk. Each scheduler gets N seconds, and whatever its last fsync takes.
set -eu

# shellcheck disable=SC2034  # lib.sh reads them
title='S2: fsync beside dd, hard disk' seconds=20 quick_seconds=8
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck disable=SC2034
fair_options=,write_behind=on

contest_disk hdd 32768

written() { echo "$(disk_account total sectors) $(date +%s.%N)"; }

# Prints the fsync that half of them took less than, the longest, and MB/s that reached the disk.
fsync_beside_dd() {
  compete dd dd if=/dev/zero of="$place/stream" bs=8M count=3000
  sleep 3
  before=$(written)
  fsyncs=$(python3 "$scenario_root/tests/scenarios/fsyncs.py" "$place/synced" 1000 1048576 0.5 "$seconds")
  after=$(written)
  compete_end
  echo "$fsyncs $before $after" | awk '{ printf "%s %s %.0f\n", $1, $3, ($6 - $4) * 512 / 1e6 / ($7 - $5) }'
  # What dd has left in memory is not the next one's burden.
  disk_off
  rm "$DISK_MOUNT/stream"
  sync -f "$DISK_MOUNT"
  disk_on
}

lines() { python3 "$scenario_root/tests/scenarios/fsyncs.py" --lines "$place/lines" 100; }

table
measure fsync_beside_dd
show 1 'fsync of 1 MiB beside dd, median s'
show 2 '  longest s'
show 3 '  reaches the disk, MB/s'
measure lines
show 1 'line and fsync, alone, ms'
chart
