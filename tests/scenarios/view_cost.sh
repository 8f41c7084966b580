#!/bin/sh
# view_cost.sh: what looking costs. A thousand processes use a mount on a modelled disk, the live view shows
# them each second: the daemon takes under 2 % of a core for it and the viewer under 5 % (utime + stime). Then two
# programs compete, and a viewer that is stopped (SIGSTOP) changes neither their shares nor what the disk does.
set -eu

SCENARIO=view-cost
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(CDPATH='' cd "$(dirname "$0")" && pwd)/lib.sh"
# shellcheck source-path=SCRIPTDIR source=bounds.sh
. "$(CDPATH='' cd "$(dirname "$0")" && pwd)/bounds.sh"
seconds=15 many=1000 crowd='' panel=fairfs-cost-$$

command -v tmux > /dev/null || scenario_skip "there is no tmux"

disk_cleanup() {
  tmux -L "$panel" kill-server 2> /dev/null || true
  # shellcheck disable=SC2086  # one word for each process
  [ -z "$fio_pids$crowd" ] || { kill $fio_pids $crowd && wait $fio_pids $crowd; } 2> /dev/null || true
  fairfs_down || true
  disk_down
  [ -z "$scenario_work" ] || rm -rf --one-file-system "$scenario_work"
}

stat=$FAIRFS_BUILD/bin/fairfs-stat
ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"; }
flows() { "$stat" "$fairfs_mount" --once --json | grep -o '"name":' | wc -l; }
is_calm() { [ "$("$stat" "$fairfs_mount" --once --json | grep -o '"queued":[0-9]*' | head -n 1)" = '"queued":0' ]; }
are_there() { [ "$(flows)" -ge $many ]; }

# percent PID BEFORE AFTER: of a core, between two counts of ticks that are $seconds apart.
percent() {
  awk -v ticks=$(($2 - $1)) -v a_second="$(getconf CLK_TCK)" -v seconds="$seconds" '
    BEGIN { printf "%.2f", 100 * ticks / a_second / seconds }'
}

# cost PID: its part of a core, in per cent, while time passes.
cost() {
  cost_before=$(ticks "$1")
  sleep "$seconds"
  percent "$cost_before" "$(ticks "$1")"
}

view() {
  tmux -L "$panel" -f /dev/null new-session -d -s view -x 160 -y 50 "LC_ALL=C.UTF-8 exec $stat $fairfs_mount"
  viewer=$(tmux -L "$panel" list-panes -t view -F '#{pane_pid}')
}

scenario_up ssd:channels=8,read_us=800,write_us=800,mb_s=300 256
for name in one two; do
  dd if=/dev/zero of="$DISK_MOUNT/$name" bs=1M count=32 conv=fsync status=none
  cp "$(command -v fio)" "$scenario_work/fio-$name"
done
disk_on
fairfs_up grouping=cgroup

# First all at once, so that their histograms are full and the readings long; then each asks for 4 KiB of the disk every
# four seconds: a flow is listed for ten.
/usr/bin/python3 - "$fairfs_mount/one" "$many" << 'PYTHON' &
import mmap, os, random, signal, sys, time
children = []
for i in range(int(sys.argv[2])):
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        file, page = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 4096)
        for _ in range(100): os.preadv(file, [page], 4096 * random.randrange(8192))
        time.sleep(4 * random.random())
        while True:
            os.preadv(file, [page], 4096 * random.randrange(8192))
            time.sleep(4)
    children.append(pid)
def end(*_):
    for pid in children: os.kill(pid, 15)
    sys.exit()
signal.signal(signal.SIGTERM, end)
while True: signal.pause()
PYTHON
crowd=$!
disk_wait 60 are_there
disk_wait 60 is_calm
alone=$(cost "$fairfs_pid")
view
sleep 3
viewer_before=$(ticks "$viewer")
with=$(cost "$fairfs_pid")
viewer_cost=$(percent "$viewer_before" "$(ticks "$viewer")")
bytes=$("$stat" "$fairfs_mount" --count 1 --json --record "$scenario_work/kept" | wc -c)
echo "$(flows) flows, $bytes bytes a reading, $(wc -c < "$scenario_work/kept") for two on the socket"
echo "the daemon alone, with their reads: $alone % of a core"
check "the daemon while they are shown each second, in % of a core" 0 "$with" 2
check "the viewer, in % of a core" 0.01 "$viewer_cost" 5
kill "$crowd" && wait "$crowd" 2> /dev/null || true
crowd=''
tmux -L "$panel" kill-server

# Two programs, 1 : 3. What each got of the disk's time is the disk's own count.
ionice -c 2 -n 4 -p $$  # weights as they stand, whatever nice(1) we run under
for name in one two; do
  disk_account_file "$name" "$DISK_MOUNT/$name"
  fio_start "$scenario_work/fio-$name" '' "$name" 300 --iodepth=64 --thread
done
"$stat" "$fairfs_mount" --set command=fio-two weight=300 > /dev/null
view
sleep 3
# compete: "TIME-OF-ONE TIME-OF-TWO READS" of some seconds.
compete() {
  disk_order reset
  sleep 12  # longer than the daemon's patience with who doesn't read
  echo "$(disk_account one device_ns) $(disk_account two device_ns) $(disk_account total reads)"
}
looking=$(compete)
kill -STOP "$viewer"
stopped=$(compete)
check "shares while it looks, two : one" 2.9 "$(echo "$looking" | awk '{ printf "%.3f", $2 / $1 }')" 3.1
check "shares while it is stopped" 2.9 "$(echo "$stopped" | awk '{ printf "%.3f", $2 / $1 }')" 3.1
check "reads while it is stopped, to those while it looks" 0.97 \
  "$(echo "$looking $stopped" | awk '{ printf "%.3f", $6 / $3 }')" 1.03
[ "$failures" = 0 ]
