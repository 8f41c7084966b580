#!/bin/sh
# write_errors.sh: blocks of a modelled disk that cannot be written, met by write-behind: who is told, and how often.
# As ext4 does it natively: each open description once, whoever opens the file later only if nobody has been told.
# Exits 1 if somebody is told something else, 77 where a modelled disk cannot be had.
set -eu

SCENARIO=write-errors
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

scenario_up ssd 512
dd if=/dev/zero of="$DISK_MOUNT/bad" bs=1M count=1 conv=fsync status=none
bad=$(disk_extents "$DISK_MOUNT/bad" | head -1)
fairfs_up sched=fair,write_behind=on
python3 - "$fairfs_mount" "$DISK_DIR/control" "$bad" << 'PYTHON'
import errno, os, sys, time

mount, control, bad = sys.argv[1:]


def order(text):
    with open(control, "w") as file:
        file.write(text)


def told(file):
    try:
        os.fsync(file)
        return "nothing"
    except OSError as error:
        return errno.errorcode[error.errno]


def expect(who, file, wanted):
    got = told(file)
    print("%-5s %s: %s" % ("ok" if got == wanted else "OFF", who, got))
    return got == wanted


path = mount + "/bad"
writer = os.open(path, os.O_RDWR)
duplicate = os.dup(writer)
reader = os.open(path, os.O_RDONLY)
order("fail " + bad)
os.pwrite(writer, b"x" * 4096, 0)
# The oldest file goes first once half the allowance (200 ms of at most some GB/s) is dirty; so much is not needed when
# it is old, after 5 s.
other = os.open(mount + "/other", os.O_CREAT | os.O_WRONLY)
began = time.monotonic()
while time.monotonic() - began < 6:
    os.pwrite(other, b"y" * 65536, 0)
    time.sleep(0.05)
order("ok")
late = os.open(path, os.O_RDONLY)
os.close(os.dup(writer))  # a FLUSH takes nothing away
good = [
    expect("the writer", writer, "EIO"),
    expect("its duplicate, the same description", duplicate, "nothing"),
    expect("who had it open too", reader, "EIO"),
    expect("who opened it before anybody was told", late, "EIO"),
    expect("who opens it when it has been told", os.open(path, os.O_RDONLY), "nothing"),
    expect("the writer again", writer, "nothing"),
    expect("another file", other, "nothing"),
]
sys.exit(0 if all(good) else 1)
PYTHON
