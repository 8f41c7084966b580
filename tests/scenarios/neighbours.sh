#!/bin/sh
# neighbours.sh [--quick]: others on the disk, on a modelled ssd of 4 channels. A program that reads past fairfs
# while it probes, and two probes that don't know of each other, are noticed and believed with low confidence only, and
# nothing of that is kept; a bfq queue underneath and a stacked filesystem are said. Beside a running mount, reads past
# it are an alert in fairfs-stat and in the log after 10 s, a bfq queue at once, and what the mount's own programs do is
# none. Exits 1 if any is off, 77 where a modelled disk cannot be had.
set -eu

SCENARIO=neighbours
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=bounds.sh
. "$(dirname "$0")/bounds.sh"

# hammer FILE SECONDS: deep random reads, natively.
hammer() {
  fio --name=hammer --filename="$1" --readonly --direct=1 --ioengine=libaio --iodepth=16 --bs=4k --rw=randread \
    --time_based --runtime="$2" --output=/dev/null &
  hammer_pid=$!
}

# probe CACHE NAME
probe() {
  CACHE_DIRECTORY=$scenario_work/$1 "$FAIRFS" --probe-only --json "$DISK_MOUNT" > "$scenario_work/$2" 2> /dev/null
}

# doubted NAME: 1 when the profile is right or not trusted.
doubted() {
  python3 -c 'import json, sys
profile = json.load(open(sys.argv[1]))
print(int(profile["confidence"] != "high" or 3 <= profile["parallelism"] <= 5.1))' "$scenario_work/$1"
}

elevator() { cat "/sys/block/${DISK_LOOP#/dev/}/queue/scheduler"; }
set_elevator() { echo "$1" > "/sys/block/${DISK_LOOP#/dev/}/queue/scheduler"; }

alerts() {
  "$FAIRFS_BUILD/bin/fairfs-stat" "$fairfs_mount" --once --json |
    python3 -c 'import json, sys; print("\n".join(json.load(sys.stdin)["alerts"]))'
}
alerted() { alerts | grep -q "$1"; }

scenario_up ssd:channels=4,read_us=800,write_us=800,mb_s=300 1024
for name in one two; do dd if=/dev/zero of="$DISK_MOUNT/$name" bs=1M count=160 conv=fsync status=none; done
disk_on

hammer "$DISK_MOUNT/one" 30
probe cache hammered
kill "$hammer_pid"
wait "$hammer_pid" 2> /dev/null || true
check "a probe beside a program that reads is doubted" 1 "$(grep -c '"confidence":"low"' "$scenario_work/hammered")" 1
check "and says why" 1 "$(grep -c 'others did [0-9]* % of the transfers meanwhile' "$scenario_work/hammered")" 1
check "and is not kept" 0 "$(find "$scenario_work/cache" -name '*.toml' | wc -l)" 0

probe here one & probe_pid=$!
probe there two
wait "$probe_pid"
check "probes of two that don't know of each other, right or doubted" 2 "$(($(doubted one) + $(doubted two)))" 2
check "a mounted filesystem is not measured through another" 1 \
  "$("$FAIRFS" --probe-only "$DISK_DIR" 2>&1 > /dev/null | grep -c 'fuse lies on other filesystems')" 1

fairfs_up probe=off
fio_start "$(command -v fio)" '' one 60 --iodepth=8
sleep 14
check "alerts on what the mount's own programs read" 0 "$(alerts | grep -c 'used past this mount' || true)" 0
hammer "$DISK_MOUNT/two" 30
check "seconds until reads past the mount are an alert (10, and a look)" 9 "$(
  began=$(date +%s)
  disk_wait 20 alerted 'used past this mount' || true
  echo $(($(date +%s) - began)))" 15
check "lines in the log about it" 1 "$(grep -c 'used past this mount' "$scenario_work/fairfs.log")" 1
kill "$hammer_pid"
wait "$hammer_pid" 2> /dev/null || true
if elevator | grep -q bfq; then
  set_elevator bfq
  check "a bfq queue underneath is an alert" 1 "$(disk_wait 5 alerted 'bfq underneath' && echo 1)" 1
  fairfs_down
  "$FAIRFS" --probe-only "$DISK_MOUNT" > /dev/null 2> "$scenario_work/words"
  check "and said by a probe" 1 "$(grep -c 'bfq schedules underneath' "$scenario_work/words")" 1
else
  echo "      this kernel has no bfq: not looked at"
fi
[ "$failures" = 0 ]
