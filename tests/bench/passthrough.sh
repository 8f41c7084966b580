#!/usr/bin/env bash
# Races ways to one directory of a real disk, in alternating rounds: native, one or more rival passthrough mounts,
# fairfs with sched=fair, fairfs with sched=off. Prints medians, spread and the ratios to the best rival of each row.
#
#   tests/bench/passthrough.sh --against COMMAND|DIRECTORY [--against …] [--dir DIRECTORY] [--rounds N]
#                              [--rows ROW,...] [--seconds S] [--size MEGABYTES]
#
#   --against  COMMAND with {src} and {mnt} in it, staying in the foreground. The same command given twice shows how
#              far a rival is from itself, which is the tolerance of the row. Or the DIRECTORY in which the example
#              passthrough_hp of libfuse stands: its default twice, and once with --nocache, all with --nopassthrough
#   --dir      where to work: a directory of the disk in question (default /var/tmp)
#   --rounds   default 7; each round runs every contender once, in another order
#   --seconds  how long each row that is measured by time runs (default 4)
#   --size     of the file that is read (default 1024)
#   --rows     which rows (default all):
#     seq-cold     sequential read, 1 MiB, nothing cached (MB/s)
#     seq-again    the same again: fio drops the mount's own cache first, the backing one stays (MB/s)
#     seq-kept     and again, the mount's own pages left alone: what survives a re-open (MB/s)
#     rand         4 KiB random read, buffered, depth 1, nothing cached (1/s)
#     rand-8       the same by 8 threads (1/s)
#     rand-mmap    4 KiB random read through a mapping, nothing cached (1/s)
#     rand-direct  4 KiB random read, O_DIRECT, libaio depth 32 (1/s)
#     write        sequential write of 256 MiB, 1 MiB each, and one fsync (MB/s)
#     write-4k     sequential buffered write, 4 KiB each, no fsync (1/s)
#     write-direct 4 KiB random write, O_DIRECT, libaio depth 32, file written before (1/s)
#     fsync        4 KiB write and fsync, again and again (1/s)
#     create       18,000 new empty files in a new directory (1/s)
#     stat         list 18,000 files in 20 directories with their attributes, nothing cached (1/s)
#     tar          extract 3,000 files of 8 KiB in 60 directories, sync not included (files/s)
#     git          git status of a work tree of 18,000 files, nothing cached (files/s)
#
# FAIRFS names the program (default build/bin/fairfs). Needs root. Run it on an otherwise idle machine.
#
# Files written are all left until the very end and each contender writes into directories of its own: ext4 skips
# inodes deleted lately, so deleting under way would handicap everybody after the first. For the same reason wait a
# minute between two runs.
set -u -o pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
readonly here
readonly all_rows=seq-cold,seq-again,seq-kept,rand,rand-8,rand-mmap,rand-direct,\
write,write-4k,write-direct,fsync,create,stat,tar,git
program=$(realpath -m "${FAIRFS:-$here/../../build/bin/fairfs}")
against=() directory=/var/tmp rounds=7 rows=$all_rows seconds=4 size=1024
usage() { sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"; exit 2; }
while (($#)); do
  case $1 in
    --against) against+=("${2:-}"); shift ;;
    --dir) directory=${2:-}; shift ;;
    --rounds) rounds=${2:-}; shift ;;
    --rows) rows=${2:-}; shift ;;
    --seconds) seconds=${2:-}; shift ;;
    --size) size=${2:-}; shift ;;
    *) usage ;;
  esac
  shift || usage
done
((${#against[@]})) || usage
rivals=()
for rival in "${against[@]}"; do
  if [ -d "$rival" ]; then
    plain="$(realpath "$rival")/passthrough_hp --nopassthrough --foreground {src} {mnt}"
    rivals+=("$plain" "$plain" "${plain/ --foreground/ --nocache --foreground}")
  else
    case $rival in *{src}*{mnt}*) ;; *) echo "--against needs {src} and {mnt}: $rival" >&2; exit 2 ;; esac
    rivals+=("$rival")
  fi
done
for row in ${rows//,/ }; do
  case ,$all_rows, in *,$row,*) ;; *) echo "no such row: $row" >&2; exit 2 ;; esac
done
[ "$(id -u)" -eq 0 ] || { echo "needs root: mounts, and drops the kernel's caches"; exit 77; }
[ -w /dev/fuse ] || { echo "no /dev/fuse here"; exit 77; }
for tool in fio python3 tar git; do command -v "$tool" >/dev/null || { echo "needs $tool"; exit 77; }; done
[ -x "$program" ] || { echo "no program at $program" >&2; exit 1; }

# passthrough_hp keeps a descriptor for each file it knows, and a root without CAP_SYS_RESOURCE can't raise the limit.
readonly files=18000 folders=20
ulimit -n "$(ulimit -Hn)"
(($(ulimit -n) > files + 1000)) || { echo "needs ulimit -n $((files + 1000)) for the rival"; exit 77; }

. "$here/place.sh"
take_place "$directory" race
readonly results=$work/results

drop_caches() { echo 3 >/proc/sys/vm/drop_caches; }

