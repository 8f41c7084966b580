# shellcheck shell=sh disable=SC2154  # what tests/scenarios/lib.sh and contest.sh set
# What the five scripts share: a modelled disk, the kernel's schedulers and fairfs in turn on it, the table, the chart.
# They set `title`, the usual `seconds` of a measurement and those of --quick, and source this with their arguments.

# shellcheck disable=SC2034  # tests/scenarios/lib.sh names its directory by it
SCENARIO=lkml
scenario_root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd)
# shellcheck source-path=SCRIPTDIR source=../../tests/scenarios/lib.sh
. "$scenario_root/tests/scenarios/lib.sh"
# shellcheck source-path=SCRIPTDIR source=../../tests/scenarios/contest.sh
. "$scenario_root/tests/scenarios/contest.sh"
# shellcheck source-path=SCRIPTDIR source=../../tests/scenarios/workloads.sh
. "$scenario_root/tests/scenarios/workloads.sh"

# bfq-strict is BFQ with low_latency=0: without its favours for programs that start.
ways='none mq-deadline bfq bfq-strict fairfs'
fair_options='' svg=''

usage() {
  sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    --quick) seconds=$quick_seconds ;;
    --seconds) seconds=${2:-}; shift ;;
    --svg) svg=${2:-}; shift ;;
    *) usage ;;
  esac
  shift || usage
done
[ "$seconds" -ge 1 ] 2> /dev/null || usage
: "${svg:=$(basename "$0" .sh).svg}"
: 2> /dev/null >> "$svg" || { echo "cannot write $svg: name another file with --svg" >&2; exit 1; }
[ -x "$DISKEMU" ] || scenario_skip "there is no modelled disk at $DISKEMU: build all (examples/demo.sh), or set DISKEMU"
scenario_begin

# needs COMMAND PACKAGE
needs() { command -v "$1" > /dev/null || scenario_skip "there is no $1: apt-get install $2"; }

# table: begins the table and the chart's data.
table() {
  printf '\t' > "$scenario_work/table"
  printf '%-38s %8s' "$title" wanted
  for way in $ways; do
    name=$way
    [ "$way" != bfq-strict ] || name='bfq*'
    printf ' %11s' "$name"
    [ "$way" != bfq-strict ] || name='bfq low_latency=0'
    printf '\t%s' "$name" >> "$scenario_work/table"
  done
  printf '\n'
  echo >> "$scenario_work/table"
}

# measure COMMAND...: runs it in each way, in $place; what it prints is kept for show.
measure() {
  for way in $ways; do
    forget
    : > "$scenario_work/measured-$way"
    used=$way
    [ "$way" != fairfs ] || used=fair$fair_options
    way_up "$used" || continue      # a kernel without this scheduler
    "$@" > "$scenario_work/measured-$way"
    way_down
  done
}

# rounded NUMBER: to three digits.
rounded() {
  awk -v n="$1" 'BEGIN { if (n != "") printf n < 0.1 ? "%.3f" : n < 10 ? "%.2f" : n < 100 ? "%.1f" : "%.0f", n }'
}

# show N LABEL [WANTED]: a line of the table from the N-th number that each measurement printed.
show() {
  wanted_here=$(rounded "${3:-}")
  printf '%-38s %8s' "$2" "$wanted_here"
  printf '%s\t%s' "$2" "$wanted_here" >> "$scenario_work/table"
  for way in $ways; do
    number=$(rounded "$(awk -v column="$1" 'NR == 1 { print $column }' "$scenario_work/measured-$way")")
    printf ' %11s' "${number:--}"
    printf '\t%s' "${number:--}" >> "$scenario_work/table"
  done
  printf '\n'
  echo >> "$scenario_work/table"
}

# chart: draws what was shown.
chart() {
  python3 "$scenario_root/examples/lkml/chart.py" "$title" < "$scenario_work/table" > "$svg"
  echo "drawn: $svg"
}
