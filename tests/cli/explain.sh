#!/bin/sh
# explain.sh: fairfs-stat --explain asked about real processes that compete on a modelled disk: does it name the rule
# that counts, the share that is due (worked out here), and the reason for what was got? Exits 77 where that can't be
# had.
set -eu

SCENARIO=explain
# shellcheck source-path=SCRIPTDIR source=../scenarios/lib.sh
. "$(dirname "$0")/../scenarios/lib.sh"

failures=0 others=''
stat=$FAIRFS_BUILD/bin/fairfs-stat

disk_cleanup() {
  # shellcheck disable=SC2086  # one word for each process
  [ -z "$fio_pids$others" ] || { kill $fio_pids $others && wait $fio_pids $others; } 2> /dev/null || true
  fairfs_down || true
  cgroups_down || true
  disk_down
  [ -z "$scenario_work" ] || rm -rf --one-file-system "$scenario_work"
}

# start NAME CGROUP FIO-OPTIONS...: a program fio-NAME that keeps 64 reads in flight; its pid in $pid_NAME.
start() {
  start_name=$1
  cp "$(command -v fio)" "$scenario_work/fio-$1"
  ln "$DISK_MOUNT/file" "$DISK_MOUNT/$1"
  start_cgroup=$2
  shift 2
  fio_start "$scenario_work/fio-$start_name" "$start_cgroup" "$start_name" 120 --thread --iodepth=64 "$@"
  eval "pid_$start_name=\$!"
}

# stop NAME...
stop() {
  for stop_name; do
    eval "stop_pid=\$pid_$stop_name"
    kill "$stop_pid"
    wait "$stop_pid" 2> /dev/null || true
    fio_pids=$(echo "$fio_pids" | sed "s/ $stop_pid\b//")
  done
}

# python CODE: a process that does it with the mounted file $file; its pid in $!.
python() { FILE=$fairfs_mount/file exec /usr/bin/python3 -c "$1"; }

pid_of() { eval "echo \$pid_$1"; }
in_a_second() { "$stat" "$fairfs_mount" --once | grep -q "in force: $1 flows backlogged"; }

# says NAME SENTENCE...: each is said of fio-NAME within 5 s, as a pattern, from its beginning to its end.
says() {
  says_name=$1
  shift
  for sentence; do
    if disk_wait 5 said "$(pid_of "$says_name")" "$sentence"; then
      echo "ok    $says_name: $sentence"
    else
      echo "WRONG $says_name: not said: $sentence"
      "$stat" "$fairfs_mount" --explain "$(pid_of "$says_name")" | sed 's/^/        /' || true
      failures=$((failures + 1))
    fi
  done
}
said() { "$stat" "$fairfs_mount" --explain "$1" | grep -qxE "$2"; }

ionice -c 2 -n 4 -p $$  # weights as they stand, whatever nice(1) we run under
scenario_up ssd:channels=8,read_us=800,write_us=800,mb_s=300 256
dd if=/dev/zero of="$DISK_MOUNT/file" bs=1M count=64 conv=fsync status=none
chmod 1777 "$scenario_work"  # fio-user logs there, too
cgroups_up a b c
weights=$scenario_work/weights.toml
cat > "$weights" << TOML
[[rule]]
command = "fio-command"
weight = 20

[[rule]]
user = "nobody"
weight = 40

[[rule]]
cgroup = "$cgroup_path/a"
weight = 300

[[rule]]
cgroup = "$cgroup_path/b"
weight = 100

[[rule]]
command = "fio-last"
class = "idle"

[[rule]]
command = "fio-most"
max_read = "2MB/s"

[[rule]]
command = "fio-least"
weight = 1
min_read = "8MB/s"

[[rule]]
cgroup = "$cgroup_path/c"
max_iops = 300

[[rule]]
command = "fio-guest"
flow = "guests"
weight = 50

[[rule]]
command = "fio-single"
weight = 5000
TOML
disk_on
fairfs_up "grouping=cgroup,weights=$weights"

# Who weighs what, and why. a : b = 300 : 100, of b's quarter 20 + 40 + 100 + 240 of 400.
start group a
start command b
start user b --uid=65534
start plain b
start set b
"$stat" "$fairfs_mount" --set pid="$pid_set" weight=240 > /dev/null
disk_wait 10 in_a_second 5 || echo "not all five got busy"
says command "fio-command\[$pid_command\] of user root is in cgroup $cgroup_path/b\." \
  "It weighs 20: the rule in line 1 of $weights says so \(command=fio-command\)\." \
  "The cgroup $cgroup_path/b weighs 100 against those beside it: the rule in line 13 of $weights says so .*" \
  "In the last second 4 other flows used the disk, too: 1\.2 % of its time are due to this one\." \
  "It got 1\.[123] %, which is what is due\."
