#!/bin/sh
# faults.sh [--quick]: what a caller meets when the disk fails, fills up or hangs, and when the daemon is killed.
# On a modelled disk with ext4: chosen blocks fail with EIO and then don't; space runs out; the disk hangs (30 s, quick:
# 3 s) while others go on, and a second SIGTERM waits for nothing; kill -9 in the midst of fsyncs loses none of them and
# the next start works. FAIRFS_OPTIONS: more mount options (write_behind=off).
set -u

SCENARIO=faults
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(CDPATH='' cd "$(dirname "$0")" && pwd)/lib.sh"
hang_s=30
[ "${1:-}" != --quick ] || hang_s=3
failures=0

expect() { # expect WHAT COMMAND...
  what=$1
  shift
  if "$@"; then echo "ok    $what"; else echo "WRONG $what"; failures=$((failures + 1)); fi
}
refuse() { ! "$@" 2> /dev/null; }
gone() { ! kill -0 "$1" 2> /dev/null || ps -o stat= -p "$1" | grep -q '^Z'; }
mounted() { findmnt -n "$1" > /dev/null; }
options=probe=off${FAIRFS_OPTIONS:+,$FAIRFS_OPTIONS}
start() { "$FAIRFS" "$scenario_work/disk/source" "$scenario_work/mount" -o "$options"; }
direct() { dd if="$1" of=/dev/null bs=1M iflag=direct status=none; }
daemon_pid() { pgrep -xf "$FAIRFS $scenario_work/disk/source $scenario_work/mount -o $options"; }

scenario_up ssd 256
mkdir "$scenario_work/disk/source"
start || exit 1
mount=$scenario_work/mount
trap 'umount -l "$mount" 2> /dev/null; disk_cleanup' EXIT

dd if=/dev/urandom of="$mount/bad" bs=1M count=8 conv=fsync status=none
dd if=/dev/urandom of="$mount/good" bs=1M count=8 conv=fsync status=none
sum=$(md5sum < "$mount/bad")
sync -f "$scenario_work/disk"

# The file's blocks on the disk, in bytes, from filefrag's table: "0: 0.. 2047: 34816.. 36863: 2048: last,eof".
extent() { filefrag -b4096 -v "$1" | awk -F'[.: ]+' '$2 == "0" {print $5 * 4096, ($6 + 1) * 4096}'; }
# shellcheck disable=SC2046  # two words
disk_order fail $(extent "$scenario_work/disk/source/bad")
expect "a read of failing blocks fails" refuse direct "$mount/bad"
expect "as it does natively" refuse direct "$scenario_work/disk/source/bad"
expect "other files are read meanwhile" direct "$mount/good"
disk_order ok
expect "and the blocks that work again too" test "$(md5sum < "$mount/bad")" = "$sum"

expect "a full disk says so" refuse dd if=/dev/zero of="$mount/full" bs=64k status=none
expect "with the size that was written" test "$(stat -c %s "$mount/full")" = \
  "$(stat -c %s "$scenario_work/disk/source/full")"
rm "$mount/full"
sync -f "$scenario_work/disk"
# The blocks are free once the daemon has closed the removed file, which nobody waits for.
expect "and takes more when there is room" \
  disk_wait 5 dd if=/dev/zero of="$mount/more" bs=1M count=4 conv=fsync status=none

cat "$mount/good" > /dev/null
disk_order hang "$hang_s"
direct "$mount/bad" & reader=$!
# More than the disk takes at once: they fill every place there is.
crowd=''
for i in $(seq 0 31); do
  dd if="$mount/bad" of=/dev/null bs=4k skip="$((i * 50))" count=1 iflag=direct status=none & crowd="$crowd $!"
done
began=$(date +%s%N)
expect "a hanging disk stops no cached read" timeout 2 cmp -n 65536 "$mount/good" "$scenario_work/disk/source/good"
expect "nor a buffered write" timeout 2 dd if=/dev/zero of="$mount/more" bs=64k count=16 conv=notrunc status=none
expect "nor a look at names" timeout 2 sh -c "ls '$mount' > /dev/null"
expect "nor fairfs-stat" timeout 2 sh -c "'$FAIRFS-stat' '$mount' --once > /dev/null"
expect "while a read that needs it waits" kill -0 "$reader"
expect "and ends well when it is back" wait "$reader"
waited_ms=$((($(date +%s%N) - began) / 1000000))
expect "after the $hang_s s (${waited_ms} ms)" test "$waited_ms" -ge $((hang_s * 500))
# shellcheck disable=SC2086  # one word for each process
expect "as all others do" wait $crowd

disk_order hang 60
direct "$mount/bad" 2> /dev/null & reader=$!
disk_wait 5 test "$(ps -o stat= -p "$reader")" != R
daemon=$(daemon_pid)
kill "$daemon"
disk_wait 5 refuse mounted "$mount"
expect "SIGTERM waits for a hanging disk" kill -0 "$daemon" "$reader"
kill "$daemon"
expect "a second one does not: callers are free" disk_wait 2 gone "$reader"
expect "and nothing is mounted" refuse mounted "$mount"
disk_order ok
expect "the daemon is gone when the disk is back" disk_wait 5 gone "$daemon"
expect "and starts again" start

# Prints each record's number once fsync has acknowledged it.
python3 -c '
import os, sys
file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o644)
for number in range(100000):
    os.write(file, b"%015d\n" % number)
    os.fsync(file)
    print(number, flush=True)' "$mount/log" > "$scenario_work/acknowledged" 2> /dev/null & writer=$!
disk_wait 10 sh -c "test \$(wc -l < '$scenario_work/acknowledged') -ge 50"
kill -9 "$(daemon_pid)"
wait "$writer"
acknowledged=$(wc -l < "$scenario_work/acknowledged")
expect "the next start over the dead mount works" start
expect "and is a mount" mounted "$mount"
kept=$(wc -l < "$mount/log")
expect "nothing that fsync acknowledged is lost ($acknowledged of $kept records)" test "$kept" -ge "$acknowledged"
expect "the mount ends" umount "$mount"

echo "$failures failures"
[ "$failures" -eq 0 ]
