# shellcheck shell=sh disable=SC2154  # what lib.sh and rows.sh set
# Row 10: threads, or processes, that read one file together are one stream.

# threads WAY COUNT: sets $read, the MB/s that so many threads of sysbench read, which share one position in the file.
threads() {
  forget
  way_up "$1"
  read=$(sysbench_read "$2" $((seconds / 2)))
  way_down
}

# zones WAY COUNT: the same of so many processes, of which each reads its own of COUNT neighbouring pieces in turn.
zones() {
  way_up "$1"
  for zone in $(seq 0 $(($2 - 1))); do
    strided="--zonemode=strided --zonerange=16k --zonesize=16k --zoneskip=$((($2 - 1) * 16))k --offset=$((zone * 16))k"
    [ "$2" -gt 1 ] || strided=''
    # shellcheck disable=SC2086  # several options
    reader "zone$zone=stream1" --bs=16k $strided
  done
  window "$seconds"
  compete_end
  way_down
  read=$(rate stream1)
}

row_10() {
  command -v sysbench > /dev/null || { echo "row 10: skipped: there is no sysbench"; return; }
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
  zones fair 1
  one=$read
  zones none 3
  native=$read
  zones fair 3
  holds "3 processes that share zones of a file: $read MB/s, of one ($one)" "$(over "$read" "$one")" 0.97
  holds "  of none natively ($native)" "$(over "$read" "$native")" 0.95
}
