#!/usr/bin/env bash
# What fairness costs in processor time: the daemon's own, user and kernel, for each request with sched=fair and with
# sched=off, in alternating rounds of one run. Medians and their ratio.
#
#   tests/bench/cost.sh [--dir DIRECTORY] [--rounds N] [--seconds S]      defaults: /var/tmp, 7, 2
#
# Instructions would be the better measure; virtual machines often have no counter of them (perf stat -e instructions).
# instructions.sh counts the daemon's own without one.
# FAIRFS names the program (default build/bin/fairfs). Needs root. Run it on an otherwise idle machine.
set -u -o pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
readonly here
program=$(realpath -m "${FAIRFS:-$here/../../build/bin/fairfs}")
directory=/var/tmp rounds=7 seconds=2
while (($#)); do
  case $1 in
    --dir) directory=${2:-} ;;
    --rounds) rounds=${2:-} ;;
    --seconds) seconds=${2:-} ;;
    *) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"; exit 2 ;;
  esac
  shift 2 || exit 2
done
[ "$(id -u)" -eq 0 ] || { echo "needs root: mounts"; exit 77; }
for tool in fio python3; do command -v "$tool" >/dev/null || { echo "needs $tool"; exit 77; }; done

. "$here/place.sh"
take_place "$directory" cost
readonly results=$work/results

# Nanoseconds on a processor of all the daemon's threads so far; none of them ends while it is mounted.
processor_ns() { cat /proc/"$mount_daemon"/task/*/schedstat | awk '{ sum += $1 } END { printf "%.0f\n", sum }'; }

# measure POLICY ROW FIO-OPTION...
measure() {
  local policy=$1 row=$2 before after requests
  shift 2
  before=$(processor_ns)
  requests=$(timeout 60 fio --name=row --filename="$mount/data" --size=256M --bs=4k --thread --time_based \
    --runtime="$seconds" --randrepeat=0 --invalidate=0 --output-format=json "$@" 2>/dev/null |
    python3 -c '
import json, sys
text = sys.stdin.read()
job = json.loads(text[text.index("{"):])["jobs"][0]
print(job["read"]["total_ios"] + job["write"]["total_ios"])')
  after=$(processor_ns)
  [ "${requests:-0}" -gt 0 ] && echo "$policy $row $(((after - before) / requests))" >>"$results"
}

fio --name=data --filename="$source/data" --rw=write --bs=1M --size=256M --end_fsync=1 --thread >/dev/null || exit 1
for ((round = 1; round <= rounds; ++round)); do
  for policy in $( ((round % 2)) && echo fair off || echo off fair); do
    start_mount "$mount" "$work/log" "$program" "$source" "$mount" -f -o "sched=$policy" || exit 1
    measure "$policy" direct-1 --rw=randread --direct=1
    measure "$policy" direct-32 --rw=randread --direct=1 --ioengine=libaio --iodepth=32
    measure "$policy" write-32 --rw=randwrite --direct=1 --ioengine=libaio --iodepth=32
    measure "$policy" fsync --rw=write --fsync=1
    stop_mount
  done
done
python3 - "$results" <<'END'
import collections, statistics, sys
times = collections.defaultdict(list)
for line in open(sys.argv[1]):
    policy, row, time = line.split()
    times[row, policy].append(int(time) / 1000)
print(f"{'microseconds a request':24}{'fair':>24}{'off':>24}{'fair/off':>10}")
for row in dict.fromkeys(row for row, _ in times):
    shown = []
    for policy in ("fair", "off"):
        all_of_it = times[row, policy]
        shown.append(f"{statistics.median(all_of_it):.2f} ({min(all_of_it):.2f}-{max(all_of_it):.2f})")
    ratio = statistics.median(times[row, "fair"]) / statistics.median(times[row, "off"])
    print(f"{row:24}{shown[0]:>24}{shown[1]:>24}{ratio:10.3f}")
END
