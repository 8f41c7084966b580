#!/bin/sh
# metadata.sh [--quick]: a find of a cold tree at weight 10 beside a reader (O_DIRECT, 64 KiB in order) at weight 100,
# on a modelled hard disk. The reader must keep 0.8 of what it has alone, and the find must go on. Without --quick the
# same with sched=off and natively (scheduler none), for comparison, and the find alone.
# Exits 1 if any is off, 77 where there is no modelled disk.
set -eu

SCENARIO=metadata
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=bounds.sh
. "$(dirname "$0")/bounds.sh"

quick=no look=10
case ${1:-} in
  --quick) quick=yes look=6 ;;
  '') ;;
  *) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

# 24 directories of 24 of 16 files: the filesystem spreads the outer ones over the disk.
plant() {
  python3 - "$DISK_MOUNT/tree" <<'PYTHON'
import os, sys
for outer in range(24):
    for inner in range(24):
        folder = f"{sys.argv[1]}/{outer}/{inner}"
        os.makedirs(folder)
        for file in range(16):
            open(f"{folder}/{file}", "w").close()
PYTHON
}

# Nothing of the disk is in memory afterwards.
chill() {
  umount "$DISK_MOUNT"
  blockdev --flushbufs "$DISK_LOOP"
  mount "$DISK_LOOP" "$DISK_MOUNT"
}

# run OPTIONS|native [find] [read]: what ran together for $look seconds. Sets $rate, the reader's MB/s, and $found, the
# number of files.
run() {
  chill
  if [ "$1" = native ]; then place=$DISK_MOUNT; else fairfs_up "$1" && place=$fairfs_mount; fi
  case $* in
    *find*)
      "$scenario_work/find" "$place/tree" -type f -size -1 > "$scenario_work/found" &
      find_pid=$! ;;
  esac
  case $* in
    *read*)
      fio --name=reader --filename="$place/stream" --readonly --direct=1 --bs=64k --rw=read --time_based \
        --runtime="$look" --output-format=json --output="$scenario_work/reader.json" ;;
    *) sleep "$look" ;;
  esac
  case $* in
    *find*)
      kill "$find_pid" 2> /dev/null || echo "      the find ended before the reader" >&2
      wait "$find_pid" 2> /dev/null || true ;;
  esac
  fairfs_down
  rate=$(python3 -c 'import json, sys
print("%.1f" % (json.load(open(sys.argv[1]))["jobs"][0]["read"]["bw_bytes"] / 1e6))' "$scenario_work/reader.json")
  found=$(wc -l < "$scenario_work/found")
}

scenario_up hdd 2048
echo none > "/sys/block/${DISK_LOOP#/dev/}/queue/scheduler"
CACHE_DIRECTORY=$scenario_work
export CACHE_DIRECTORY
plant
dd if=/dev/zero of="$DISK_MOUNT/stream" bs=1M count=1024 conv=fsync status=none
cp "$(command -v find)" "$scenario_work/find"
cat > "$scenario_work/weights.toml" <<'RULES'
[[rule]]
command = "find"
weight = 10
[[rule]]
command = "fio"
weight = 100
RULES
disk_on
"$FAIRFS" --probe-only "$DISK_MOUNT" > /dev/null 2>&1
fair=probe=auto,weights=$scenario_work/weights.toml
: > "$scenario_work/found"
run "$fair" read
alone=$rate
run "$fair" find read
check "reader beside the find, of alone ($alone MB/s)" 0.8 "$(echo "$rate $alone" | awk '{ print $1 / $2 }')" 1.1
check "files that the find has seen in $look s" "$((look * 10))" "$found" 9216
if [ "$quick" = no ]; then
  run "sched=off" find read
  echo "      with sched=off: reader $(echo "$rate $alone" | awk '{ print $1 / $2 }'), $found files"
  run native find read
  echo "      natively: reader $(echo "$rate $alone" | awk '{ print $1 / $2 }'), $found files"
  run "$fair" find
  echo "      the find alone: $found files"
fi
[ "$failures" = 0 ]
