#!/bin/sh
# s3-reader-and-writer.sh [--quick | --seconds N] [--svg FILE]: does ionice count for buffered work?
#
# "dm-ioband", 2009: `dd` reads a file while another writes as fast as it can. The reader asks for more by ionice:
# best-effort 0 beside 7, then real-time. Buffered writes come from the kernel's threads, not from the writer, so the
# kernel's schedulers see little of who wants what; fairfs charges them to the writer.
# How many times as long as alone on an idle disk the reader takes, lower is better. Disk: a hard disk. N is the
# seconds that it takes alone (the size of the file).
set -eu

# shellcheck disable=SC2034  # lib.sh reads them
title='S3: reader beside a writer, hard disk' seconds=3 quick_seconds=1
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck disable=SC2034
fair_options=,write_behind=on

contest_disk hdd 16384
contest_file read $((seconds * 114))

# read_beside READER_OPTIONS: seconds of `dd` over the file, times 1 / $alone; beside a writer of best-effort 7.
read_beside() {
  if [ "$1" != alone ]; then
    compete writer ionice -c2 -n7 dd if=/dev/zero of="$place/written" bs=4K count=2000000 conv=fdatasync
    sleep 2
  fi
  began=$(date +%s.%N)
  case $1 in
    alone) dd if="$place/read" of=/dev/null bs=4K status=none ;;
    *) ionice -c "${1%:*}" -n "${1#*:}" dd if="$place/read" of=/dev/null bs=4K status=none ;;
  esac
  took=$(date +"%s.%N $began" | awk '{ print $1 - $2 }')
  [ "$1" = alone ] || compete_end
  awk -v took="$took" -v alone="$alone" 'BEGIN { printf "%.2f\n", took / alone }'
  disk_off
  rm -f "$DISK_MOUNT/written"
  sync -f "$DISK_MOUNT"
  disk_on
}

# What all are set against: the reader natively, the disk to itself.
alone=1
forget
way_up none
read_beside alone > "$scenario_work/alone"
alone=$(cat "$scenario_work/alone")
way_down
echo "the reader alone on the idle disk: $alone s"

table
measure read_beside alone
show 1 'reader alone, times' 1.00
measure read_beside 2:0
show 1 'best-effort 0 beside 7, times' 1.25
measure read_beside 1:0
show 1 'real-time beside 7, times' 1.10
chart
