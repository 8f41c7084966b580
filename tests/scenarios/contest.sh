# shellcheck shell=sh disable=SC2154  # what lib.sh and rows.sh set
# Programs that compete for a modelled disk, under fairfs and under the kernel's schedulers in turn. Sourced after
# lib.sh and scenario_begin.
#
#   contest_disk MODEL MB   the disk, with what the probe says of it in $contest_profile; one that is there is kept
#   contest_file NAME MB    a file on it, written, whose blocks the disk accounts under its name
#   way_up WAY              how the disk is used from here on; sets $place, the directory to work in
#                             none | mq-deadline | bfq | bfq-strict (low_latency=0): the kernel's scheduler, no fairfs
#                             fair[,OPTIONS] | off: fairfs, the latter with sched=off; scheduler none below it
#   way_down                undoes it
#   compete NAME COMMAND... starts a program in the background
#   reader NAME[=FILE] OPTIONS...  starts a fio called NAME that reads the file of that name, or FILE: O_DIRECT, 64 KiB
#                             in order, one at a time
#   window SECONDS          lets things settle for 2 s, then looks at what the disk does in the next SECONDS
#   rate NAME...            MB/s in the window, of all these files together
#   worked NAME...          seconds that the medium worked for them in the window
#   weigh NAME=WEIGHT...    a file of rules for programs of these names; its path in $contest_weights
#   compete_end             ends the programs; fails if one had ended before
#   forget                  nothing of the disk's files is in memory afterwards
#
# FAIRFS_PROFILES names a directory in which profiles are kept by model, so that the next run needs no probe.

contest_model='' contest_profile='' contest_weights='' place=''

contest_disk() {
  [ "$contest_model" != "$1" ] || return 0
  disk_down
  contest_model=$1
  disk_up "$1" "$2" ext4 "$scenario_work/disk"
  # What any used disk has: the probe reads it.
  dd if=/dev/zero of="$DISK_MOUNT/used" bs=1M count=512 conv=fsync status=none
  contest_profile=${FAIRFS_PROFILES:-$scenario_work}/$(echo "$1" | tr -c 'a-z0-9=\n' -).profile
  disk_on
  if [ ! -s "$contest_profile" ]; then
    CACHE_DIRECTORY=$scenario_work "$FAIRFS" --probe-only "$DISK_MOUNT" > "$scenario_work/profile" 2> /dev/null
    mv "$scenario_work/profile" "$contest_profile"
  fi
}

contest_file() {
  [ ! -f "$DISK_MOUNT/$1" ] || return 0
  disk_off
  dd if=/dev/zero of="$DISK_MOUNT/$1" bs=1M count="$2" conv=fsync status=none
  disk_account_file "$1" "$DISK_MOUNT/$1"
  disk_on
}

way_up() {
  way_queue=/sys/block/${DISK_LOOP#/dev/}/queue
  case $1 in
    none | mq-deadline | bfq | bfq-strict)
      place=$DISK_MOUNT
      # Loading the module is the kernel's; where there is none, the caller can go on without.
      { echo "${1%-strict}" > "$way_queue/scheduler"; } 2> /dev/null || return 1
      case $1 in
        bfq) echo 1 > "$way_queue/iosched/low_latency" ;;
        bfq-strict) echo 0 > "$way_queue/iosched/low_latency" ;;
      esac
      ;;
    off) fairfs_up "probe=$contest_profile,sched=off" ;;
    fair*) fairfs_up "probe=$contest_profile${1#fair}" ;;
  esac
  case $1 in off | fair*) place=$fairfs_mount ;; esac
}

way_down() {
  fairfs_down
  echo none > "$way_queue/scheduler"
}

weigh() {
  contest_weights=$scenario_work/weights.toml
  for weighed_program in "$@"; do
    printf '[[rule]]\ncommand = "%s"\nweight = %s\n' "${weighed_program%=*}" "${weighed_program#*=}"
  done > "$contest_weights"
}

compete() {
  compete_name=$1
  shift
  mkdir -p "$scenario_work/bin"
  # A rule knows a program by the name that it was started with.
  ln -sf "$(command -v "$1")" "$scenario_work/bin/$compete_name"
  shift
  "$scenario_work/bin/$compete_name" "$@" > "$scenario_work/$compete_name.out" 2>&1 &
  fio_pids="$fio_pids $!"
}

reader() {
  reader_name=${1%=*} reader_file=${1#*=}
  shift
  compete "$reader_name" fio --name="$reader_name" --filename="$place/$reader_file" --thread --direct=1 \
    --rw=read --bs=64k --time_based --runtime=600 "$@"
}

compete_end() {
  compete_failed=0
  for compete_pid in $fio_pids; do kill "$compete_pid" 2> /dev/null || compete_failed=1; done
  for compete_pid in $fio_pids; do wait "$compete_pid" 2> /dev/null || true; done
  fio_pids=''
  [ "$compete_failed" = 0 ] || { echo "a program ended too early:" && tail -n 3 "$scenario_work"/*.out; } >&2
  return "$compete_failed"
}

# The accounts, and the time in seconds.
window_look() { cat "$DISK_DIR/accounts" && date +'time %s.%N'; }

window() {
  sleep 2
  window_look > "$scenario_work/before"
  sleep "$1"
  window_look > "$scenario_work/after"
}

# window_change COLUMN NAME...: by how much the sum grew, and in how many seconds.
window_change() {
  awk -v wanted="$*" '
    BEGIN { count = split(wanted, word, " "); for (i = 2; i <= count; ++i) chosen[word[i]] = 1 }
    FNR == 1 { ++file; for (i = 1; i <= NF; ++i) if ($i == word[1]) column = i }
    $1 in chosen { sum[file] += $column }
    $1 == "time" { time[file] = $2 }
    END { printf "%.0f %.6f\n", sum[2] - sum[1], time[2] - time[1] }' "$scenario_work/before" "$scenario_work/after"
}

rate() { window_change sectors "$@" | awk '{ printf "%.3f", $1 * 512 / 1e6 / $2 }'; }
worked() { window_change device_ns "$@" | awk '{ printf "%.6f", $1 / 1e9 }'; }

forget() {
  sync -f "$DISK_MOUNT"
  echo 3 > /proc/sys/vm/drop_caches
}

# over NUMBER NUMBER: the first by the second.
over() { awk -v one="$1" -v other="$2" 'BEGIN { printf "%.3f", one / other }'; }
