# shellcheck shell=sh disable=SC2154  # what lib.sh and rows.sh set
# Row 12: a backup, tar of a cold tree in the idle class, beside a reader that keeps the disk busy, and alone.

# 20 directories of 100 files of 4 KiB to 1 MiB, most of them small: 465 MB.
plant_tree() {
  [ ! -d "$DISK_MOUNT/tree" ] || return 0
  disk_off
  python3 - "$DISK_MOUNT/tree" <<'PYTHON'
import os, sys
for folder in range(20):
    os.makedirs(f"{sys.argv[1]}/{folder}")
    for file in range(100):
        with open(f"{sys.argv[1]}/{folder}/{file}", "wb") as out:
            out.write(bytes(4096 << file * 9 // 100))
PYTHON
  sync -f "$DISK_MOUNT"
  disk_on
}

# The archive is no file, and not /dev/null, for which tar would read nothing.
backup() { ionice -c "$1" tar cf /dev/zero -C "$place" tree; }

# backup_alone WAY CLASS: sets $took, in seconds.
backup_alone() {
  forget
  way_up "$1"
  began=$(date +%s.%N)
  backup "$2"
  ended=$(date +%s.%N)
  way_down
  took=$(awk -v began="$began" -v ended="$ended" 'BEGIN { printf "%.2f", ended - began }')
}

# backup_beside READER_OPTION
backup_beside() {
  plant_tree
  backup_alone none 2
  native=$took
  backup_alone fair 2
  plain=$took
  backup_alone fair 3
  idle=$took
  holds "tar natively $native s, under fairfs $plain, of class idle $idle: speed of the last to the second" \
    "$(over "$plain" "$idle")" 0.95
  way_up fair
  forget
  reader busy "$1"
  window "$seconds"
  alone=$(rate busy)
  compete backup ionice -c 3 tar cf /dev/zero -C "$place" tree
  window "$seconds"
  compete_end
  way_down
  holds "  reader $1 beside it $(rate busy) MB/s, of alone ($alone)" "$(over "$(rate busy)" "$alone")" 0.95
  own=$(du -sB 1 "$DISK_MOUNT/tree" | awk -v idle="$idle" '{ printf "%.3f", $1 / 1e6 / idle }')
  got=$(awk -v all="$(rate total)" -v reader="$(rate busy)" 'BEGIN { print all - reader }')
  holds "  backup beside the reader $got MB/s, of its own speed ($own)" "$(over "$got" "$own")" 0.01
}

row_12h() {
  hard_disk
  # Long enough for two windows: what is read twice would come from memory.
  contest_file busy $(((2 * seconds + 9) * 118))
  backup_beside --direct=0
}
row_12s() { contest_disk ssd 12288; contest_file busy 256; backup_beside --direct=1; }
row_12() { row_12h; row_12s; }
