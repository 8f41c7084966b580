#!/usr/bin/env python3
"""Work on names rather than contents, with its rate on stdout.

metadata.py make DIRECTORY FOLDERS FILES     FOLDERS folders of FILES empty files each (no rate)
metadata.py fill DIRECTORY FOLDERS FILES BYTES
                                             the same with BYTES in each file (no rate)
metadata.py create DIRECTORY FILES           makes DIRECTORY and FILES empty files in it: files a second
metadata.py stat DIRECTORY                   lists all below with their attributes: files a second
"""
import os
import sys
import time


def create(folder, count, contents=b""):
    for i in range(count):
        file = os.open(f"{folder}/file-{i}", os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        if contents:
            os.write(file, contents)
        os.close(file)


def main():
    action, root, numbers = sys.argv[1], sys.argv[2], [int(word) for word in sys.argv[3:]]
    if action in ("make", "fill"):
        for i in range(numbers[0]):
            os.makedirs(f"{root}/folder-{i}")
            create(f"{root}/folder-{i}", numbers[1], os.urandom(numbers[2]) if action == "fill" else b"")
        return
    start, count = time.monotonic(), 0
    if action == "create":
        os.mkdir(root)
        create(root, numbers[0])
        count = numbers[0]
    elif action == "stat":
        for folder in os.scandir(root):
            if not folder.name.startswith("folder-"):
                continue
            for entry in os.scandir(folder.path):
                entry.stat(follow_symlinks=False)
                count += 1
    else:
        sys.exit(__doc__)
    print(count / (time.monotonic() - start))


main()
