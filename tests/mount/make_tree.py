#!/usr/bin/env python3
"""make_tree.py DIRECTORY FILES SEED: a tree with everything a filesystem can hold, the same for the same seed.

About FILES entries: plain, empty and sparse files, hard and symbolic links, fifos, devices, odd
names, all kinds of modes and owners, times with nanoseconds and before 1970, extended attributes, ACLs.
"""
import os
import random
import stat
import struct
import sys

ODD_NAMES = [b"with space", b"new\nline", b"tab\tname", b"\xff\xfe\x80 not utf-8", "grüße-日本".encode(), b"-rf", b"...",
             b"quote'\"", b"back\\slash", b"star*", b"$(echo)", b"trailing ", b".hidden", b"n" * 255]
MODES = [0o644, 0o600, 0o755, 0o444, 0o000, 0o4755, 0o2755, 0o1777, 0o666, 0o700]


def acl(rng):
    """An access or default ACL as the kernel stores it: version 2, then (tag, permissions, id), little-endian."""
    nobody = 0xFFFFFFFF
    entries = [(0x01, 6, nobody), (0x02, rng.randrange(8), 1000 + rng.randrange(50)), (0x04, 4, nobody),
               (0x08, rng.randrange(8), 2000 + rng.randrange(50)), (0x10, 7, nobody), (0x20, rng.randrange(5), nobody)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def contents(rng):
    """(offset, bytes) pieces of a new file, and its size."""
    kind = rng.random()
    if kind < 0.1:
        return [], 0
    if kind < 0.14:  # sparse: a few pieces far from each other
        size = rng.randrange(1, 64) << 16
        return [(rng.randrange(size >> 12) << 12, rng.randbytes(rng.randrange(1, 4096))) for _ in range(3)], size
    data = rng.randbytes(rng.choice([1, 100, 4095, 4096, 4097, rng.randrange(20_000)]))
    return [(0, data)], len(data)


def make(path, rng, files, devices):
    kind = rng.random()
    if kind < 0.05 and files:
        os.link(rng.choice(files), path, follow_symlinks=False)
        return
    if kind < 0.10:
        os.symlink(rng.choice([b"missing", b"../up", b"/etc/hostname", b"x" * 1000]), path)
        os.chown(path, rng.randrange(3000), rng.randrange(3000), follow_symlinks=False)
        return
    if kind < 0.11:
        if devices:
            kind = rng.choice([stat.S_IFCHR, stat.S_IFBLK])
            os.mknod(path, kind | 0o640, os.makedev(rng.randrange(250), rng.randrange(999)))
        else:
            os.mkfifo(path)
    else:
        pieces, size = contents(rng)
        with open(path, "wb") as file:
            for offset, data in pieces:
                file.seek(offset)
                file.write(data)
            file.truncate(max(size, file.seek(0, os.SEEK_END)))
        files.append(path)
        if rng.random() < 0.05:
            os.setxattr(path, b"user.colour", rng.randbytes(rng.randrange(200)))
            os.setxattr(path, b"trusted.mark", b"\0binary\xff")
    os.chown(path, rng.choice([0, 1000, 65534, rng.randrange(100_000)]), rng.randrange(3000))
    os.chmod(path, rng.choice(MODES))
    if rng.random() < 0.03:
        os.setxattr(path, b"system.posix_acl_access", acl(rng))
    times = rng.randrange(-10**9, 2 * 10**9) * 10**9 + rng.randrange(10**9)
    os.utime(path, ns=(times, times))


def main():
    root, count, seed = os.fsencode(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    os.makedirs(root, exist_ok=True)
    folders, files = [root], []
    for i in range(count):
        parent = rng.choice(folders)
        name = b"%s %d" % (rng.choice(ODD_NAMES)[:240], i) if rng.random() < 0.2 else b"entry-%d" % i
        path = os.path.join(parent, name)
        if rng.random() < 0.03 and path.count(b"/") - root.count(b"/") < 12 and len(path) < 2500:
            os.mkdir(path)
            folders.append(path)
        else:
            make(path, rng, files, devices=True)
    for name in ODD_NAMES:  # each exactly as it is, too
        make(os.path.join(root, name), rng, files, devices=False)
    for folder in reversed(folders[1:]):  # last, since what is made in a folder changes its times
        os.chown(folder, rng.randrange(2000), rng.randrange(2000))
        os.chmod(folder, rng.choice([0o755, 0o700, 0o2775, 0o1777]))
        if rng.random() < 0.1:
            os.setxattr(folder, b"system.posix_acl_default", acl(rng))
        os.utime(folder, ns=(i * 10**9, rng.randrange(2 * 10**18)))


main()
