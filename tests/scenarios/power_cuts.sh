#!/bin/sh
# power_cuts.sh [--quick] [--cuts N] [--seed N]
#
# The modelled disk forgets all that was not flushed, at a random moment, beneath ext4 and fairfs: nothing whose fsync
# has been answered may be gone, and the file system must be clean. The programs append records to a log, and replace a
# file by renaming, beside two that write as fast as they can and get space ahead. Every third time the daemon is
# killed (-9) just before. Default: 100 cuts; --quick: 3. Exits 1 at the first loss, naming its seed, 77 where a
# modelled disk cannot be had.
set -eu

SCENARIO=power-cuts
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

cuts=100 seed=1
while [ $# -gt 0 ]; do
  case $1 in
    --quick) cuts=3 ;;
    --cuts) cuts=$2; shift ;;
    --seed) seed=$2; shift ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
  shift
done

# disk_again: what a start after the power cut finds; the journal is replayed by the mount.
disk_again() {
  disk_wait 10 umount "$DISK_MOUNT"
  losetup -d "$DISK_LOOP"
  disk_wait 10 disk_loop_free
  disk_order ok
  disk_off
  DISK_LOOP=$(losetup --find --show --direct-io=on -b 4096 "$DISK_DIR/disk")
  mount -t ext4 "$DISK_LOOP" "$DISK_MOUNT"
}

daemon_away() {
  [ "$1" = alive ] || kill -9 "$fairfs_pid" 2> /dev/null || true
  umount -l "$fairfs_mount"
  wait "$fairfs_pid" 2> /dev/null || true
  fairfs_pid=''
}

# cut_once SEED
cut_once() {
  rm -rf "$DISK_MOUNT/work"
  mkdir "$DISK_MOUNT/work"
  sync -f "$DISK_MOUNT"
  disk_on
  fairfs_up sched=fair,write_behind=on
  for program in log replace; do
    python3 "$scenario_root/tests/scenarios/durable.py" "$program" "$fairfs_mount/work" > "$scenario_work/$program" &
    eval "${program}_pid=\$!"
  done
  for stream in 1 2; do
    dd if=/dev/zero of="$fairfs_mount/work/stream$stream" bs=1M count=700 2> /dev/null &
    eval "stream${stream}_pid=\$!"
  done
  sleep "$(awk -v seed="$1" 'BEGIN { srand(seed); printf "%.2f", 0.2 + rand() }')"
  fate=alive
  [ $(($1 % 3)) != 0 ] || { fate=killed; kill -9 "$fairfs_pid"; }
  disk_order cut
  # shellcheck disable=SC2154  # set by eval
  wait "$log_pid" "$replace_pid" "$stream1_pid" "$stream2_pid" || true
  daemon_away "$fate"
  disk_again
  for program in log replace; do
    python3 "$scenario_root/tests/scenarios/durable.py" "check-$program" "$DISK_MOUNT/work" \
      "$(cat "$scenario_work/$program")" || return 1
  done
  for stream in 1 2; do
    [ -e "$DISK_MOUNT/work/stream$stream" ] || continue  # its name was not on the disk yet
    size=$(stat -c %s "$DISK_MOUNT/work/stream$stream") blocks=$(stat -c %b "$DISK_MOUNT/work/stream$stream")
    [ $((blocks * 512 - size)) -lt 8388608 ] || ahead=$((ahead + 1))
  done
  umount "$DISK_MOUNT"
  e2fsck -fn "$DISK_LOOP" > "$scenario_work/fsck" 2>&1 || { cat "$scenario_work/fsck"; return 1; }
  mount -t ext4 "$DISK_LOOP" "$DISK_MOUNT"
}

scenario_up ssd 2048  # an eighth of it is room enough for space ahead
disk_order volatile
last=$((seed + cuts - 1)) acknowledged=0 ahead=0
while [ "$seed" -le "$last" ]; do
  cut_once "$seed" || { echo "OFF   seed $seed"; exit 1; }
  acknowledged=$((acknowledged + $(cat "$scenario_work/log") + $(cat "$scenario_work/replace")))
  seed=$((seed + 1))
done
echo "ok    $cuts cuts, $acknowledged acknowledged fsyncs, none lost; $ahead files had space ahead"
[ "$acknowledged" -ge "$cuts" ]
