# shellcheck shell=sh disable=SC2154  # what lib.sh and rows.sh set
# Row 11: a program starts, cold, beside ten streams.

# starts WAY READERS: sets $took, the seconds that it takes to start.
starts() {
  forget
  way_up "$1" || { took=''; return; }
  for number in $(seq "$2"); do reader "stream$number"; done
  [ "$2" = 0 ] || sleep 5
  took=$(python3 "$here/start_up.py" "$place/program" 20 25)
  [ "$2" = 0 ] || compete_end
  way_down
}

# start_beside MOST: at most so many times as long as with the disk to itself, natively.
start_beside() {
  contest_file program 512
  starts none 0
  idle=$took
  starts fair 0
  echo "row $row: a program starts in $idle s on the idle disk, $took under fairfs"
  for way in none mq-deadline bfq; do
    starts "$way" 10
    echo "row $row:   beside ten streams, $way: ${took:-there is no such scheduler} s"
  done
  starts fair 10
  holds "  beside ten streams, fairfs: $took s, in times of idle" "$(over "${took#>}" "$idle")" 0 "$1"
}

row_11h() { hard_disk; start_beside 3; }
row_11s() { contest_disk ssd 12288; stream_files; start_beside 1.3; }
row_11() { row_11h; row_11s; }
