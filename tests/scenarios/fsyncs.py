#!/usr/bin/env python3
"""fsyncs.py FILE N BYTES PAUSE [LIMIT]   N times (write BYTES, fsync, pause), or until LIMIT seconds are over: p50, p95
                                  and max of the fsyncs in seconds
   fsyncs.py --lines FILE N       N times (open, append a line, fsync, close): ms of one round
   fsyncs.py --loops DIRECTORY N SECONDS   N processes, each (append a line, fsync) in its own file: fsyncs a second
                                  of all of them"""
import concurrent.futures
import os
import sys
import time


def spread(path, count, size, pause, limit):
    data = os.urandom(size)
    file = os.open(path, os.O_CREAT | os.O_WRONLY, 0o644)
    times = []
    end = time.monotonic() + limit
    for index in range(count):
        os.pwrite(file, data, index % 8 * size)
        began = time.monotonic()
        os.fsync(file)
        times.append(time.monotonic() - began)
        if time.monotonic() > end:
            break
        time.sleep(pause)
    times.sort()
    count = len(times)
    return "%.3f %.3f %.3f" % (times[count // 2], times[min(count - 1, count * 95 // 100)], times[-1])


def lines(path, count):
    began = time.monotonic()
    for _ in range(count):
        file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o644)
        os.write(file, b"a line of text\n")
        os.fsync(file)
        os.close(file)
    return "%.3f" % ((time.monotonic() - began) * 1000 / count)


def loop(path, end):
    file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o644)
    done = 0
    while time.monotonic() < end:
        os.write(file, b"a line of text\n")
        os.fsync(file)
        done += 1
    return done


def loops(directory, count, seconds):
    began = time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(count) as pool:
        running = [pool.submit(loop, "%s/%d" % (directory, index), began + seconds) for index in range(count)]
        return "%.1f" % (sum(each.result() for each in running) / seconds)


if sys.argv[1] == "--loops":
    print(loops(sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
elif sys.argv[1] == "--lines":
    print(lines(sys.argv[2], int(sys.argv[3])))
else:
    print(spread(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]),
                 float(sys.argv[5]) if len(sys.argv) > 5 else float("inf")))
