# shellcheck shell=sh disable=SC2154  # what lib.sh and rows.sh set
# Row 14: floors and ceilings beside hogs, and a latency.

# limit NAME KEY VALUE WEIGHT: a rule for a program.
limit() { printf '[[rule]]\ncommand = "%s"\n%s = %s\nweight = %s\n' "$@" >> "$scenario_work/weights.toml"; }

# limited KIND COLUMN CEILING FLOOR: four programs that want all they can get, the first with max_KIND, the second with
# min_KIND. Sets $first and $second: what they got, in units of COLUMN of the disk's accounts a second.
limited() {
  : > "$scenario_work/weights.toml"
  limit ceiled "max_$1" "$3" 1000
  limit floored "min_$1" "$4" 1
  way_up "fair,weights=$scenario_work/weights.toml"
  for name in ceiled floored hog1 hog2; do
    reader "$name" --rw="$5" --ioengine=libaio --iodepth=8 --norandommap
  done
  window "$seconds"
  compete_end
  way_down
  first=$(window_change "$2" ceiled | awk '{ print $1 / $2 }')
  second=$(window_change "$2" floored | awk '{ print $1 / $2 }')
}

# latency HOG_BYTES: sets $p95, the 95th percentile in ms of a reader at random with latency = "5ms" beside 256 requests
# of a hog.
latency() {
  : > "$scenario_work/weights.toml"
  limit quick latency '"5ms"' 100
  way_up "fair,weights=$scenario_work/weights.toml"
  reader hog1 --rw=randread --norandommap --ioengine=libaio --iodepth=256 --bs="$1"
  compete quick fio --name=quick --filename="$place/floored" --readonly --thread --direct=1 --rw=randread --bs=4k \
    --norandommap --time_based --ramp_time=3 --runtime="$seconds" --output-format=json
  wait "${fio_pids##* }"
  fio_pids=${fio_pids% *}
  compete_end
  way_down
  p95=$(python3 -c 'import json, sys
print("%.2f" % (json.load(open(sys.argv[1]))["jobs"][0]["read"]["clat_ns"]["percentile"]["95.000000"] / 1e6))' \
    "$scenario_work/quick.out")
}

row_14() {
  contest_disk ssd 12288
  for name in ceiled floored hog1 hog2; do contest_file "$name" 256; done
  limited read read_bytes '"10MB/s"' '"20MB/s"' randread
  holds "max_read = 10MB/s at weight 1000: bytes/s" "$first" 9.5e6 10.5e6
  holds "min_read = 20MB/s at weight 1: bytes/s" "$second" 19e6
  limited write write_bytes '"10MB/s"' '"20MB/s"' randwrite
  holds "max_write = 10MB/s at weight 1000: bytes/s" "$first" 9.5e6 10.5e6
  holds "min_write = 20MB/s at weight 1: bytes/s" "$second" 19e6
  limited iops reads 100 300 randread
  holds "max_iops = 100 at weight 1000: 1/s" "$first" 95 105
  holds "min_iops = 300 at weight 1: 1/s" "$second" 285
  for bytes in 4k 256k; do
    latency "$bytes"
    holds "latency = 5ms beside 256 requests of $bytes: p95 in ms" "$p95" 0 5
  done
}
