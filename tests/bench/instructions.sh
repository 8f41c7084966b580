#!/usr/bin/env bash
# How many instructions of its own the daemon needs for a request of 4 KiB, with sched=fair and with sched=off: counted
# by callgrind, which needs no counter of the processor's. Two runs each, whose difference leaves the start out. What
# the kernel does for the request isn't counted; cost.sh has the time of both.
#
#   tests/bench/instructions.sh [--dir DIRECTORY]      default: /var/tmp
#
# FAIRFS names the program (default build/bin/fairfs). Needs root, valgrind, fio and a C compiler. Reads differ by a
# fiftieth from run to run, writes at depth 32 by a tenth: threads meet differently.
set -u -o pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
readonly here
program=$(realpath -m "${FAIRFS:-$here/../../build/bin/fairfs}")
directory=/var/tmp
if [ "${1:-}" = --dir ] && (($# == 2)); then
  directory=$2
elif (($#)); then
  sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"
  exit 2
fi
[ "$(id -u)" -eq 0 ] || { echo "needs root: mounts"; exit 77; }
for tool in valgrind fio cc; do command -v "$tool" >/dev/null || { echo "needs $tool"; exit 77; }; done

. "$here/place.sh"
take_place "$directory" instructions

# Valgrind lets no other thread run during statfs(2), and the daemon asks its own mount once, to see that it answers.
cat >"$work/statvfs.c" <<'END'
#include <errno.h>
#include <sys/statvfs.h>
static int no_access(void) { errno = EACCES; return -1; }
int statvfs(const char* path, struct statvfs* found) { (void)path; (void)found; return no_access(); }
int statvfs64(const char* path, struct statvfs64* found) { (void)path; (void)found; return no_access(); }
END
cc -D_GNU_SOURCE -shared -fPIC -o "$work/statvfs.so" "$work/statvfs.c" || exit 1

# count POLICY REQUESTS FIO-OPTION...: $counted, the instructions of the whole daemon, start and end included.
count() {
  local policy=$1 requests=$2
  shift 2
  start_mount "$mount" "$work/log" env LD_PRELOAD="$work/statvfs.so" valgrind --tool=callgrind \
    --callgrind-out-file=/dev/null "$program" "$source" "$mount" -f -o "sched=$policy,probe=$work/profile" || exit 1
  timeout 120 fio --name=row --filename="$mount/data" --size=64M --bs=4k --thread --number_ios="$requests" \
    "$@" >"$work/fio" 2>&1 || { cat "$work/fio" >&2; exit 1; }
  stop_mount
  counted=$(awk '/Collected/ { all = $NF } END { print all }' "$work/log")  # the last is the daemon, after its children
  [ -n "$counted" ] || { cat "$work/log" >&2; exit 1; }
}

few=2000 many=12000  # requests of the two runs

# row NAME FIO-OPTION...
row() {
  local name=$1 policy counted first
  local -A each
  shift
  for policy in fair off; do
    count "$policy" "$few" "$@"
    first=$counted
    count "$policy" "$many" "$@"
    each[$policy]=$(((counted - first) / (many - few)))
  done
  printf '%-24s%10d%10d%10d\n' "$name" "${each[fair]}" "${each[off]}" $((each[fair] - each[off]))
}

fio --name=data --filename="$source/data" --rw=write --bs=1M --size=64M --end_fsync=1 --thread >/dev/null || exit 1
"$program" --probe-only "$source" >"$work/profile" || exit 1
printf '%-24s%10s%10s%10s\n' "instructions a request" fair off more
row "direct read, depth 1" --rw=randread --direct=1
row "direct read, depth 32" --rw=randread --direct=1 --ioengine=libaio --iodepth=32
row "direct write, depth 32" --rw=randwrite --direct=1 --ioengine=libaio --iodepth=32
row "buffered write" --rw=randwrite --invalidate=0
row "2,000 and one fsync" --rw=randwrite --invalidate=0 --fsync=2000
few=500 many=2500 row "write and fsync" --rw=randwrite --invalidate=0 --fsync=1
