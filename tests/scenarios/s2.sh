#!/bin/sh
# s2.sh [--quick] [--model hdd|ssd] [--writers N] [--fsyncs N] [--kernel SCHEDULER | --rival PROGRAM]
#
# fsync beside programs that write as fast as they can, through fairfs over a modelled disk.
#   B  N times (write 1 MiB, fsync, pause), beside `dd bs=8M` each writing a file of its own; dd's speed by what reaches
#      the disk, alone and meanwhile
#   A  200 times, on ssd 2,000 (open, write a line, fsync, close): with sched=off, alone, and beside one dd
# Wanted on hdd: B's p95 <= 0.20 s and max <= 0.35 s (four writers: p95 <= 0.30 s) with >= 0.7 of the writing left; A
# <= 1.1 x sched=off alone, <= 3 x beside dd. On ssd B's p95 <= 0.03 s. --quick: fewer, and only B, within twice that.
# --kernel: no fairfs, the kernel's scheduler (none, mq-deadline, bfq, bfq-strict: low_latency=0) on the disk; --rival:
# libfuse's passthrough_hp instead of fairfs. Only B, and nothing is wanted then.
# Exits 1 if a number is off, 77 where a modelled disk cannot be had.
set -eu

SCENARIO=s2
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

model=hdd writers=1 fsyncs=30 quick=no slack=1 failures=0 writer_pids='' kernel='' rival='' rival_pid='' queue=''

while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=yes fsyncs=10 slack=2 ;;
    --model) model=$2; shift ;;
    --writers) writers=$2; shift ;;
    --fsyncs) fsyncs=$2; shift ;;
    --kernel) kernel=$2; shift ;;
    --rival) rival=$2; shift ;;
    *) sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done

# check WHAT NUMBER MOST: fails when the number is above.
check() {
  [ -z "$kernel$rival" ] || return 0
  if awk -v number="$2" -v most="$3" -v slack="$slack" 'BEGIN { exit !(number <= most * slack) }'; then
    echo "ok    $1: $2"
  else
    echo "OFF   $1: $2, wanted at most $3"
    failures=$((failures + 1))
  fi
}

writers_start() {
  for writer in $(seq "$1"); do
    dd if=/dev/zero of="$fairfs_mount/stream$writer" bs=8M count=800 2> /dev/null &
    writer_pids="$writer_pids $!"
  done
}

writers_end() {
  # shellcheck disable=SC2086  # one word for each process
  { kill $writer_pids && wait $writer_pids; } 2> /dev/null || true
  writer_pids=''
}

# without_fairfs: $fairfs_mount is the disk itself, or the rival's mount.
without_fairfs() {
  fairfs_mount=$DISK_MOUNT
  queue=/sys/block/${DISK_LOOP#/dev/}/queue
  case $kernel in
    '') ;;
    bfq-strict) echo bfq > "$queue/scheduler"; echo 0 > "$queue/iosched/low_latency" ;;
    *) echo "$kernel" > "$queue/scheduler" ;;
  esac
  [ -n "$rival" ] || return 0
  fairfs_mount=$scenario_work/mount
  "$rival" --nopassthrough --foreground "$DISK_MOUNT" "$fairfs_mount" > "$scenario_work/rival.log" 2>&1 & rival_pid=$!
  disk_wait 20 mountpoint -q "$fairfs_mount" && return
  echo "$rival did not mount:" >&2
  cat "$scenario_work/rival.log" >&2
  exit 1
}

disk_cleanup() {
  writers_end
  fairfs_down || true
  # A loop device keeps it for its next disk.
  [ -z "$queue" ] || echo none > "$queue/scheduler" || true
  [ -z "$rival_pid" ] || { disk_order ok && disk_off && umount "$fairfs_mount" && wait "$rival_pid"; } || true
  disk_down
  [ -z "$scenario_work" ] || rm -rf --one-file-system "$scenario_work"
}

# written: bytes that have reached the disk, and the time.
written() { echo "$(disk_account total sectors) $(date +%s.%N)"; }
# rate BEFORE AFTER: MB/s between two of them.
rate() { echo "$1 $2" | awk '{ print ($3 - $1) * 512 / 1e6 / ($4 - $2) }'; }

part_b() {
  writers_start "$writers"
  sleep 3
  before=$(written)
  sleep 3
  alone=$(rate "$before" "$(written)")
  before=$(written)
  # shellcheck disable=SC2046  # three words
  set -- $(python3 "$scenario_root/tests/scenarios/fsyncs.py" "$fairfs_mount/synced" "$fsyncs" 1048576 0.5)
  beside=$(rate "$before" "$(written)")
  writers_end
  echo "$model${kernel:+ $kernel}${rival:+ ${rival##*/}}, $writers writers: fsync p50 $1 p95 $2 max $3 s," \
    "disk $alone MB/s alone, $beside beside"
  case $model:$writers in
    ssd:*) check "B p95 s" "$2" 0.03 ;;
    *:1) check "B p95 s" "$2" 0.20; check "B max s" "$3" 0.35 ;;
    *) check "B p95 s" "$2" 0.30 ;;
  esac
  check "B writing alone / beside" "$(echo "$alone $beside" | awk '{ print $1 / $2 }')" 1.43
}

# line_loop: ms of one round.
line_loop() { python3 "$scenario_root/tests/scenarios/fsyncs.py" --lines "$fairfs_mount/lines" "$lines"; }

part_a() {
  off=$1
  sync -f "$DISK_MOUNT"  # what the writers of B have left would not be alone
  alone=$(line_loop)
  writers_start 1
  sleep 3
  beside=$(line_loop)
  writers_end
  echo "$model: write a line, fsync: $off ms with sched=off, $alone alone, $beside beside a writer"
  check "A alone / sched=off" "$(echo "$alone $off" | awk '{ print $1 / $2 }')" 1.1
  check "A beside / alone" "$(echo "$beside $alone" | awk '{ print $1 / $2 }')" 3
}

lines=200
[ "$model" != ssd ] || lines=2000
scenario_up "$model" 7000
disk_on
if [ -n "$kernel$rival" ]; then
  without_fairfs
  part_b
  exit 0
fi
if [ "$quick" = no ]; then
  fairfs_up sched=off
  off=$(line_loop)
  fairfs_down
fi
fairfs_up sched=fair,write_behind=on
part_b
[ "$quick" = yes ] || part_a "$off"
[ "$failures" = 0 ]
