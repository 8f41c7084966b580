#!/bin/sh
# socket.sh [--quick]: nobody who comes to the control socket or to metrics= can crash the daemon, stall others or
# change anything without the right to: fuzzing, a thousand connections, half-open and slow clients, and a stranger who
# tries every command, while two programs compete on a modelled disk. 25 minutes, 10 of them fuzzing (quick: 20 s;
# FAIRFS_SECONDS: each part that long). FAIRFS_SEED is printed and taken back.
set -eu

SCENARIO=socket
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(CDPATH='' cd "$(dirname "$0")" && pwd)/lib.sh"
seconds=${FAIRFS_SECONDS:-600}
[ "${1:-}" != --quick ] || seconds=4

ionice -c 2 -n 4 -p $$  # weights as they stand, whatever nice(1) we run under
scenario_up ssd:channels=8,read_us=800,write_us=800,mb_s=300 512
for name in one two; do
  dd if=/dev/zero of="$DISK_MOUNT/$name" bs=1M count=64 conv=fsync status=none
  cp "$(command -v fio)" "$scenario_work/fio-$name"
done
cat > "$scenario_work/weights.toml" << TOML
[[rule]]
command = "fio-two"
weight = 300
TOML
chmod 0755 "$scenario_work"  # a stranger is to get as far as the sockets
disk_on
port=$((20000 + $$ % 20000))
fairfs_up "grouping=process,stat_access=all,weights=$scenario_work/weights.toml,metrics=127.0.0.1:$port"
for name in one two; do
  fio_start "$scenario_work/fio-$name" '' "$name" $((seconds * 3 + 120)) --iodepth=64 --thread
done
# shellcheck disable=SC2086  # one word for each process
STAT=$FAIRFS_BUILD/bin/fairfs-stat MOUNT=$fairfs_mount PID=$fairfs_pid PORT=$port SECONDS_EACH=$seconds \
  DISK=$scenario_work/disk /usr/bin/python3 "$scenario_root/tests/scenarios/socket_clients.py"
# shellcheck disable=SC2086
kill $fio_pids
# shellcheck disable=SC2086
wait $fio_pids 2> /dev/null || true
fio_pids=''
kill -0 "$fairfs_pid"
umount "$fairfs_mount"
wait "$fairfs_pid" || { echo "fairfs ended with status $?"; exit 1; }
fairfs_pid=''

# Without stat_access= a stranger doesn't get a word.
fairfs_up grouping=process
socket=$(find /run/fairfs -name "*${scenario_work##*.}*.sock")
/usr/bin/python3 -c 'import os, socket, sys
os.setgroups([])
os.setuid(65534)
try: socket.socket(socket.AF_UNIX).connect(sys.argv[1])
except PermissionError: sys.exit(0)
sys.exit("a stranger was let in")' "$socket"
echo "ok    without stat_access= a stranger is kept out"
