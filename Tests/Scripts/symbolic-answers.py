#!/usr/bin/env python3
"""What Sentry's symbolic (PyPI `symbolic`) says of addresses.

    symbolic-answers.py FILE ARCHITECTURE BASE < ADDRESSES

ARCHITECTURE is the slice wanted, or "" for the first. BASE is where the image begins: symbolic counts
from there. Addresses come in hexadecimal, one a line; an answer is a line of JSON, a list of functions,
innermost first: [name, path, line, start], start null where it is not known.
"""
import json
import sys

from symbolic.debuginfo import Archive

UNKNOWN_START = 0xFFFFFFFF

path, architecture, base = sys.argv[1], sys.argv[2], int(sys.argv[3], 16)
objects = Archive.open(path).iter_objects()
cache = next(o for o in objects if architecture in ("", o.arch)).make_symcache()
for line in sys.stdin:
    address = int(line, 16) - base
    frames = [] if address < 0 else cache.lookup(address)
    print(
        json.dumps(
            [
                [
                    frame.symbol or "",
                    frame.full_path or "",
                    frame.line,
                    None if frame.sym_addr == UNKNOWN_START else frame.sym_addr + base,
                ]
                for frame in frames
            ]
        )
    )
