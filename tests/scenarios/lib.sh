# shellcheck shell=sh
# What the scenarios share: fairfs over a modelled disk, cgroups, and pairs of fio. Sourced with SCENARIO set to a name
# (and scenario_root to the checkout, if the script is not two folders below it); every end of the shell undoes all of
# it. Programs: $FAIRFS and $DISKEMU, by default those of $FAIRFS_BUILD or ./build.

: "${scenario_root:=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)}"
: "${FAIRFS_BUILD:=$scenario_root/build}"
: "${FAIRFS:=$FAIRFS_BUILD/bin/fairfs}"
: "${DISKEMU:=$FAIRFS_BUILD/bin/diskemu}"
# shellcheck source-path=SCRIPTDIR source=../diskemu/disk.sh
. "$scenario_root/tests/diskemu/disk.sh"

scenario_work='' fairfs_pid='' fairfs_mount='' cgroup_top='' fio_pids=''

scenario_skip() {
  echo "skipped: $1"
  exit 77
}

# scenario_begin: what every scenario needs, and the directory $scenario_work.
scenario_begin() {
  [ "$(id -u)" = 0 ] || scenario_skip "needs root"
  [ -x "$FAIRFS" ] || scenario_skip "there is no fairfs at $FAIRFS: build it, or set FAIRFS"
  command -v fio > /dev/null || scenario_skip "there is no fio"
  command -v filefrag > /dev/null || scenario_skip "there is no filefrag (package e2fsprogs)"
  disk_trap
  scenario_work=$(mktemp -d "${TMPDIR:-/tmp}/fairfs-$SCENARIO.XXXXXX")
  mkdir "$scenario_work/mount"
}

# scenario_up MODEL SIZE_MB: the disk and its filesystem on $scenario_work/disk, fairfs not yet.
scenario_up() {
  scenario_begin
  disk_up "$1" "$2" ext4 "$scenario_work/disk"
}

disk_cleanup() {
  # shellcheck disable=SC2086  # one word for each process
  [ -z "$fio_pids" ] || { kill $fio_pids && wait $fio_pids; } 2> /dev/null || true
  fairfs_down || true
  cgroups_down || true
  disk_down
  [ -z "$scenario_work" ] || rm -rf --one-file-system "$scenario_work"
}

# fairfs_up OPTIONS: mounts the disk's filesystem on $fairfs_mount; with probe=off, unless the options say otherwise.
fairfs_up() {
  fairfs_mount=$scenario_work/mount
  "$FAIRFS" "$DISK_MOUNT" "$fairfs_mount" -f -o "probe=off,$1" 2> "$scenario_work/fairfs.log" &
  fairfs_pid=$!
  disk_wait 20 mountpoint -q "$fairfs_mount" && return
  echo "fairfs did not mount with -o $1:" >&2
  cat "$scenario_work/fairfs.log" >&2
  return 1
}

fairfs_down() {
  [ -n "$fairfs_pid" ] || return 0
  if mountpoint -q "$fairfs_mount"; then
    disk_wait 5 umount "$fairfs_mount" || umount -l "$fairfs_mount"
  else
    kill "$fairfs_pid" 2> /dev/null || true
  fi
  wait "$fairfs_pid" || echo "fairfs ended with status $?" >&2
  fairfs_pid=''
}

# cgroups_up NAME...: one group each below a new one, in the tree that fairfs looks at: v1's blkio, else v2.
# $cgroup_path is the path of the new one as /proc/PID/cgroup shows it.
cgroups_up() {
  cgroup_tree=$(awk '$3 == "cgroup" && $4 ~ /(^|,)blkio(,|$)/ { print $2; exit }' /proc/mounts)
  [ -n "$cgroup_tree" ] || cgroup_tree=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
  cgroup_path=/fairfs-$SCENARIO-$$
  cgroup_top=$cgroup_tree$cgroup_path
  if [ -z "$cgroup_tree" ] || ! mkdir "$cgroup_top" 2> /dev/null; then
    cgroup_top=''
    scenario_skip "cannot make cgroups"
  fi
  # Version 2: without the controller there is nothing to set a weight in, but groups are told apart all the same.
  [ ! -f "$cgroup_top/cgroup.subtree_control" ] || echo +io 2> /dev/null > "$cgroup_top/cgroup.subtree_control" || true
  for cgroup_name; do mkdir "$cgroup_top/$cgroup_name"; done
}

# cgroup_weight NAME WEIGHT: the kernel's own weight of a group; fails where it has none.
cgroup_weight() {
  for cgroup_file in io.weight io.bfq.weight blkio.bfq.weight; do
    [ ! -f "$cgroup_top/$1/$cgroup_file" ] || { echo "$2" > "$cgroup_top/$1/$cgroup_file"; return; }
  done
  return 1
}

cgroups_down() {
  [ -n "$cgroup_top" ] || return 0
  for cgroup_name in "$cgroup_top"/*/; do
    [ ! -d "$cgroup_name" ] || disk_wait 5 rmdir "$cgroup_name" || echo "cannot remove $cgroup_name" >&2
  done
  rmdir "$cgroup_top"
  cgroup_top=''
}

# fio_start PROGRAM CGROUP NAME SECONDS OPTIONS...: 4 KiB random reads of $fairfs_mount/NAME with a log of bandwidth a
# second in $scenario_work/NAME_bw.*.log; CGROUP '' leaves it where it is.
fio_start() {
  fio_program=$1 fio_cgroup=${2:+$cgroup_top/$2/cgroup.procs} fio_name=$3 fio_seconds=$4
  shift 4
  rm -f "$scenario_work/${fio_name}_bw".*
  # shellcheck disable=SC2016  # expanded by the inner shell, which becomes fio
  sh -c 'echo $$ > "$1"; shift; exec "$@"' sh "${fio_cgroup:-/dev/null}" "$fio_program" \
    --name="$fio_name" --filename="$fairfs_mount/$fio_name" --readonly --ioengine=libaio --direct=1 --bs=4k \
    --rw=randread --norandommap --time_based --runtime="$fio_seconds" --output="$scenario_work/$fio_name.out" \
    --write_bw_log="$scenario_work/$fio_name" --log_avg_msec=1000 --bwavgtime=1000 --log_unix_epoch=1 "$@" &
  fio_pids="$fio_pids $!"
}

fio_wait() {
  for fio_pid in $fio_pids; do
    wait "$fio_pid" || { cat "$scenario_work"/*.out >&2; return 1; }
  done
  fio_pids=''
}
