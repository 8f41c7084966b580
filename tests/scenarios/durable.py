#!/usr/bin/env python3
"""durable.py log DIR          append numbered records, fsync each, until that fails: prints how many were answered
   durable.py replace DIR      replace a file by renaming a synced one over it, likewise
   durable.py check-log DIR N, check-replace DIR N
                               1 and a line on stderr if what was answered is not there"""
import os
import sys

RECORD = 64  # bytes


def record(number):
    return (b"%d " % number).ljust(RECORD, b".")


def append(directory):
    done = 0
    try:
        file = os.open(directory + "/log", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o644)
        sync_directory(directory)
        while True:
            os.write(file, record(done))
            os.fdatasync(file)
            done += 1
    except OSError:
        return done


def sync_directory(directory):
    file = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def replace(directory):
    done = number = 0
    try:
        while True:
            # ext4 answers the fsync of a directory with success if its journal was given up between the rename and the
            # call ("nothing to commit"): natively too, with a pause of 3 ms between them. Nothing can be created then,
            # so what is counted is what a creation has followed.
            file = os.open(directory + "/new", os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o644)
            done = number
            try:
                os.write(file, record(number) * 100)
                os.fsync(file)
            finally:
                os.close(file)
            os.rename(directory + "/new", directory + "/current")
            sync_directory(directory)
            number += 1
    except OSError:
        return done


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def check_log(directory, answered):
    return read(directory + "/log").startswith(b"".join(record(number) for number in range(answered)))


def check_replace(directory, answered):
    if answered == 0:
        return True
    # The next one may have been renamed when the power went, but never a part of it.
    return read(directory + "/current") in (record(answered - 1) * 100, record(answered) * 100)


what, where = sys.argv[1:3]
if what == "log":
    print(append(where))
elif what == "replace":
    print(replace(where))
elif not {"check-log": check_log, "check-replace": check_replace}[what](where, int(sys.argv[3])):
    found = read(where + ("/log" if what == "check-log" else "/current"))
    sys.exit("%s: %s answered, and not all there: %d bytes, %r to %r" % (
        what, sys.argv[3], len(found), found[:RECORD], found[-RECORD:]))
