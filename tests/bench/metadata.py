#!/usr/bin/env python3
"""Work on names rather than contents, with its rate on stdout.

metadata.py make DIRECTORY FOLDERS FILES     FOLDERS folders of FILES empty files each (no rate)
metadata.py create DIRECTORY FILES           makes DIRECTORY and FILES empty files in it: files a second
metadata.py stat DIRECTORY                   lists all below with their attributes: files a second
"""
import os
import sys
import time


def create(folder, count):
    for i in range(count):
        os.close(os.open(f"{folder}/file-{i}", os.O_CREAT | os.O_EXCL | os.O_WRONLY))


def main():
    action, root, numbers = sys.argv[1], sys.argv[2], [int(word) for word in sys.argv[3:]]
    if action == "make":
        for i in range(numbers[0]):
            os.makedirs(f"{root}/folder-{i}")
            create(f"{root}/folder-{i}", numbers[1])
        return
    start, count = time.monotonic(), 0
    if action == "create":
        os.mkdir(root)
        create(root, numbers[0])
        count = numbers[0]
    elif action == "stat":
        for folder in os.scandir(root):
            for entry in os.scandir(folder.path):
                entry.stat(follow_symlinks=False)
                count += 1
    else:
        sys.exit(__doc__)
    print(count / (time.monotonic() - start))


main()
