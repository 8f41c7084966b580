#!/bin/sh
# probe.sh [--quick] [--fs TYPE] [MODEL...]
#
# What fairfs --probe-only says of modelled disks, beside what fio gets on the same filesystem: parallelism is fio's
# 4 KiB random reads a second at depth 64 over those at depth 1. A line is "ok" when parallelism is within 25 %, rates
# are within 15 %, idling is on where heads move and off elsewhere (on one head P < 2 and two or four streams get less
# than 0.4 of one, on flash at least 0.9), and the probe kept to its time (6 s; 12 s where heads move). Exits 1 if any
# is off, 77 where a modelled disk cannot be had. Default: hdd, an ssd of 8 channels and raid0:4; --quick: the ssd.
set -eu

SCENARIO=probe
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# As much as the probe reads and writes: seeks are as long for fio.
read_mb=384 write_mb=64
failures=0 filesystem=ext4

# rate COLUMN NAME OPTIONS...: one number of a short fio on the disk's own filesystem.
rate() {
  rate_column=$1 rate_file=$2
  shift 2
  fio --name=rate --filename="$DISK_MOUNT/$rate_file" --direct=1 --ioengine=libaio --time_based --runtime=2 \
    --ramp_time=0.3 --output-format=terse "$@" | awk -F';' -v column="$rate_column" '{ print $column }'
}

# field NAME: of the object that the probe printed.
field() {
  python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$scenario_work/profile" "$1"
}

prepare() {
  [ "$(id -u)" = 0 ] || scenario_skip "needs root"
  [ -x "$FAIRFS" ] || scenario_skip "there is no fairfs at $FAIRFS: build it, or set FAIRFS"
  command -v fio > /dev/null || scenario_skip "there is no fio"
  disk_trap
  scenario_work=$(mktemp -d "${TMPDIR:-/tmp}/fairfs-$SCENARIO.XXXXXX")
}

# measure MODEL: the line of one disk.
measure() {
  disk_up "$1" 4096 "$filesystem" "$scenario_work/disk"
  dd if=/dev/zero of="$DISK_MOUNT/read" bs=1M count=$read_mb conv=fsync status=none
  dd if=/dev/zero of="$DISK_MOUNT/write" bs=1M count=$write_mb conv=fsync status=none
  disk_on
  began=$(date +%s.%N)
  CACHE_DIRECTORY=$scenario_work "$FAIRFS" --probe-only --json "$DISK_MOUNT" \
    > "$scenario_work/profile" 2> /dev/null
  took=$(awk -v began="$began" -v ended="$(date +%s.%N)" 'BEGIN { print ended - began }')
  one=$(rate 8 read --rw=randread --bs=4k --iodepth=1)
  many=$(rate 8 read --rw=randread --bs=4k --iodepth=64)
  writes=$(rate 49 write --rw=randwrite --bs=4k --iodepth=64)
  read_kib=$(rate 7 read --rw=read --bs=1M --iodepth=4)
  write_kib=$(rate 48 read --rw=write --bs=1M --iodepth=4) # long enough not to start again all the time
  disk_down
  line=$1
  for value in parallelism depth interleave_ratio best_streams switch_us idle read_iops write_iops read_bytes_per_s \
    write_bytes_per_s fsync_us confidence; do line="$line $(field $value)"; done
  judge "$line $one $many $writes $read_kib $write_kib $took" || failures=$((failures + 1))
  [ "$(field confidence)" = high ] || echo "  $(field reason)"
}

judge() {
  echo "$1" | awk '
    function part(a, b) { return b > 0 ? a / b : 0 }
    function near(ratio, by) { return ratio >= 1 - by && ratio <= 1 + by }
    {
      heads = $1 ~ /^(hdd|raid)/
      kind = $1 ~ /^hdd/ ? $2 < 2 && $4 < 0.4 : $1 ~ /^ssd/ ? $4 >= 0.9 : 1
      parallel = part($2, $15 / $14)
      reads = part($8, $15); writes = part($9, $16)
      read_bytes = part($10, $17 * 1024); write_bytes = part($11, $18 * 1024)
      good = near(parallel, 0.25) && near(reads, 0.15) && near(writes, 0.15) && near(read_bytes, 0.15) &&
        near(write_bytes, 0.15) && kind && ($7 == "True") == heads && $19 <= (heads ? 12 : 6)
      model = $1; sub(/,read_us.*/, "", model)
      printf "%-16s %6.1f %5.2f %5d %6.2f %7d %8d %5s %8d %5.2f %8d %5.2f %6d %5.2f %6d %5.2f %8d %6s %5.1f  %s\n",
        model, $2, parallel, $3, $4, $5, $6, $7 == "True" ? "on" : "off", $8, reads, $9, writes, $10 / 1e6, read_bytes,
        $11 / 1e6, write_bytes, $12, $13, $19, good ? "ok" : "OFF"
      exit !good
    }'
}

usage() {
  sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

ssd=ssd:channels=8,read_us=800,write_us=800,mb_s=300
while [ $# -gt 0 ]; do
  case $1 in
    --quick) set -- "$ssd"; break ;;
    --fs) [ $# -ge 2 ] || usage; filesystem=$2; shift 2 ;;
    -*) usage ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || set -- hdd "$ssd" raid0:4
prepare
printf '%-16s %6s %5s %5s %6s %7s %8s %5s %8s %5s %8s %5s %6s %5s %6s %5s %8s %6s %5s\n' "$filesystem" P :fio depth \
  ratio streams switch idle reads/s :fio writes/s :fio MB/s :fio MB/s :fio fsync conf. s
for model; do measure "$model"; done
[ "$failures" = 0 ]
