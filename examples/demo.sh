#!/bin/sh
# demo.sh: fairfs from nothing to numbers, as the first command on a fresh checkout. Needs root or sudo.
#
# Installs what is missing, builds, makes a disk whose speed is known (a modelled ssd of 8 channels and 800 us: 10,000
# reads a second), mounts fairfs over it, lets two programs compete with weights 1 and 3, shows the shares they got, and
# removes all of it again.
#
#   examples/demo.sh [--keep]      --keep: the programs go on, for trying things, until Enter is pressed
set -eu

SCENARIO=demo
scenario_root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
: "${FAIRFS_BUILD:=$scenario_root/build}"
model=ssd:channels=8,read_us=800,write_us=800,mb_s=300
seconds=12       # both run for so long; the table is taken after ten
file_mb=256      # each program reads its own file of this size

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

build() {
  say "1/4  What fairfs needs"
  "$scenario_root/.ci/deps"
  say "2/4  Build (into $FAIRFS_BUILD)"
  # The modelled disk is a part of the tests, which an earlier build may have left out; no test is built here.
  cmake -S "$scenario_root" -B "$FAIRFS_BUILD" -G Ninja -DFAIRFS_TESTS=ON > /dev/null
  cmake --build "$FAIRFS_BUILD" -j "$(nproc)" --target fairfs fairfs-stat diskemu
}

weigh() {
  cat << TOML
[[rule]]
exe = "$scenario_work/backup"
weight = 100

[[rule]]
exe = "$scenario_work/database"
weight = 300
TOML
}

prepare() {
  say "3/4  A modelled disk, ext4 on it, fairfs over that"
  scenario_up "$model" 1024
  for name in backup database; do
    cp "$(command -v fio)" "$scenario_work/$name"     # the rules know programs by their files
    dd if=/dev/zero of="$DISK_MOUNT/$name" bs=1M count="$file_mb" conv=fsync status=none
    disk_account_file "$name" "$DISK_MOUNT/$name"
  done
  disk_on
  weigh > "$scenario_work/weights.toml"
  fairfs_up "probe=off,weights=$scenario_work/weights.toml"
  echo "fairfs $DISK_MOUNT $fairfs_mount -o probe=off,weights=weights.toml"
  sed 's/^/    /' "$scenario_work/weights.toml"
}

compete() {
  say "4/4  Two programs want all of the disk: 64 random reads of 4 KiB in flight each, for $seconds s"
  disk_order reset
  for name in backup database; do
    fio_start "$scenario_work/$name" '' "$name" "$seconds" --iodepth=64 --thread
  done
  sleep 10
  "$FAIRFS_BUILD/bin/fairfs-stat" "$fairfs_mount" --once
  fio_wait
}

summary() {
  backup_ns=$(disk_account backup device_ns) database_ns=$(disk_account database device_ns)
  python3 "$scenario_root/tests/scenarios/bandwidth.py" "$scenario_work/backup" "$scenario_work/database" |
    awk -v backup="$backup_ns" -v database="$database_ns" '{
      printf "\nBy their own count: backup %.1f MiB/s, database %.1f MiB/s: 1 : %.2f (wanted 1 : 3)\n", $1, $2, $2 / $1
      printf "By the disk'\''s own count: %.1f s of its time for backup, %.1f s for database: 1 : %.2f\n",
        backup / 1e9, database / 1e9, database / backup }'
}

keep() {
  for name in backup database; do
    fio_start "$scenario_work/$name" '' "$name" 36000 --iodepth=64 --thread
  done
  say "Both go on. From another terminal, as root:"
  echo "$FAIRFS_BUILD/bin/fairfs-stat $fairfs_mount"
  echo "$FAIRFS_BUILD/bin/fairfs-stat $fairfs_mount --set exe=$scenario_work/backup weight=900"
  printf '\nEnter ends them and removes all of it. '
  read -r _ || true
}

built='' keep=''
for word; do
  case $word in
    --built) built=yes ;;
    --keep) keep=--keep ;;
    *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"; exit 2 ;;
  esac
done
if [ -z "$built" ]; then
  build
  # Building needs no rights, mounting does.
  # shellcheck disable=SC2086  # no word when empty
  [ "$(id -u)" = 0 ] || exec sudo FAIRFS_BUILD="$FAIRFS_BUILD" "$0" --built $keep
fi
# shellcheck source-path=SCRIPTDIR source=../tests/scenarios/lib.sh
. "$scenario_root/tests/scenarios/lib.sh"
prepare
compete
summary
[ -z "$keep" ] || keep
