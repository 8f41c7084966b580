# shellcheck shell=sh disable=SC2154  # what lib.sh and rows.sh set
# Row 7: unequal work of equal weight (and weights 1 : 2 : 5) gets the medium's time by weight, as the disk accounts it.

# rules NAME=WEIGHT...: weights of groups, in $scenario_work/weights.toml.
rules() {
  for rule; do
    printf '[[rule]]\ncgroup = "%s/%s"\nweight = %s\n' "$cgroup_path" "${rule%=*}" "${rule#*=}"
  done > "$scenario_work/weights.toml"
}

# scattered GROUP NAME FILE OPTIONS...: a reader at random, 4 KiB and 64 at a time if the options don't say otherwise.
# Each at places of its own: fio's own habit is that all read the same ones.
scattered() {
  scattered_group=$1 scattered_name=$2 scattered_file=$3
  shift 3
  reader "$scattered_name=$scattered_file" --rw=randread --bs=4k --norandommap --randrepeat=0 \
    --iodepth=64 --ioengine=libaio "$@"
  echo "${fio_pids##* }" > "$cgroup_top/$scattered_group/cgroup.procs"
}

time_of() { over "$(worked "$1")" "$(worked "$2")"; }

unequal_work() {
  for name in one two three; do contest_file "$name" 256; done
  [ -n "$cgroup_top" ] || cgroups_up one two three
  rules one=100 two=100
  way_up "fair,weights=$scenario_work/weights.toml"
  scattered one small one
  scattered two large two --bs=256k
  window "$seconds"
  compete_end
  holds "$1: 4 KiB against 256 KiB, device time" "$(time_of one two)" 0.95 1.05
  scattered one deep one
  for number in $(seq 16); do scattered two "shallow$number" two --iodepth=1; done
  window "$seconds"
  compete_end
  way_down
  holds "$1: depth 64 against 16 processes of depth 1, device time" "$(time_of one two)" 0.95 1.05
  rules one=100 two=200 three=500
  way_up "fair,weights=$scenario_work/weights.toml"
  for name in one two three; do scattered "$name" "deep$name" "$name"; done
  window "$seconds"
  compete_end
  way_down
  holds "$1: groups 1 : 2 : 5, device time of the second by the first" "$(time_of two one)" 1.9 2.1
  holds "$1:   of the third by the first" "$(time_of three one)" 4.75 5.25
}

row_7s() { contest_disk ssd:channels=8,read_us=800,write_us=800,mb_s=300 4096; unequal_work 'ssd of 8 channels'; }
row_7h() { hard_disk; unequal_work 'hard disk'; }
row_7() { row_7h; row_7s; }
