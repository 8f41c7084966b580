# shellcheck shell=sh disable=SC2154  # place and scenario_work are lib.sh's and contest.sh's
# The workloads of the mailing lists that fairfs was born from, run in the directory $place. Each prints its number.

# aio_stress_files: what eight of the next one need, on the disk. No zeros, for which the disk has yet to find memory.
aio_stress_files() {
  for writer in 1 2 3 4 5 6 7 8; do
    for file in 1 2 3 4; do
      dd if=/dev/urandom of="$DISK_MOUNT/$writer-$file" bs=1M count=16 conv=fsync status=none
    done
  done
}

# aio_stress COUNT THINK_US SECONDS: so many programs, each writes 4 KiB O_DIRECT in order to four files in turn, one in
# flight for each file, and thinks after each four: `aio-stress -a 4 -b 4 -c 1 -r 4 -O -o 0 -t 1 -d 1 -i 1`. MB/s of
# all together.
aio_stress() {
  jobs=''
  for writer in $(seq "$1"); do
    files=$(for file in 1 2 3 4; do printf '%s' ":$place/$writer-$file"; done)
    jobs="$jobs --name=writer$writer --filename=${files#:}"
  done
  # shellcheck disable=SC2086  # several options
  fio --direct=1 --ioengine=libaio --iodepth=4 --iodepth_batch=4 --iodepth_batch_complete_min=4 \
    --file_service_type=roundrobin:1 --bs=4k --rw=write --overwrite=1 --thinktime="$2" --thinktime_blocks=4 \
    --time_based --runtime="$3" --ramp_time=1 --group_reporting --output-format=terse $jobs |
    awk -F';' '{ print $48 * 1024 / 1e6 }'
}

# together_file MB: what the next one reads.
together_file() {
  [ ! -d "$DISK_MOUNT/together" ] || return 0
  mkdir "$DISK_MOUNT/together"
  dd if=/dev/zero of="$DISK_MOUNT/together/test_file.0" bs=1M count="$1" conv=fsync status=none
}

# sysbench_read THREADS SECONDS: MB/s of threads that read one file together, each the piece that is next for all.
sysbench_read() {
  together_bytes=$(stat -c %s "$place/together/test_file.0")
  (cd "$place/together" &&
    sysbench fileio --file-num=1 --file-total-size="$together_bytes" --file-test-mode=seqrd --file-block-size=16384 \
      --threads="$1" --time="$2" run) > "$scenario_work/sysbench.out"
  awk '$1 == "read," && $2 ~ /MiB/ { printf "%.1f\n", $3 * 1.048576 }' "$scenario_work/sysbench.out"
}
