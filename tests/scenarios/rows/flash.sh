# shellcheck shell=sh disable=SC2154  # what lib.sh and rows.sh set
# Row 5: where nothing is gained by holding the disk, fairness costs nothing: fairfs against sched=off, and that against
# libfuse's passthrough_hp. All three are mounted side by side on an ssd and used in turn; medians of paired rounds.

# flash_mounts: fair, off and, if PASSTHROUGH_HP names it, hp below $scenario_work/ways.
flash_mounts() {
  ways='fair off'
  for way in fair off; do
    mkdir -p "$scenario_work/ways/$way"
    "$FAIRFS" "$DISK_MOUNT" "$scenario_work/ways/$way" -f -o "probe=$contest_profile,sched=$way" \
      2> "$scenario_work/$way.log" &
    flash_pids="$flash_pids $!"
  done
  if [ -n "${PASSTHROUGH_HP:-}" ]; then
    ways="$ways hp"
    mkdir -p "$scenario_work/ways/hp"
    "$PASSTHROUGH_HP" --nopassthrough --foreground "$DISK_MOUNT" "$scenario_work/ways/hp" &
    flash_pids="$flash_pids $!"
  else
    echo "row $row: not against passthrough_hp: PASSTHROUGH_HP does not name it"
  fi
  for way in $ways; do disk_wait 20 mountpoint -q "$scenario_work/ways/$way"; done
}

flash_down() {
  for way in fair off hp; do
    ! mountpoint -q "$scenario_work/ways/$way" || umount -l "$scenario_work/ways/$way"
  done
  # shellcheck disable=SC2086  # several
  [ -z "$flash_pids" ] || wait $flash_pids || true
  flash_pids=''
}

# flash_rate WAY COUNT OPTIONS...: MB/s of so many readers, each of its own file.
flash_rate() {
  flash_place=$scenario_work/ways/$1
  flash_jobs=''
  for number in $(seq "$2"); do
    flash_jobs="$flash_jobs --name=stream$number --filename=$flash_place/stream$number"
  done
  shift 2
  # shellcheck disable=SC2086  # several options
  fio --readonly --direct=1 --time_based --runtime="$flash_time" --ramp_time=0.5 --group_reporting \
    --output-format=json "$@" $flash_jobs |
    python3 -c 'import json, sys; print("%.2f" % (json.load(sys.stdin)["jobs"][0]["read"]["bw_bytes"] / 1e6))'
}

# flash_race WHAT COUNT OPTIONS...
flash_race() {
  flash_what=$1
  shift
  : > "$scenario_work/rounds"
  for _ in 1 2 3 4 5; do
    for way in $ways; do printf '%s ' "$(flash_rate "$way" "$@")" >> "$scenario_work/rounds"; done
    echo >> "$scenario_work/rounds"
  done
  holds "$flash_what: MB/s $(flash_median 1), of sched=off ($(flash_median 2))" "$(flash_median 1 2)" 0.95
  [ "$ways" = 'fair off' ] ||
    holds "  sched=off, of passthrough_hp ($(flash_median 3))" "$(flash_median 2 3)" 0.95
}

# flash_median COLUMN [COLUMN]: of a column, or of the first by the second.
flash_median() {
  awk -v one="$1" -v other="${2:-}" '{ print other == "" ? $one : $one / $other }' "$scenario_work/rounds" | sort -n |
    awk '{ all[NR] = $1 } END { printf "%.3f", all[int((NR + 1) / 2)] }'
}

flash() { # WHAT_ROW
  contest_disk ssd 12288
  stream_files
  flash_time=$((seconds * 100))ms
  flash_mounts
  case $1 in
    streams)
      flash_race 'eight streams' 8 --rw=read --bs=64k
      flash_race 'eight streams, 1 ms of thinking' 8 --rw=read --bs=64k --thinktime=1000
      ;;
    random)
      for count in 1 2 4 8; do
        flash_race "$count random readers of depth 1" "$count" --rw=randread --bs=4k --norandommap
      done
      ;;
  esac
  flash_down
}

flash_pids=''
row_5s() { flash streams; }
row_5r() { flash random; }
row_5() { row_5s; row_5r; }
