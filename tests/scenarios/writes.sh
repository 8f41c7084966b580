#!/bin/sh
# writes.sh [--model hdd|ssd] [--seconds N] [PART]...: what is asked of writes beside s2.sh and s3.sh, over a modelled
# disk (default ssd) with what the probe says of it.
#   loops    16 programs, each (write a line, fsync) in a file of its own: flushes a second of all of them with fairfs,
#            at least 0.95 of those with sched=off; medians of three turns of N seconds
#   extents  two programs write 1 GiB each side by side: extents of their files, at most twice as many as natively
#   pairs    two buffered writers (dd bs=1M) with weights 10/90 to 50/50: what reaches the device for each, within 5 %
#            of the weights over N seconds, and at least 0.9 of one alone for both
#   half     a buffered writer and a direct reader (64 KiB, 32 at once): the medium works as long for the one as for the
#            other, within 5 % over N seconds
# Default: all, N 10. Exits 1 if a number is off, 77 where a modelled disk cannot be had.
set -eu

SCENARIO=writes
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=contest.sh
. "$here/contest.sh"
# shellcheck source-path=SCRIPTDIR source=bounds.sh
. "$here/bounds.sh"

model=ssd seconds=10 parts=''
while [ $# -gt 0 ]; do
  case $1 in
    --model) model=$2; shift ;;
    --seconds) seconds=$2; shift ;;
    loops | extents | pairs | half) parts="$parts $1" ;;
    *) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done

median() { printf '%s\n' "$@" | sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

# flushes WAY: a second, of all loops.
flushes() {
  way_up "$1"
  mkdir -p "$place/loops"
  python3 "$here/fsyncs.py" --loops "$place/loops" 16 "$seconds"
  way_down
}

part_loops() {
  off='' fair=''
  for _ in 1 2 3; do
    off="$off $(flushes off)"
    fair="$fair $(flushes fair)"
  done
  # shellcheck disable=SC2086  # one word for each number
  check "$model: 16 loops of fsync, flushes a second ($fair of$off) / sched=off" \
    0.95 "$(over "$(median $fair)" "$(median $off)")" 100
}

# extents_of WAY: of both files.
extents_of() {
  way_up "$1"
  for name in one two; do compete "$name" dd if=/dev/zero of="$place/$1-$name" bs=1M count=1024; done
  # shellcheck disable=SC2086  # one word for each process
  wait $fio_pids
  fio_pids=''
  way_down
  sync -f "$DISK_MOUNT"
  disk_extents "$DISK_MOUNT/$1-one" > "$scenario_work/extents"
  disk_extents "$DISK_MOUNT/$1-two" >> "$scenario_work/extents"
  wc -l < "$scenario_work/extents"
  rm "$DISK_MOUNT/$1-one" "$DISK_MOUNT/$1-two"
}

part_extents() {
  native=$(extents_of none)
  got=$(extents_of fair)
  check "$model: two files of 1 GiB written at once, extents ($got of $native) / natively" \
    0 "$(over "$got" "$native")" 2
}

# writer NAME: over the file of that name, which is there and accounted.
writer() { compete "$1" dd if=/dev/zero of="$place/$1" bs=1M conv=notrunc status=none; }

part_pairs() {
  for name in light heavy; do contest_file "$name" 4096; done
  way_up fair
  writer heavy
  window "$seconds"
  alone=$(rate heavy)
  compete_end
  way_down
  for pair in 10/90 20/80 30/70 40/60 50/50; do
    weigh "light=${pair%/*}" "heavy=${pair#*/}"
    way_up "fair,weights=$contest_weights"
    writer light
    writer heavy
    window "$seconds"
    compete_end
    way_down
    ratio=$(over "$(rate heavy)" "$(rate light)")
    check "$model: two writers $pair, $ratio in bytes, of what it should be" \
      0.95 "$(over "$ratio" "$(over "${pair#*/}" "${pair%/*}")")" 1.05
    check "$model:   both, of one alone ($alone MB/s)" 0.9 "$(over "$(rate light heavy)" "$alone")" 100
  done
}

part_half() {
  contest_file read 1024
  contest_file written 2048
  forget
  way_up fair
  compete writer fio --name=writer --filename="$place/written" --thread --direct=0 --rw=write --bs=1M --fallocate=none \
    --overwrite=1 --time_based --runtime=600
  reader read --ioengine=libaio --iodepth=32
  window "$seconds"
  compete_end
  way_down
  check "$model: reader $(worked read) s, buffered writer $(worked written) s of the medium; the reader's part" \
    0.475 "$(over "$(worked read)" "$(worked read written)")" 0.525
}

scenario_begin
contest_disk "$model" 12288
for part in ${parts:-loops extents pairs half}; do "part_$part"; done
[ "$failures" = 0 ]