says user "fio-user\[$pid_user\] of user nobody is in cgroup $cgroup_path/b\." \
  "It weighs 40: the rule in line 5 of $weights says so \(user=65534\)\." \
  "In the last second 4 other flows used the disk, too: 2\.5 % of its time are due to this one\."
says group "It weighs 100: no rule says anything about it, and this is the default\." \
  "The cgroup $cgroup_path/a weighs 300 against those beside it: the rule in line 9 of $weights says so .*" \
  "In the last second 4 other flows used the disk, too: 75\.0 % of its time are due to this one\." \
  "It got 7[45]\.[0-9] %, which is what is due\."
says plain "It weighs 100: no rule says anything about it, and this is the default\." \
  "In the last second 4 other flows used the disk, too: 6\.2 % of its time are due to this one\."
says set "It weighs 240: it was set while running \(pid=$pid_set\)\." \
  "In the last second 4 other flows used the disk, too: 15\.0 % of its time are due to this one\." \
  "It got 1[45]\.[0-9] %, which is what is due\."
stop group command user set

# Limits, classes, named flows: the plain one goes on.
start last b
start most b
start least b
start capped c
start guest c
says last "Its class is idle: it gets what the others leave, and always a few per cent: the rule in line 17 of .*" \
  "It got [0-9.]+ %, less than is due by weight, because others are of a higher class\."
says most "It has the limits max_read=2MB/s: the rule in line 21 of $weights says so \(command=fio-most\)\." \
  "It got [0-9.]+ % and wants more, but is as fast as it may be \(max_read=2MB/s\): a ceiling holds even .*"
says least "It has the limits min_read=8MB/s: the rule in line 25 of $weights says so \(command=fio-least\)\." \
  "It got [12][0-9.]+ %, more than is due, because that much is guaranteed to it .* \(min_read=8MB/s\)\."
says capped "All in cgroup $cgroup_path/c together have the limits max_iops=300: the rule in line 30 of .*" \
  "It got [0-9.]+ % and wants more, but is as fast as it may be \(max_iops=300 of cgroup $cgroup_path/c\): .*"
says guest "It is one of those in the flow 'guests', which together weigh 50: the rule in line 34 of .*"
stop last most least capped guest

# One request at a time: it can use an eighth of a disk of eight channels at most, of which 98 % are due.
start single b --iodepth=1
says single "It weighs 5000: the rule in line 39 of $weights says so \(command=fio-single\)\." \
  "In the last second 1 other flow used the disk, too: 98\.0 % of its time are due to this one\." \
  "It got 1?[0-9]\.[0-9] %, less than is due: it did not ask for more\. Requests of it were waiting in only .*"
says plain "It got [89][0-9]\.[0-9] %, more than is due, because others did not use up theirs\."
stop single
says plain "In the last second 0 other flows used the disk, too: 100\.0 % of its time are due to this one\." \
  "It got 100\.0 %: it was alone, and whoever is alone gets all it asks for, whatever it weighs\."
stop plain

# Those that the disk does nothing for.
# What is mapped stays in the page cache, whoever drops caches meanwhile; the mount's own copy goes at each turn, so
# that each read arrives.
SOURCE=$DISK_MOUNT/file python 'import mmap, os
source = os.open(os.environ["SOURCE"], os.O_RDONLY)
pages = mmap.mmap(source, 65536, mmap.MAP_SHARED, mmap.PROT_READ)
sum(pages[:])
file = os.open(os.environ["FILE"], os.O_RDONLY)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
while True:
  os.pread(file, 4096, 0)
  os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)' & pid_cached=$!
python 'import os, time
while True: os.utime(os.environ["FILE"]); time.sleep(0.01)' & pid_names=$!
/bin/sleep 100 & pid_absent=$!
others="$pid_cached $pid_names $pid_absent"
says cached "The page cache answered all it read: that never waits, and no weight counts\."
says names "It only asked for names and attributes, which are never queued\."
says absent "It has asked $fairfs_mount for nothing in the last 10 s, so nothing is due to it\."
pid_dead=$pid_plain
if "$stat" "$fairfs_mount" --explain "$pid_dead" 2> "$scenario_work/error"; then
  echo "WRONG dead: explained"
  failures=$((failures + 1))
fi
grep -x "fairfs-stat: explain: $pid_dead: there is no such process; name one that runs" "$scenario_work/error" ||
  failures=$((failures + 1))

echo "$failures failures"
[ "$failures" = 0 ]
