# shellcheck shell=sh disable=SC2154  # what lib.sh and rows.sh set
# Rows 1 to 3: eight programs, each reads a file of its own in order.

# streams WAY COUNT THINK_US: sets $total, and $least and $most of a program in parts of the mean.
streams() {
  way_up "$1"
  streams_all=$(seq -f 'stream%.0f' "$2")
  for stream in $streams_all; do reader "$stream" --thinktime="$3"; done
  window "$seconds"
  compete_end
  way_down
  # shellcheck disable=SC2086  # several names
  total=$(rate $streams_all)
  # shellcheck disable=SC2046  # two words
  set -- $(for stream in $streams_all; do over "$(rate "$stream")" "$total" && echo; done | sort -n |
    awk -v count="$2" 'NR == 1 { least = $1 } END { print least * count, $1 * count }')
  least=$1 most=$2
}

eight_on_a_hard_disk() {
  hard_disk
  streams fair 1 "$1"
  alone=$total
  streams fair 8 "$1"
  holds "eight streams with $1 us of thinking: total $total MB/s, of one alone ($alone)" \
    "$(over "$total" "$alone")" 0.85
  holds "  least and most of one, in eighths: least" "$least" 0.9
  holds "  most" "$most" 0 1.1
}

# One for all rows, so that they share what the probe says and the files.
hard_disk() { contest_disk hdd 20480; stream_files; }
stream_files() { for stream in 1 2 3 4 5 6 7 8 9 10; do contest_file "stream$stream" 256; done; }

row_1() { eight_on_a_hard_disk 0; }
row_2() { eight_on_a_hard_disk 1000; }

row_3() {
  contest_disk raid0:4 4096
  stream_files
  for think in 0 1000; do
    streams fair 1 "$think"
    alone=$total
    streams off 8 "$think"
    off=$total
    streams fair 8 "$think"
    wanted=$(awk -v off="$off" -v alone="$alone" \
      'BEGIN { best = 0.95 * off; if (best < 0.85 * alone) best = 0.85 * alone; print best }')
    holds "eight streams with $think us of thinking, one alone $alone, eight with sched=off $off MB/s: total" \
      "$total" "$wanted"
  done
}
