#!/usr/bin/env python3
"""Prints the functions of a profile (text of llvm-profdata) that run often.

Of 38,000 functions 1,500 do nearly all the work. The others are optimised as if there were no profile,
so that code which the training does not run is not taken for code that nobody runs.
"""
import sys

# Functions are left out whose hottest block ran less often than this share of the hottest of all.
SHARE = 1 / 1_000

text = open(sys.argv[1], encoding="utf-8").read()
_, body = text.split(":ir\n", 1)
functions = []
for record in body.strip().split("\n\n"):
    lines = record.split("\n")
    start = lines.index("# Counter Values:") + 1
    # Behind the counters may be values of calls and sizes, which name files of this build.
    length = int(lines[lines.index("# Num Counters:") + 1])
    counters = [int(line) for line in lines[start:start + length]]
    # A name with a file in front of it is known in this build alone.
    if ";" not in lines[0]:
        functions.append((max(counters), lines[:start + length]))
least = max(highest for highest, _ in functions) * SHARE
print("# Made by `make profile`. Scripts/profile.sh says what it is.\n:ir")
for highest, lines in sorted(functions, key=lambda function: function[1]):
    if highest >= least:
        # LLVM takes a line with `$` behind the counters for the number of bitmap bytes, and names of
        # Swift begin with it.
        print("\n".join(line for line in lines if not line.startswith("#")) + "\n$0\n")
