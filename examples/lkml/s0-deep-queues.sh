#!/bin/sh
# s0-deep-queues.sh [--quick | --seconds N] [--svg FILE]: must the disk be held for a stream that comes back?
#
# "CFQ and deep queues", 2011: on one slow disk a scheduler has to wait for the next request of a stream, on a striped
# array with a cache it must not, and CFQ could not tell which it had. Eight programs write 4 KiB O_DIRECT in order,
# each to four files in turn, plain and with 1 ms of thinking after each four. Nobody sets a knob: the probe decides.
# MB/s of all eight, higher is better; wanted: one program alone on the hard disk, scheduler none on the array.
set -eu

# shellcheck disable=SC2034  # lib.sh reads them
title='S0: eight aio-stress, MB/s' seconds=4 quick_seconds=2
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# Of one program, through fairfs.
alone() {
  way_up fair
  alone=$(aio_stress 1 "$1" "$seconds")
  way_down
}

rows() { # NAME
  for think in 0 1000; do
    measure aio_stress 8 "$think" "$seconds"
    wanted=$(cat "$scenario_work/measured-none")
    [ "$1" != 'hard disk' ] || { alone "$think" && wanted=$alone; }
    show 1 "$1$([ "$think" = 0 ] || echo ', 1 ms of thinking')" "$wanted"
  done
}

table
contest_disk hdd 4096
aio_stress_files
rows 'hard disk'
contest_disk raid0:4,cache_mb=256,battery=1 4096
aio_stress_files
rows 'raid-0 of 4, 256 MB cache'
chart
