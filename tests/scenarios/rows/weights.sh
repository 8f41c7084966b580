# shellcheck shell=sh disable=SC2154  # what lib.sh and rows.sh set
# Row 8: two streams of unequal weight share the bytes of a hard disk.

# weighed OPTIONS... : two readers of each pair of weights; sets nothing, says what holds.
weighed() {
  hard_disk
  # Nothing is read twice: a buffered reader would find it in memory.
  for name in first second; do contest_file "$name" $(((seconds + 6) * 118)); done
  forget
  way_up fair
  reader first "$@"
  window "$seconds"
  alone=$(rate first)
  compete_end
  way_down
  for pair in 10/90 20/80 30/70 40/60 50/50; do
    weigh "first=${pair%/*}" "second=${pair#*/}"
    forget
    way_up "fair,weights=$contest_weights"
    reader first "$@"
    reader second "$@"
    window "$seconds"
    compete_end
    way_down
    ratio=$(over "$(rate second)" "$(rate first)")
    error=$(awk -v ratio="$ratio" -v pair="$pair" 'BEGIN { split(pair, w, "/"); printf "%.3f", ratio * w[1] / w[2] }')
    holds "$* weights $pair: ratio $ratio, of what it should be" "$error" 0.95 1.05
    holds "  total, of one alone ($alone MB/s)" "$(over "$(rate first second)" "$alone")" 0.8
  done
}

row_8d() { weighed --direct=1; }
row_8b() { weighed --direct=0; }
row_8() { row_8d; row_8b; }
