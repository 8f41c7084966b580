#!/bin/sh
# formats.sh: what fairfs-stat writes for programs, from a mount under load, held against parsers that are not ours:
# --json against cli/fairfs-stat.schema.json (jsonschema), --openmetrics and metrics= (Prometheus's own parser), --csv
# (Python's), and --record against --replay. Exits 77 where that can't be had.
set -eu

SCENARIO=formats
# shellcheck source-path=SCRIPTDIR source=../scenarios/lib.sh
. "$(dirname "$0")/../scenarios/lib.sh"

# Debian's own python: the packages are there, whatever else is in the path.
python=/usr/bin/python3
"$python" -c 'import jsonschema, prometheus_client' 2> /dev/null ||
  scenario_skip "there is no python3-jsonschema or python3-prometheus-client"

scenario_up ssd:channels=8,read_us=800,write_us=800,mb_s=300 256
for name in one two; do
  dd if=/dev/zero of="$DISK_MOUNT/$name" bs=1M count=32 conv=fsync status=none
done
disk_on
fairfs_up "grouping=cgroup,metrics=unix:$scenario_work/metrics"
for name in one two; do
  fio_start fio '' "$name" 60 --iodepth=32 --thread
done
SCHEMA=$scenario_root/cli/fairfs-stat.schema.json STAT=$FAIRFS_BUILD/bin/fairfs-stat MOUNT=$fairfs_mount \
  WORK=$scenario_work "$python" "$scenario_root/tests/cli/formats.py"
