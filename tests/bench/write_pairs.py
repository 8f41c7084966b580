#!/usr/bin/env python3
"""write_pairs.py [--dir DIRECTORY] [--rounds N] [--rows ROW,...] [--native]

What write-behind costs programs that write: fairfs with write_behind=on against sched=off, in pairs, each time in
another order, on the disk of DIRECTORY (default /var/tmp). Prints the median of the pairs' ratios of time (off / on:
1 is equal, below it is slower) and of the bytes that reached the device (on / off). --native: against no fairfs at all.

  write     64 MiB by 4 KiB to a new file
  rewrite   64 MiB by 4 KiB over an existing file of 16 MiB, anywhere in it
  tar       20,000 files of 2 KiB extracted
  git       checkout of 5,000 files
  fleeting  10,000 files created, written (2 KiB) and unlinked
  large     dd bs=1M count=512 conv=fsync

FAIRFS names the program (default build/bin/fairfs). Needs root, an otherwise idle machine, git, tar.
"""
import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BLOCK = os.urandom(4096)
MIB = 1 << 20


def write(place):
    file = os.open(place + "/new", os.O_CREAT | os.O_WRONLY)
    for index in range(64 * MIB // len(BLOCK)):
        os.pwrite(file, BLOCK, index * len(BLOCK))
    os.close(file)


def rewrite(place):
    file = os.open(place + "/old", os.O_WRONLY)
    blocks = 16 * MIB // len(BLOCK)
    dice = random.Random(1)
    for _ in range(64 * MIB // len(BLOCK)):
        os.pwrite(file, BLOCK, dice.randrange(blocks) * len(BLOCK))
    os.close(file)


def tar(place):
    subprocess.run(["tar", "xf", os.path.dirname(place) + "/small.tar", "-C", place], check=True)


def git(place):
    subprocess.run(["git", "-c", "advice.detachedHead=false", "clone", "-q", "--shared", "--no-checkout",
                    os.path.dirname(place) + "/repository", place + "/clone"], check=True)
    began = time.monotonic()
    subprocess.run(["git", "-C", place + "/clone", "checkout", "-q"], check=True)
    return time.monotonic() - began


def fleeting(place):
    for index in range(10000):
        path = "%s/f%d" % (place, index % 100)
        file = os.open(path, os.O_CREAT | os.O_WRONLY)
        os.write(file, BLOCK[:2048])
        os.close(file)
        os.unlink(path)


def large(place):
    subprocess.run(["dd", "if=/dev/zero", "of=" + place + "/large", "bs=1M", "count=512", "conv=fsync", "status=none"],
                   check=True)


ROWS = {"write": write, "rewrite": rewrite, "tar": tar, "git": git, "fleeting": fleeting, "large": large}


def prepare(work):
    small = work + "/small"
    for index in range(20000):
        folder = "%s/%d" % (small, index // 100)
        if index % 100 == 0:
            os.makedirs(folder)
        with open("%s/%d" % (folder, index), "wb") as file:
            file.write(BLOCK[:2048])
    subprocess.run(["tar", "cf", work + "/small.tar", "-C", small, "."], check=True)
    shutil.rmtree(small)
    repository = work + "/repository"
    for index in range(5000):
        folder = "%s/%d" % (repository, index // 100)
        os.makedirs(folder, exist_ok=True)
        with open("%s/%d" % (folder, index), "wb") as file:
            file.write((str(index) + "\n").encode() * 400)
    subprocess.run(["git", "-C", repository, "init", "-q"], check=True)
    subprocess.run(["git", "-C", repository, "add", "."], check=True)
    subprocess.run(["git", "-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
                   check=True)


def sectors_written(path):
    device = os.stat(path).st_dev
    with open("/sys/dev/block/%d:%d/stat" % (os.major(device), os.minor(device)), encoding="ascii") as file:
        return int(file.read().split()[6])


class Way:
    """A directory to work in: the source itself, or a mount of it."""

    def __init__(self, program, work, options):
        self.place = work
        self.daemon = None
        if options is not None:
            self.place = tempfile.mkdtemp(prefix="fairfs-pairs-mount.")
            self.daemon = subprocess.Popen([program, work, self.place, "-f", "-o", options])
            while not os.path.ismount(self.place):
                if self.daemon.poll() is not None:
                    sys.exit("write_pairs.py: fairfs did not mount with -o " + options)
                time.sleep(0.01)

    def end(self):
        if self.daemon is None:
            return
        subprocess.run(["umount", self.place], check=True)
        self.daemon.wait()
        os.rmdir(self.place)


def measure(program, work, options, row, number):
    """Seconds that the row takes, and MiB that the device wrote until everything was there or gone."""
    os.makedirs("%s/%d" % (work, number))
    if row == "rewrite":
        with open("%s/%d/old" % (work, number), "wb") as file:
            file.write(bytes(16 * MIB))
    subprocess.run(["sync", "-f", work], check=True)
    way = Way(program, work, options)
    before = sectors_written(work)
    began = time.monotonic()
    took = ROWS[row]("%s/%d" % (way.place, number)) or time.monotonic() - began
    way.end()
    if row != "fleeting":
        subprocess.run(["sync", "-f", work], check=True)
    return took, (sectors_written(work) - before) / 2048


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--dir", default="/var/tmp")
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--rows", default=",".join(ROWS))
    options.add_argument("--native", action="store_true")
    given = options.parse_args()
    program = os.environ.get("FAIRFS", os.path.join(os.path.dirname(__file__), "../../build/bin/fairfs"))
    ways = {"on": "sched=fair,write_behind=on,log_level=warning",
            "off": None if given.native else "sched=off,log_level=warning"}
    work = tempfile.mkdtemp(prefix="fairfs-pairs.", dir=given.dir)
    number = 0
    try:
        prepare(work)
        for row in given.rows.split(","):
            ratios, written = [], []
            for turn in range(given.rounds):
                found = {}
                for name in sorted(ways, reverse=turn % 2 == 0):
                    number += 1
                    found[name] = measure(program, work, ways[name], row, number)
                ratios.append(found["off"][0] / found["on"][0])
                written.append([found["on"][1], found["off"][1]])
            print("%-9s off / on: median %.3f (%.3f to %.3f); on %.2f s; MiB to the device %s and %s" % (
                row, statistics.median(ratios), min(ratios), max(ratios), found["on"][0],
                *["%.0f" % statistics.median(each[i] for each in written) for i in (0, 1)]), flush=True)
    finally:
        shutil.rmtree(work)


main()
