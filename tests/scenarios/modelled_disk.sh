#!/bin/sh
# modelled_disk.sh: is the instrument right? The modelled disk, through its loop device, against arithmetic and orders.
# Needs no fairfs. Exits 1 if a check fails, 77 where a modelled disk cannot be had.
set -eu

root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
: "${FAIRFS_BUILD:=$root/build}"
: "${DISKEMU:=$FAIRFS_BUILD/bin/diskemu}"
# shellcheck source-path=SCRIPTDIR source=../diskemu/disk.sh
. "$root/tests/diskemu/disk.sh"
# shellcheck source-path=SCRIPTDIR source=bounds.sh
. "$(dirname "$0")/bounds.sh"

mountpoint=$(mktemp -d "${TMPDIR:-/tmp}/fairfs-modelled-disk.XXXXXX")
disk_cleanup() {
  disk_down
  rmdir "$mountpoint"
}

# reads DEPTH: 4 KiB reads a second that the block device answers.
reads() {
  fio --name=reads --filename="$DISK_LOOP" --readonly --direct=1 --ioengine=libaio --bs=4k --rw=randread \
    --iodepth="$1" \
    --time_based --runtime=2 --ramp_time=0.5 --output-format=terse | awk -F';' '{ print $8 }'
}

# seconds COMMAND...: how long it takes.
seconds() {
  began=$(date +%s.%N)
  "$@"
  awk -v began="$began" -v ended="$(date +%s.%N)" 'BEGIN { printf "%.3f", ended - began }'
}

read_block() { dd if="$DISK_LOOP" of=/dev/null bs=4k skip="$1" count=1 iflag=direct status=none; }

fails() { ! "$@" 2> /dev/null; }

# 8 channels of 800 us: 1 / 800 us = 1,250 a second at most for one at a time (the way through the kernel adds to each),
# 8 / 800 us = 10,000 for many.
speed() {
  disk_on
  check "reads a second at depth 1 (at most 1250)" 500 "$(reads 1)" 1251
  check "reads a second at depth 8 (at most 10000)" 4000 "$(reads 8)" 10050
  disk_order reset
  check "reads a second at depth 64 (10000)" 9500 "$(reads 64)" 10050
  check "device time of a read in us (800 / 8)" 100 \
    "$(echo "$(disk_account total device_ns) $(disk_account total reads)" | awk '{ print $1 / $2 / 1000 }')" 100
}

accounts() {
  disk_off
  dd if=/dev/zero of="$mountpoint/file" bs=1M count=8 conv=fsync status=none
  disk_account_file file "$mountpoint/file"
  disk_order reset
  check "sectors read while nobody reads" 0 "$(disk_account file sectors)" 0
  dd if="$mountpoint/file" of=/dev/null bs=1M iflag=direct status=none
  check "sectors of a file of 8 MiB" 16384 "$(disk_account file sectors)" 16384
}

faults() {
  disk_order ok
  disk_order fail 409600 413696
  check "blocks that fail" 1 "$(fails read_block 100 && echo 1)" 1
  check "blocks beside it that don't" 1 "$(read_block 101 && echo 1)" 1
  disk_order ok
  check "blocks that read again after ok" 1 "$(read_block 100 && echo 1)" 1
  disk_order slow 500
  check "seconds of one read 500 times as slow (0.4)" 0.4 "$(seconds read_block 100)" 0.8
  disk_order ok
  disk_order hang 1
  check "seconds of one read while the disk hangs (1)" 0.9 "$(seconds read_block 100)" 1.5
  disk_order ok
}

disk_trap
command -v fio > /dev/null || disk_skip "there is no fio"
disk_up ssd:channels=8,read_us=800,write_us=800,mb_s=300 256 ext4 "$mountpoint"
speed
accounts
faults
[ "$failures" = 0 ]
