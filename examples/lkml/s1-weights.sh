#!/bin/sh
# s1-weights.sh [--quick | --seconds N] [--svg FILE]: do weights hold, and what do they cost?
#
# "BFQ: weights of cgroups", 2022: two cgroups, each reads 4 KiB at random at depth 64. The ratio of what they get
# should be that of their weights, and the total what the disk gives without weights. BFQ has the weights as
# io.bfq.weight, fairfs as rules; none and mq-deadline know nothing of them.
# Disk: flash of 8 channels and 800 us, 10,000 reads a second (41 MB/s).
set -eu

# shellcheck disable=SC2034  # lib.sh reads them
title='S1: two cgroups, ratio and total' seconds=8 quick_seconds=5
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

contest_disk ssd:channels=8,read_us=800,write_us=800,mb_s=300 4096
cgroups_up one two
for name in one two; do contest_file "$name" 256; done
# shellcheck disable=SC2034
fair_options=,weights=$scenario_work/weights.toml

# weigh GROUP WEIGHT: for BFQ, where there is such a file, and for fairfs.
weigh() {
  for file in io.bfq.weight blkio.bfq.weight; do
    [ ! -f "$cgroup_top/$1/$file" ] || echo "$2" > "$cgroup_top/$1/$file"
  done
  printf '[[rule]]\ncgroup = "%s/%s"\nweight = %s\n' "$cgroup_path" "$1" "$2" >> "$scenario_work/weights.toml"
}

# Prints the ratio and the total in MB/s, over the time in which both read.
compete_by_weight() {
  for name in one two; do
    reader "$name" --rw=randread --bs=4k --norandommap --ioengine=libaio --iodepth=64
    echo "${fio_pids##* }" > "$cgroup_top/$name/cgroup.procs"
  done
  window "$seconds"
  compete_end
  over "$(rate two)" "$(rate one)"
  printf ' %.1f\n' "$(rate one two)"
}

table
for pair in 10/90 30/70 50/50; do
  rm -f "$scenario_work/weights.toml"
  weigh one "${pair%/*}"
  weigh two "${pair#*/}"
  measure compete_by_weight
  show 1 "weights $pair: ratio" "$(over "${pair#*/}" "${pair%/*}")"
  show 2 '  total, MB/s' "$(cut -d' ' -f2 "$scenario_work/measured-none")"
done
chart
