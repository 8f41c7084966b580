#!/bin/sh
# s1.sh [--quick] [--by cgroup|command|threads|ioweight] [--runs N] [--seconds N] [--pairs "10/90 ..."]
#
# Two programs read 4 KiB at random at depth 64 from a modelled ssd of 8 channels and 800 us, through fairfs. Each
# pair of weights must show in the ratio of their bandwidths and of the device time spent on their files, and the
# total must stay at that of sched=off, measured in turns.
#   cgroup     a cgroup each, weighed by rules            command    one cgroup, weighed by rules for their names
#   threads    grouping=process, no rules: 8 threads of depth 8 against 1 of depth 64, half and half
#   ioweight   a cgroup each, no rules: the weights are the kernel's own (io.weight, blkio.bfq.weight)
# Default: all four, 3 runs of 12 s, within 5 %, total >= 0.95. --quick: few short runs, within 20 %, total >= 0.80.
# Exits 1 if any single ratio or total is off, 77 where a modelled disk cannot be had.
set -eu

SCENARIO=s1
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

model=ssd:channels=8,read_us=800,write_us=800,mb_s=300
file_mb=256
ways='' runs=3 seconds=12 pairs='10/90 20/80 30/70 40/60 50/50' margin=5 total_least=95 quick=no pairs_given=no
failures=0

usage() {
  sed -n '2,12s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

parse() {
  while [ $# -gt 0 ]; do
    case $1 in
      --quick) quick=yes runs=1 seconds=6 margin=20 total_least=80 ;;
      --threads | --ioweight) ways="$ways ${1#--}" ;;
      --by | --runs | --seconds | --pairs)
        [ $# -ge 2 ] || usage
        case $1 in
          --by) ways="$ways $2" ;;
          --runs) runs=$2 ;;
          --seconds) seconds=$2 ;;
          --pairs) pairs=$2 pairs_given=yes ;;
        esac
        shift
        ;;
      *) usage ;;
    esac
    shift
  done
  [ "$seconds" -ge 5 ] || usage     # less leaves no second in which both certainly run
  for way in $ways; do
    case $way in cgroup | command | threads | ioweight) ;; *) usage ;; esac
  done
  [ -n "$ways" ] || ways='cgroup command threads ioweight'
}

# The pairs of weights that one way tries.
pairs_of() {
  case $1:$quick:$pairs_given in
    threads:*) echo 50/50 ;;
    *:*:yes) echo "$pairs" ;;
    cgroup:yes:no) echo 10/90 30/70 ;;
    ioweight:*:no | *:yes:no) echo 20/80 ;;
    *) echo "$pairs" ;;
  esac
}

prepare() {
  scenario_up "$model" 1024
  cgroups_up one two
  for name in one two; do
    dd if=/dev/zero of="$DISK_MOUNT/$name" bs=1M count="$file_mb" conv=fsync status=none
    disk_account_file "$name" "$DISK_MOUNT/$name"
    cp "$(command -v fio)" "$scenario_work/fio-$name"
  done
  disk_on
}

# rule KEY VALUE WEIGHT
rule() { printf '[[rule]]\n%s = "%s"\nweight = %s\n' "$1" "$2" "$3"; }

# The options of the fair mount for one way and pair; writes the rules it needs.
options() {
  weights=$scenario_work/weights.toml
  case $1 in
    cgroup) { rule cgroup "$cgroup_path/one" "$2"; rule cgroup "$cgroup_path/two" "$3"; } > "$weights" ;;
    command) { rule command fio-one "$2"; rule command fio-two "$3"; } > "$weights" ;;
  esac
  case $1 in
    cgroup | command) echo "weights=$weights" ;;
    threads) echo "grouping=process" ;;
    ioweight) echo "sched=fair" ;;
  esac
}

# Device time of one and of two so far, in ns.
device_times() { echo "$(disk_account one device_ns) $(disk_account two device_ns)"; }

# measure WAY OPTIONS: sets $measured to MiB/s of one, of two, seconds looked at, and the ratio of the disk's own times
# for two and one, between two moments at which both ran.
measure() {
  second_group=two first_shape='--iodepth=64'
  case $1 in
    command) second_group=one ;;
    threads) first_shape='--thread --numjobs=8 --iodepth=8' ;;
  esac
  fairfs_up "$2"
  # shellcheck disable=SC2086  # several options
  fio_start "$scenario_work/fio-one" one one "$seconds" $first_shape
  fio_start "$scenario_work/fio-two" "$second_group" two "$seconds" --iodepth=64 --thread
  sleep 2
  before=$(device_times)
  sleep $((seconds - 3))
  device=$(echo "$before $(device_times)" | awk '{ print ($4 - $2) / ($3 - $1) }')
  fio_wait
  fairfs_down
  measured="$(python3 "$scenario_root/tests/scenarios/bandwidth.py" "$scenario_work/one" "$scenario_work/two") $device"
}

# judge LABEL FIRST SECOND FAIR OFF: one line of the table; fails if the numbers are not good enough.
judge() {
  echo "$4 $5" | awk -v label="$1" -v wanted="$(echo "$2 $3" | awk '{ print $2 / $1 }')" -v margin="$margin" \
    -v least="$total_least" '
    function error(ratio) { return (ratio / wanted - 1) * 100 }
    function within(percent) { return percent <= margin && percent >= -margin }
    {
      total = ($1 + $2) / ($5 + $6) * 100
      good = within(error($2 / $1)) && within(error($4)) && total >= least
      printf "%-22s %7.2f %8.2f %+7.1f%% %8.2f %+7.1f%% %8.2f %9.2f %7.0f%%  %s\n", label, wanted, $2 / $1,
        error($2 / $1), $4, error($4), $1 + $2, $5 + $6, total, good ? "ok" : "OFF"
      exit !good
    }'
}

try_pair() {
  way=$1 first=${2%/*} second=${2#*/}
  if [ "$way" = ioweight ]; then
    if ! cgroup_weight one "$first" || ! cgroup_weight two "$second"; then
      echo "ioweight: skipped: this kernel offers no weight for a cgroup"
      return
    fi
  fi
  measure "$way" sched=off
  off=$measured
  measure "$way" "$(options "$way" "$first" "$second")"
  judge "$way $2 run $run" "$first" "$second" "$measured" "$off" || failures=$((failures + 1))
}

parse "$@"
prepare
printf '%-22s %7s %8s %8s %8s %8s %8s %9s %8s\n' '' wanted ratio error device error MiB/s 'off MiB/s' 'of off'
for way in $ways; do
  for pair in $(pairs_of "$way"); do
    run=1
    while [ "$run" -le "$runs" ]; do
      try_pair "$way" "$pair"
      run=$((run + 1))
    done
  done
done
[ "$failures" = 0 ] || echo "$failures measurements are off by more than $margin % or below $total_least % of sched=off"
[ "$failures" = 0 ]
