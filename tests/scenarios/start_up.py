#!/usr/bin/env python3
"""start_up.py FILE MEGABYTES LIMIT: reads as a program that starts does: 16 KiB at a time, half of them behind the last
and half anywhere in the file, each only when the last has come (the same places in each run). Prints the seconds that
it took, or, when LIMIT seconds are over, what it would have taken at the rate so far, with a ">" before it.
"""
import os
import random
import sys
import time

PIECE = 16 * 1024


def main():
    path, megabytes, limit = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    places = random.Random(7)
    file = os.open(path, os.O_RDONLY)
    pieces = os.fstat(file).st_size // PIECE
    count = int(megabytes * 1e6 / PIECE)
    began, place = time.monotonic(), 0
    for number in range(1, count + 1):
        place = (place + 1) % pieces if places.random() < 0.5 else places.randrange(pieces)
        os.pread(file, PIECE, place * PIECE)
        passed = time.monotonic() - began
        if passed > limit:
            print(">%.3f" % (passed * count / number))
            return
    print("%.3f" % passed)


if __name__ == "__main__":
    main()