# run_fio FIELD NAME OPTION...: prints FIELD (bw_bytes in MB/s, iops) of the direction that moved data. Has a time
# limit of its own, so that a mount that hangs costs one row and not the run.
run_fio() {
  local field=$1 name=$2
  shift 2
  timeout -k 5 $((seconds * 4 + 60)) fio --name="$name" --output-format=json --thread --randrepeat=0 "$@" 2>/dev/null |
    python3 -c '
import json, sys
text = sys.stdin.read()
job = json.loads(text[text.index("{"):])["jobs"][0]
if job["error"]: sys.exit("fio: error %d" % job["error"])
side = max(job["read"], job["write"], key=lambda side: side["io_bytes"])
print(side["bw_bytes"] / 1e6 if sys.argv[1] == "bw" else side["iops"])' "$field"
}

# rate COUNT COMMAND...: COUNT divided by the seconds that COMMAND takes.
rate() {
  local count=$1 begin=$EPOCHREALTIME
  shift
  timeout 120 "$@" >/dev/null || return
  awk -v count="$count" -v begin="$begin" -v end="$EPOCHREALTIME" 'BEGIN { print count / (end - begin) }'
}

# measure ROW ROOT FRESH: prints the row's number, seen through ROOT; FRESH is a new directory there.
measure() {
  local data=$2/data fresh=$3
  sync -f "$source"  # what the row before left dirty is not this row's work
  echo 2 >/proc/sys/vm/drop_caches  # nor the files that a mount still knows
  case $1 in
    seq-cold) drop_caches; run_fio bw read --filename="$data" --rw=read --bs=1M ;;
    seq-again) run_fio bw read --filename="$data" --rw=read --bs=1M ;;
    seq-kept) run_fio bw read --filename="$data" --rw=read --bs=1M --invalidate=0 ;;
    rand) drop_caches; run_fio iops read --filename="$data" --rw=randread --bs=4k --time_based --runtime="$seconds" ;;
    rand-8)
      drop_caches
      run_fio iops read --filename="$data" --rw=randread --bs=4k --numjobs=8 --group_reporting --time_based \
        --runtime="$seconds" ;;
    rand-mmap)
      drop_caches
      run_fio iops read --filename="$data" --rw=randread --bs=4k --ioengine=mmap --time_based --runtime="$seconds" ;;
    rand-direct)
      drop_caches
      run_fio iops read --filename="$data" --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=32 \
        --time_based --runtime="$seconds" ;;
    write) run_fio bw write --filename="$fresh/written" --rw=write --bs=1M --size=256M --end_fsync=1 ;;
    write-4k) run_fio iops write --filename="$fresh/small" --rw=write --bs=4k --size=128M ;;
    write-direct)
      run_fio iops write --filename="$data" --rw=randwrite --bs=4k --direct=1 --ioengine=libaio --iodepth=32 \
        --time_based --runtime="$seconds" ;;
    fsync)
      run_fio iops write --filename="$fresh/synced" --rw=write --bs=4k --size=16M --fsync=1 --time_based \
        --runtime="$seconds" ;;
    create) timeout 120 python3 "$here/metadata.py" create "$fresh/created" "$files" ;;
    stat) drop_caches; timeout 120 python3 "$here/metadata.py" stat "$2/tree" ;;
    tar) rate 3000 tar -xf "$source/archive.tar" -C "$fresh" ;;
    git) drop_caches; rate "$files" git -C "$2/tree" -c safe.directory='*' status --porcelain ;;
  esac
}

# compete CONTENDER ROUND: mounts, measures every row, unmounts.
compete() {
  local root=$mount fresh row value command
  case $1 in
    native) root=$source ;;
    rival*)
      command=${rivals[${1#rival} - 1]}
      command=${command//\{src\}/$source}
      start_mount "$mount" "$work/log" bash -c "exec ${command//\{mnt\}/$mount}" || return ;;
    fair | off) start_mount "$mount" "$work/log" "$program" "$source" "$mount" -f -o "sched=$1" || return ;;
  esac
  fresh=$root/new/$2-$1
  mkdir -p "$fresh"
  for row in ${rows//,/ }; do
    if value=$(measure "$row" "$root" "$fresh"); then
      printf '%s\t%s\t%s\t%s\n' "$2" "$1" "$row" "$value" >>"$results"
    else
      echo "round $2: no result of $1 on $row" >&2
    fi
  done
  stop_mount
}

fio --name=prepare --filename="$source/data" --rw=write --bs=1M --size="${size}M" --end_fsync=1 --thread >/dev/null ||
  exit 1
python3 "$here/metadata.py" make "$source/tree" "$folders" $((files / folders))
python3 "$here/metadata.py" fill "$work/unpacked" 60 50 8192
tar -cf "$source/archive.tar" -C "$work" unpacked && rm -rf "$work/unpacked"
git -C "$source/tree" init -q && git -C "$source/tree" add .
sync -f "$source"
contenders=(native)
for ((i = 1; i <= ${#rivals[@]}; ++i)); do
  contenders+=("rival$i")
  echo "rival$i: ${rivals[i - 1]}"
done
contenders+=(fair off)
for ((round = 1; round <= rounds; ++round)); do
  # Shuffled, not rotated: what a contender gets depends on whom it follows.
  for contender in $(printf '%s\n' "${contenders[@]}" | shuf --random-source=<(yes "$round")); do
    compete "$contender" "$round"
  done
  echo "round $round of $rounds done" >&2
done
[ -s "$results" ] || { echo "nothing measured" >&2; exit 1; }
python3 "$here/race_table.py" "$results" "$rows" "${rivals[@]}"
