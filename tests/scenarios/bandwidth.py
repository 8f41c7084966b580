#!/usr/bin/env python3
"""bandwidth.py PREFIX PREFIX: what two fio processes read a second while both ran.

PREFIX_bw.*.log are fio's bandwidth logs, one for each job, with absolute times (--log_unix_epoch=1) and one entry a
second (--log_avg_msec=1000): milliseconds, KiB/s since the entry before, and more. The first and the last second of the
time in which both ran are cut. Prints: MiB/s of the first, MiB/s of the second, seconds looked at.
"""
import glob
import sys

STEP_MS = 1000.0


def spans(prefix):
    """(start, end, KiB/s) of every entry of every job, times in ms."""
    found = []
    for name in glob.glob(glob.escape(prefix) + "_bw.*.log"):
        before = None
        with open(name, encoding="ascii") as log:
            for line in log:
                moment, rate = [float(word) for word in line.split(",")[:2]]
                found.append((before if before is not None else moment - STEP_MS, moment, rate))
                before = moment
    if not found:
        sys.exit("bandwidth.py: no bandwidth log %s_bw.*.log" % prefix)
    return found


def mean(entries, start, end):
    """MiB/s of all jobs together between two moments."""
    kib = sum(rate * max(0.0, min(end, last) - max(start, first)) for first, last, rate in entries)
    return kib / (end - start) / 1024


def main():
    both = [spans(prefix) for prefix in sys.argv[1:3]]
    start = max(min(first for first, _, _ in entries) for entries in both) + STEP_MS
    end = min(max(last for _, last, _ in entries) for entries in both) - STEP_MS
    if end - start < STEP_MS:
        sys.exit("bandwidth.py: the two ran side by side for less than three seconds")
    print("%.3f %.3f %.1f" % (mean(both[0], start, end), mean(both[1], start, end), (end - start) / 1000))


if __name__ == "__main__":
    main()
