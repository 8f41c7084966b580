#!/bin/sh
# rows.sh [--quick] [--seconds N] [ROW]...: the rows of the table of workloads that the scheduler must win
# (tests/rows/rows_test.cc has them in the simulator), here on real mounts over modelled disks. Each number is set
# against one of the same run, and bytes and device time are those that the disk accounts.
#   1 2 3   eight streams, without and with 1 ms of thinking: a hard disk (1, 2), a raid-0 of four (3)
#   4 6 9   s0.sh, s1.sh, s3.sh                 5    an ssd, against sched=off and passthrough_hp (5s, 5r)
#   7       unequal work, equal device time (7h, 7s)
#   8       weights of two streams on a hard disk (8d direct, 8b buffered)
#   10      threads (10t) and processes (10z) that read one file together
#   11      a program starts beside ten readers (11h on a hard disk, 11s on an ssd)
#   12      a backup of class idle (12h, 12s)   13   metadata.sh
#   14      floors, ceilings and a latency on an ssd
# Default: all that have no script of their own, for 20 s each (about 25 minutes); --quick: 8 s. PASSTHROUGH_HP names
# the rival program of row 5. On a machine that does nothing else: a reader that the processors keep waiting gets less.
# Prints "row N: what number, wanted, ok or FAILED"; exits 1 if any failed, 77 where a modelled disk cannot be had.
set -eu

SCENARIO=rows
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=contest.sh
. "$here/contest.sh"
# shellcheck source-path=SCRIPTDIR source=workloads.sh
. "$here/workloads.sh"

seconds=20 failures=0 row='' rows=''

# holds WHAT NUMBER LEAST [MOST]
holds() {
  if awk -v number="$2" -v least="$3" -v most="${4:-}" \
    'BEGIN { exit !(number != "" && least != "" && number >= least && (most == "" || number <= most)) }'; then
    echo "row $row: $1 $2, wanted $3${4:+ to $4}: ok"
  else
    echo "row $row: $1 $2, wanted $3${4:+ to $4}: FAILED"
    failures=$((failures + 1))
  fi
}

# other SCRIPT [ARGUMENT]...: a row that has a script of its own.
other() {
  other_script=$1
  shift
  if "$here/$other_script" "$@"; then
    echo "row $row: $other_script: ok"
  else
    echo "row $row: $other_script: FAILED"
    failures=$((failures + 1))
  fi
}

disk_cleanup() {
  flash_down
  # shellcheck disable=SC2086  # one word for each process
  [ -z "$fio_pids" ] || { kill $fio_pids && wait $fio_pids; } 2> /dev/null || true
  fairfs_down || true
  cgroups_down || true
  disk_down
  [ -z "$scenario_work" ] || rm -rf --one-file-system "$scenario_work"
}

for part in "$here"/rows/*.sh; do
  # shellcheck source=/dev/null
  . "$part"
done
row_4() { other s0.sh; }
row_6() { other s1.sh --seconds "$seconds"; }
row_9() { other s3.sh; }
row_13() { other metadata.sh; }

while [ $# -gt 0 ]; do
  case $1 in
    --quick) seconds=8 ;;
    --seconds) seconds=${2:-}; shift ;;
    [1-9] | 1[0-4] | 5[sr] | 7[hs] | 8[db] | 10[tz] | 11[hs] | 12[hs]) rows="$rows $1" ;;
    *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
  esac
  shift
done
# In the order of the disks that they need.
: "${rows:=1 2 8 7h 10 11h 12h 12s 5 11s 14 7s 3}"
scenario_begin
for row in $rows; do "row_$row"; done
[ "$failures" = 0 ] || echo "$failures FAILED"
[ "$failures" = 0 ]
