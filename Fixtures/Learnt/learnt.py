#!/usr/bin/env python3
"""Writes `system.learnt`: names that were learnt from reports, as `LearntFile.swift` describes them.

    learnt.py DIRECTORY
"""

import os
import struct
import sys

UUID = bytes.fromhex("a4b1de4970b3301da64458d6bc22f513")
# Start in the image, bytes known to be the function's, names and the number of reports with them.
FUNCTIONS = [
    (0x1000, 0x40, [("objc_msgSend", 3)]),
    (0x1040, 0x01, [("start_wqthread", 1)]),
    (0x2000, 0x90, [("-[UIView layoutSubviews]", 2), ("-[UIView layoutSubview]", 1)]),
    # It reaches into the next one.
    (0x3000, 0x81, [("exported", 1)]),
    (0x3080, 0x10, [("hidden", 1)]),
]
REPORTS = [1, 2, 0x8000000000000000]
MASK = (1 << 64) - 1


def mix(state, word):
    state = ((state ^ word) * 0x9FB21C651E98DF25) & MASK
    return state ^ state >> 32


def checksum(data):
    """The `IndexChecksum` of the bytes."""
    state = 0x9E3779B97F4A7C15
    padded = data + bytes(-len(data) % 8)
    for (word,) in struct.iter_unpack("<Q", padded):
        state = mix(state, word)
    return mix(state, len(data))


def learnt(functions=None, reports=None, architecture=b"arm64e", name=b"libSystem.dylib"):
    functions = FUNCTIONS if functions is None else functions
    reports = REPORTS if reports is None else reports
    texts, names, table = architecture + name, b"", b""
    count = 0
    for start, reach, votes in functions:
        table += struct.pack("<QQII", start, reach, count, len(votes))
        for text, number in votes:
            names += struct.pack("<III", len(texts), len(text.encode()), number)
            texts += text.encode()
            count += 1
    conflicts = sum(1 for _, _, votes in functions if len(votes) > 1)
    head = b"LearntNm" + struct.pack("<II", 1, len(functions)) + UUID
    head += struct.pack("<6I", count, len(reports), len(texts), len(architecture), len(name), conflicts)
    tables = table + names + struct.pack(f"<{len(reports)}Q", *reports) + texts
    return head + struct.pack("<Q", checksum(head + tables)) + tables


def main():
    with open(os.path.join(sys.argv[1], "system.learnt"), "wb") as file:
        file.write(learnt())


if __name__ == "__main__":
    main()
