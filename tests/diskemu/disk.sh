# shellcheck shell=sh
# A modelled disk for shell tests. Source this after setting DISKEMU to the program (default: the build's), then:
#
#   disk_up MODEL SIZE_MB FSTYPE MOUNTDIR   disk, loop device, filesystem, mount; the model is off (takes no time)
#   disk_on | disk_off                      the model's times count from here on | take no time again
#   disk_order ORDER...                     any line of DIR/control: "slow 3", "fail 0 4096", "hang 30", "ok"
#   disk_account_file NAME FILE             account the blocks of FILE, a path on MOUNTDIR, under NAME
#   disk_account NAME COLUMN                one number of the accounts, e.g. disk_account total sectors
#   disk_down                               undoes disk_up, also half of it
#
# disk_up exits 77 with a reason where root, /dev/fuse, loop devices or mkfs are missing. disk_trap makes every end of
# the shell, also by a signal, call disk_cleanup (redefine it to undo more; end it with disk_down).
# Sets DISK_DIR (with disk, accounts, control), DISK_LOOP (the block device), DISK_MOUNT, DISK_PID.

DISK_WORK='' DISK_DIR='' DISK_LOOP='' DISK_MOUNT='' DISK_PID=''

disk_skip() {
  echo "skipped: $1" >&2
  exit 77
}

disk_require() {
  [ "$(id -u)" = 0 ] || disk_skip "a modelled disk needs root"
  [ -c /dev/fuse ] || disk_skip "there is no /dev/fuse"
  [ -c /dev/loop-control ] || disk_skip "there are no loop devices"
  command -v "mkfs.$1" > /dev/null || disk_skip "there is no mkfs.$1"
  [ -x "${DISKEMU:-}" ] || disk_skip "there is no modelled disk at DISKEMU='${DISKEMU:-}': build the target diskemu"
}

# disk_wait SECONDS COMMAND...: until the command succeeds; fails when it has not by then.
disk_wait() {
  disk_wait_left=$(($1 * 50))
  shift
  until "$@" 2> /dev/null; do
    disk_wait_left=$((disk_wait_left - 1))
    [ "$disk_wait_left" -gt 0 ] || return 1
    sleep 0.02
  done
}

disk_mkfs() {
  case $1 in
    # Nothing is left for later: a lazy initialisation would compete with the test.
    ext4) mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$2" ;;
    xfs) mkfs.xfs -q -f "$2" ;;
    btrfs) mkfs.btrfs -q -f "$2" ;;
    *) mkfs -t "$1" "$2" > /dev/null ;;
  esac
}

disk_up() {
  disk_require "$3"
  DISK_WORK=$(mktemp -d "${TMPDIR:-/tmp}/fairfs-disk.XXXXXX")
  DISK_DIR=$DISK_WORK/emulator
  mkdir -p "$DISK_DIR" "$4"
  "$DISKEMU" --model "$1" --size-mb "$2" --slow 0 "$DISK_DIR" &
  DISK_PID=$!
  disk_wait 5 test -f "$DISK_DIR/disk" || { echo "the modelled disk did not start" >&2; return 1; }
  DISK_LOOP=$(losetup --find --show --direct-io=on -b 4096 "$DISK_DIR/disk") || disk_skip "no loop device is free"
  disk_mkfs "$3" "$DISK_LOOP"
  mount -t "$3" "$DISK_LOOP" "$4"
  DISK_MOUNT=$4
}

disk_order() { echo "$*" > "$DISK_DIR/control"; }

disk_on() { disk_order slow 1; }

disk_off() { disk_order slow 0; }

# Prints START END in bytes of each extent of the file.
disk_extents() {
  sync "$1"
  filefrag -v "$1" | awk '
    / blocks? of [0-9]+ bytes/ { match($0, /of [0-9]+ bytes/); unit = substr($0, RSTART + 3) + 0 }
    /^ *[0-9]+:/ { gsub(/\.\.|:/, " "); printf "%.0f %.0f\n", $4 * unit, ($5 + 1) * unit }'
}

disk_account_file() {
  disk_extents "$2" | while read -r disk_start disk_end; do
    disk_order range "$1" "$disk_start" "$disk_end"
  done
}

disk_account() {
  awk -v name="$1" -v column="$2" '
    NR == 1 { for (i = 1; i <= NF; ++i) if ($i == column) wanted = i }
    $1 == name && wanted { print $wanted; found = 1 }
    END { exit !found }' "$DISK_DIR/accounts"
}

disk_down() {
  [ -n "$DISK_WORK" ] || return 0
  [ ! -f "$DISK_DIR/control" ] || { disk_order ok && disk_off; } || true
  if [ -n "$DISK_MOUNT" ]; then umount "$DISK_MOUNT" || umount -l "$DISK_MOUNT" || true; fi
  if [ -n "$DISK_LOOP" ]; then losetup -d "$DISK_LOOP" || true; fi
  # The loop device lets go of the file a moment after the unmount: end the disk only then.
  [ -z "$DISK_LOOP" ] || disk_wait 5 disk_loop_free || true
  if [ -n "$DISK_PID" ]; then
    kill "$DISK_PID" 2> /dev/null || true
    wait "$DISK_PID" 2> /dev/null || true
  fi
  ! mountpoint -q "$DISK_DIR" || umount -l "$DISK_DIR" || true
  rm -rf --one-file-system "$DISK_WORK"
  DISK_WORK='' DISK_DIR='' DISK_LOOP='' DISK_MOUNT='' DISK_PID=''
}

disk_loop_free() { ! losetup "$DISK_LOOP" > /dev/null; }

disk_cleanup() { disk_down; }

disk_trap() {
  trap 'disk_cleanup' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}
