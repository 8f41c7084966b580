#!/usr/bin/env python3
"""wal_workload.py DATABASE SEED: writers and readers at one SQLite database in WAL mode, then its dump on stdout.

Each of two writers moves money between the accounts of its own table, so the end doesn't depend on who was first;
a third table takes big rows, so that the log is checkpointed under way. Readers look all the time: in each snapshot
they see, the sums must be what they were. Exit 1 and the reason if anything was ever wrong.
"""
import multiprocessing
import random
import sqlite3
import sys

WRITERS, READERS, ACCOUNTS, TRANSFERS, START = 2, 3, 100, 400, 1000


def connect(path):
    connection = sqlite3.connect(path, timeout=60, isolation_level=None)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA wal_autocheckpoint = 50")
    return connection


def write(path, seed, writer):
    rng = random.Random(seed * 1000 + writer)
    connection = connect(path)
    for step in range(TRANSFERS):
        giver, taker = rng.sample(range(ACCOUNTS), 2)
        amount = rng.randrange(50)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"UPDATE bank{writer} SET money = money - ? WHERE id = ?", (amount, giver))
        connection.execute(f"UPDATE bank{writer} SET money = money + ? WHERE id = ?", (amount, taker))
        connection.execute("INSERT INTO blobs VALUES (?, ?)", (writer * TRANSFERS + step, rng.randbytes(6000)))
        connection.execute("COMMIT")


def read(path, stop):
    connection = connect(path)
    looks = 0
    while not stop.is_set() or looks == 0:
        connection.execute("BEGIN")
        for writer in range(WRITERS):
            total = connection.execute(f"SELECT sum(money) FROM bank{writer}").fetchone()[0]
            if total != ACCOUNTS * START:
                sys.exit(f"a reader saw {total} in bank{writer}")
        connection.execute("COMMIT")
        looks += 1


def main():
    path, seed = sys.argv[1], int(sys.argv[2])
    connection = connect(path)
    if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        sys.exit("no WAL mode here")
    connection.execute("CREATE TABLE blobs (id INTEGER PRIMARY KEY, data BLOB)")
    for writer in range(WRITERS):
        connection.execute(f"CREATE TABLE bank{writer} (id INTEGER PRIMARY KEY, money INTEGER)")
        connection.executemany(f"INSERT INTO bank{writer} VALUES (?, {START})", [(i,) for i in range(ACCOUNTS)])
    connection.close()

    stop = multiprocessing.Event()
    writers = [multiprocessing.Process(target=write, args=(path, seed, i)) for i in range(WRITERS)]
    readers = [multiprocessing.Process(target=read, args=(path, stop)) for _ in range(READERS)]
    for process in writers + readers:
        process.start()
    for process in writers:
        process.join()
    stop.set()
    for process in readers:
        process.join()
    if any(process.exitcode for process in writers + readers):
        sys.exit("a writer or reader failed")

    connection = connect(path)
    check = connection.execute("PRAGMA integrity_check").fetchone()[0]
    print("integrity_check:", check)
    print("checkpoint:", connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
    for line in connection.iterdump():
        print(line)
    sys.exit(0 if check == "ok" else 1)


main()
