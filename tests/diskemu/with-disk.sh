#!/bin/sh
# with-disk.sh MODEL SIZE_MB FSTYPE MOUNTDIR COMMAND [ARGUMENT...]
# Runs the command while a filesystem on a modelled disk is mounted on MOUNTDIR, and undoes everything after it. The
# command sees DISK_DIR, DISK_LOOP and DISK_MOUNT; the model is off until it writes "slow 1" into $DISK_DIR/control.
# Ends with the command's status, or 77 where a modelled disk cannot be had.
set -eu

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
: "${DISKEMU:=$here/../../build/bin/diskemu}"
# shellcheck source-path=SCRIPTDIR source=disk.sh
. "$here/disk.sh"

if [ $# -lt 5 ]; then
  sed -n '2,5s/^# //p' "$0" >&2
  exit 2
fi
disk_trap
disk_up "$1" "$2" "$3" "$4"
shift 4
export DISK_DIR DISK_LOOP DISK_MOUNT
"$@"
