# shellcheck shell=sh disable=SC2154  # what lib.sh and rows.sh set
# Row 10: threads, or processes, that read one file together are one stream.

# threads WAY COUNT: sets $read, the MB/s that so many threads of sysbench read, which share one position in the file.
threads() {
  forget
  way_up "$1"
  read=$(sysbench_read "$2" $((seconds / 2)))
  way_down
}

# zones WAY COUNT: the same of so many processes that start together, of which each reads its own of COUNT neighbouring
# pieces in turn.
zones() {
  way_up "$1"
  zones_jobs=''
  for zone in $(seq 0 $(($2 - 1))); do
    zones_jobs="$zones_jobs --name=zone$zone --offset=$((zone * 16))k"
    [ "$2" = 1 ] || zones_jobs="$zones_jobs --zonemode=strided --zonesize=16k --zonerange=16k"
    [ "$2" = 1 ] || zones_jobs="$zones_jobs --zoneskip=$((($2 - 1) * 16))k"
  done
  # shellcheck disable=SC2086  # several options
  compete zones fio --filename="$place/stream1" --direct=1 --rw=read --bs=16k --time_based --runtime=600 $zones_jobs
  window "$seconds"
  compete_end
  way_down
  read=$(rate stream1)
}

row_10t() {
  command -v sysbench > /dev/null || { echo "row $row: skipped: there is no sysbench"; return; }
  hard_disk
  disk_off
  together_file $((seconds * 63))
  disk_on
  threads fair 1
  one=$read
  for count in 1 3 5 7 9; do
    threads none "$count"
    native=$read
    if [ "$count" = 1 ]; then read=$one; else threads fair "$count"; fi
    holds "$count threads of sysbench: $read MB/s, of one thread ($one)" "$(over "$read" "$one")" 0.97
    holds "  of none natively ($native)" "$(over "$read" "$native")" 0.95
  done
}

row_10z() {
  hard_disk
  zones fair 1
  one=$read
  zones none 3
  native=$read
  zones fair 3
  holds "3 processes that share zones of a file: $read MB/s, of one ($one)" "$(over "$read" "$one")" 0.97
  holds "  of none natively ($native)" "$(over "$read" "$native")" 0.95
}

row_10() { row_10t; row_10z; }
