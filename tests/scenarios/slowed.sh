#!/bin/sh
# slowed.sh [--quick]: a modelled ssd of 8 channels turns three times as slow while two programs of weights 1 : 3 read
# from it, and back. fairfs-stat must show it within 5 s, its end within 10 s (within 10 %), and the disk's own time
# must be shared 1 : 3 within 10 % before, meanwhile and afterwards. --quick looks at shares for 3 s instead of 8.
# Exits 1 if any is off, 77 where a modelled disk cannot be had.
set -eu

SCENARIO=slowed
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=bounds.sh
. "$(dirname "$0")/bounds.sh"

look=8
case ${1:-} in
  --quick) look=3 ;;
  '') ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

slowness() {
  "$FAIRFS_BUILD/bin/fairfs-stat" "$fairfs_mount" --once --json |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["slowness"])'
}

# seconds_until LEAST MOST LIMIT: how long until the slowness lies between them; 999 if it doesn't within the limit.
seconds_until() {
  python3 - "$FAIRFS_BUILD/bin/fairfs-stat" "$fairfs_mount" "$@" <<'PYTHON'
import json, subprocess, sys, time
program, mount, least, most, limit = sys.argv[1], sys.argv[2], *map(float, sys.argv[3:])
began = time.monotonic()
while time.monotonic() - began < limit:
    line = subprocess.run([program, mount, "--once", "--json"], stdout=subprocess.PIPE, check=True).stdout
    if least <= json.loads(line)["slowness"] <= most:
        print("%.1f" % (time.monotonic() - began))
        break
    time.sleep(0.2)
else:
    print(999)
PYTHON
}

device_times() { echo "$(disk_account one device_ns) $(disk_account two device_ns)"; }

# shares WHEN
shares() {
  before=$(device_times)
  sleep "$look"
  ratio=$(echo "$before $(device_times)" | awk '{ print ($4 - $2) / ($3 - $1) }')
  check "ratio of the disk's time for the two, $1 (3)" 2.7 "$ratio" 3.3
}

scenario_up ssd:channels=8,read_us=800,write_us=800,mb_s=300 1024
CACHE_DIRECTORY=$scenario_work
export CACHE_DIRECTORY
for name in one two; do
  dd if=/dev/zero of="$DISK_MOUNT/$name" bs=1M count=256 conv=fsync status=none
  disk_account_file "$name" "$DISK_MOUNT/$name"
  cp "$(command -v fio)" "$scenario_work/fio-$name"
done
cat > "$scenario_work/weights.toml" <<'RULES'
[[rule]]
command = "fio-one"
weight = 100
[[rule]]
command = "fio-two"
weight = 300
RULES
disk_on
fairfs_up "probe=auto,weights=$scenario_work/weights.toml"
for name in one two; do fio_start "$scenario_work/fio-$name" '' "$name" 120 --iodepth=64 --thread; done
sleep 3
check "slowness of the disk that was measured (1)" 0.85 "$(slowness)" 1.15
shares "as measured"
disk_order slow 3
check "seconds until three times as slow is followed (at most 5)" 0 "$(seconds_until 2.7 3.3 10)" 5
shares "three times as slow"
check "slowness then (3)" 2.7 "$(slowness)" 3.3
disk_order slow 1
check "seconds until its end is followed (at most 10)" 0 "$(seconds_until 0.85 1.1 15)" 10
shares "afterwards"
[ "$failures" = 0 ]
