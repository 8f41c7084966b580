#!/bin/sh
# s4-threads.sh [--quick | --seconds N] [--svg FILE]: are threads that read one file together one stream?
#
# "CFQ and sysbench seqrd", 2009: threads share one position in a file, so their requests follow one another, but CFQ
# treated them as strangers, and waited for each in turn. `sysbench fileio --file-test-mode=seqrd`, 1 to 9 threads.
# MB/s, higher is better; wanted: what one thread gets from scheduler none. Disk: a hard disk.
set -eu

# shellcheck disable=SC2034  # lib.sh reads them
title='S4: threads that read one file, MB/s' seconds=6 quick_seconds=2
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
needs sysbench sysbench

contest_disk hdd 8192
disk_off
together_file $((seconds * 128))
disk_on

table
wanted=''
for threads in 1 3 5 7 9; do
  measure sysbench_read "$threads" "$seconds"
  : "${wanted:=$(cat "$scenario_work/measured-none")}"
  show 1 "$threads threads" "$wanted"
done
chart
