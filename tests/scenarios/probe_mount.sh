#!/bin/sh
# probe_mount.sh: what the default does to a mount, on a modelled ssd: the first one measures within its time, the next
# one is as quick as with probe=off (within 50 ms, medians of five), a probe that is killed leaves nothing, two at once
# agree, a doubted profile holds for a day, there is a progress line on a terminal and nowhere else, and what can't be
# measured says why. Exits 1 if any is off, 77 where a modelled disk cannot be had.
set -eu

SCENARIO=probe-mount
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=bounds.sh
. "$(dirname "$0")/bounds.sh"

# mount_ms OPTIONS: how long a mount takes.
mount_ms() {
  began=$(date +%s%N)
  "$FAIRFS" "$DISK_MOUNT" "$scenario_work/mount" -o "$1"
  ended=$(date +%s%N)
  disk_wait 5 umount "$scenario_work/mount"
  echo $(((ended - began) / 1000000))
}

# median_ms OPTIONS
median_ms() {
  for _ in 1 2 3 4 5; do mount_ms "$1"; done | sort -n | sed -n 3p
}

free_blocks() { stat -f -c %f "$DISK_MOUNT"; }

killed_probe() {
  sync -f "$DISK_MOUNT"
  before=$(free_blocks)
  "$FAIRFS" --probe-only "$DISK_MOUNT" > /dev/null 2>&1 &
  probe_pid=$!
  sleep 2
  kill -KILL "$probe_pid"
  wait "$probe_pid" 2> /dev/null || true
  check "entries that a killed probe leaves" 0 "$(find "$DISK_MOUNT" -mindepth 1 ! -name lost+found | wc -l)" 0
  check "blocks that a killed probe leaves" 0 "$((before - $(free_blocks)))" 0
}

# says WORDS: the reason that --probe-only gives contains them.
says() {
  "$FAIRFS" --probe-only "$DISK_MOUNT" 2>&1 > /dev/null | grep -c "$1" || true
}

# doubted HOURS: ms of a mount whose kept profile is of low confidence and that old.
doubted() {
  sed -i 's/^confidence = .*/confidence = "low"/' "$scenario_work"/*.toml
  touch -d "$1 hours ago" "$scenario_work"/*.toml
  mount_ms rw
}

# on_terminal COMMAND...: all that it shows on a terminal.
on_terminal() {
  python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) != 0)' "$@" < /dev/null
}

progress() {
  on_terminal "$FAIRFS" --probe-only "$DISK_MOUNT" > "$scenario_work/screen"
  # One line, rewritten in place (carriage return, no line feed), its numbers rising; erased before anything else.
  tr '\r' '\n' < "$scenario_work/screen" | sed -n 's/^measuring the disk *\([0-9]*\) %$/\1/p' > "$scenario_work/parts"
  check "steps of the progress line" 10 "$(wc -l < "$scenario_work/parts")" 10000
  check "steps that go back" 0 "$(sort -n -s "$scenario_work/parts" | cmp -s - "$scenario_work/parts"; echo $?)" 0
  check "its last step" 100 "$(tail -n 1 "$scenario_work/parts")" 100
  check "progress lines left on the screen" 0 \
    "$(sed 's/.*\r\x1b\[K//' "$scenario_work/screen" | grep -c 'measuring the disk' || true)" 0
  "$FAIRFS" --probe-only "$DISK_MOUNT" > /dev/null 2> "$scenario_work/screen"
  check "progress lines where there is no terminal" 0 "$(grep -c measuring "$scenario_work/screen" || true)" 0
}

scenario_up ssd:channels=4,read_us=800,write_us=800,mb_s=300 1024
CACHE_DIRECTORY=$scenario_work
export CACHE_DIRECTORY
disk_on
check "ms of a first mount (at most 6000)" 500 "$(mount_ms rw)" 6000
off=$(median_ms probe=off)
check "ms that a kept profile adds to a mount" -1000 "$(($(median_ms rw) - off))" 50
check "ms of a mount, doubted profile of 23 hours" 0 "$(doubted 23)" "$((off + 50))"
check "ms of a mount, doubted profile of 25 hours (measures anew)" 500 "$(doubted 25)" 6000
progress
killed_probe
"$FAIRFS" --probe-only --json "$DISK_MOUNT" > "$scenario_work/one" 2> /dev/null &
probe_pid=$!
"$FAIRFS" --probe-only --json "$DISK_MOUNT" > "$scenario_work/two" 2> /dev/null
wait "$probe_pid"
for name in one two; do
  check "parallelism while two probes want the same disk (4)" 3 \
    "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["parallelism"])' "$scenario_work/$name")" 5.1
done
mount -o remount,ro "$DISK_MOUNT"
check "a read-only source says so" 1 "$(says 'and none can be made: the source is read-only; defaults')" 1
mount -o remount,rw "$DISK_MOUNT"
fallocate -l "$(($(stat -f -c %a "$DISK_MOUNT") * 4096 - 64 * 1024 * 1024))" "$DISK_MOUNT/full"
check "a full disk says so" 1 "$(says '5 % of the free space is less than 16 MiB; defaults')" 1
[ "$failures" = 0 ]
