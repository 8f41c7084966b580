#!/bin/sh
# probe_verdict.sh [--quick] [MODEL...]: is the probe right about idling? Eight programs read a file each in order,
# 128 KiB at a time, O_DIRECT, through fairfs on a modelled disk: with what the probe decides, and with idle=on and
# idle=off forced on the same profile. A line is "ok" when the verdict gets at least 0.9 of the other setting; what
# is decided and the same forced are two runs of one thing (on a stripe a fifth apart), so their mean counts.
# Beside it one program alone. Default: hdd, raid0:2, raid0:4 and an ssd of 8 channels; --quick: raid0:4 and the ssd.
# Exits 1 if any is off, 77 where a modelled disk cannot be had.
set -eu

SCENARIO=probe-verdict
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

seconds=6 failures=0

# readers COUNT OPTIONS: MB/s of so many together.
readers() {
  fairfs_up "probe=$scenario_work/profile,$2"
  jobs=''
  for reader in $(seq "$1"); do jobs="$jobs --name=reader$reader --filename=$fairfs_mount/file$reader"; done
  # shellcheck disable=SC2086  # several options
  fio --readonly --direct=1 --ioengine=psync --bs=128k --rw=read --time_based --runtime="$seconds" --ramp_time=1 \
    --group_reporting --output-format=terse $jobs | awk -F';' '{ print $7 * 1024 / 1e6 }'
  fairfs_down
}

measure() {
  disk_up "$1" 1024 ext4 "$scenario_work/disk"
  for reader in 1 2 3 4 5 6 7 8; do
    dd if=/dev/zero of="$DISK_MOUNT/file$reader" bs=1M count=64 conv=fsync status=none
  done
  disk_on
  CACHE_DIRECTORY=$scenario_work "$FAIRFS" --probe-only "$DISK_MOUNT" > "$scenario_work/profile" 2> /dev/null
  verdict=off
  ! grep -q '^idle = true' "$scenario_work/profile" || verdict=on
  alone=$(readers 1 idle=auto)
  auto=$(readers 8 idle=auto)
  on=$(readers 8 idle=on)
  off=$(readers 8 idle=off)
  disk_down
  echo "$1 $verdict $alone $auto $on $off" | awk '{
    same = $2 == "on" ? $5 : $6
    other = $2 == "on" ? $6 : $5
    good = ($4 + same) / 2 >= 0.9 * other
    model = $1; sub(/,read_us.*/, "", model)
    printf "%-16s %7s %9.0f %9.0f %9.0f %9.0f  %s\n", model, $2, $3, $4, $5, $6, good ? "ok" : "OFF"
    exit !good
  }' || failures=$((failures + 1))
}

ssd=ssd:channels=8,read_us=800,write_us=800,mb_s=300
case ${1:-} in
  --quick) seconds=3; set -- raid0:4 "$ssd" ;;
  -*) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
[ $# -gt 0 ] || set -- hdd raid0:2 raid0:4 "$ssd"
[ "$(id -u)" = 0 ] || scenario_skip "needs root"
[ -x "$FAIRFS" ] || scenario_skip "there is no fairfs at $FAIRFS: build it, or set FAIRFS"
command -v fio > /dev/null || scenario_skip "there is no fio"
disk_trap
scenario_work=$(mktemp -d "${TMPDIR:-/tmp}/fairfs-$SCENARIO.XXXXXX")
mkdir "$scenario_work/mount"
printf '%-16s %7s %9s %9s %9s %9s\n' 'MB/s' verdict alone '8' 'idle=on' 'idle=off'
for model; do measure "$model"; done
[ "$failures" = 0 ]
