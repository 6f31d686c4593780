#!/usr/bin/env python3
"""settle_checksum.py SUPPLEMENTARY FILE...

Replaces the checksum by which the FILEs know their supplementary object file (DWARF 5, section 7.3.6),
there and in their own `.debug_sup`. dwz 0.15 writes another one at each run; this is the SHA-1 of the
supplementary file with zeros in the checksum's place.
"""
import hashlib
import sys

SIZE = 20
# Version 5, "is supplementary", an empty file name, the checksum's size.
MARK = bytes([5, 0, 1, 0, SIZE])


def main(paths):
    contents = {path: open(path, "rb").read() for path in paths}
    shared = contents[paths[0]]
    if shared.count(MARK) != 1:
        sys.exit(f"settle_checksum.py: {paths[0]} has no .debug_sup as dwz writes it")
    start = shared.index(MARK) + len(MARK)
    old = shared[start : start + SIZE]
    new = hashlib.sha1(shared.replace(old, bytes(SIZE))).digest()
    for path, content in contents.items():
        if content.count(old) != 1:
            sys.exit(f"settle_checksum.py: {path} does not hold the checksum once")
        with open(path, "wb") as file:
            file.write(content.replace(old, new))


main(sys.argv[1:])
