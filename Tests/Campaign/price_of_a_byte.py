#!/usr/bin/env python3
"""Looks for lines that cost much to read: what an attacker could make a byte cost.

    price_of_a_byte.py PROGRAM [--seconds N] [--seed S] [--bar NANOSECONDS] [--keep FILE]

Lines are made of the words of reports and traces. Those that take the most processor time for a byte
are changed again and again, and the worse ones stay (hill climbing). An input repeats one line, so its
cost is linear, and the price is the time of a run without that of an empty one, divided by the bytes.
The same seed makes the same lines as long as the times are alike. Growth is another question
(Tests/Benchmarks/Scaling/growth.py).

Prints the worst lines. Exit status 1 if a byte costs more than the bar.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import time

WORDS = [
    "at ", "#0 ", "#12  ", "0x0000000104a8c000 ", "(", ")", ":", " in ", "in", ", ", " + 12", " +0x1c", "+",
    'File "', ", line 12, in f", "Thread ", "[", "]", "Exception", "frame #0: ", "`", "`-", " - ", "1 ", "12  ",
    "0 ", "App ", "libdeck.dylib ", "deal", "::turn", " (Deck.swift:12)", " (in App)", "; ", "/usr/lib/x", " ",
    "  ", "\t", "*", "**", "_", "=>", "pc ", "goroutine 1 [running]:", "Caused by: ", "java.lang.", "main.f(",
    "a.b.c", "<", "> ", '"', "'", "@", "$s", "E/", "2026-01-02 10:00:00.134 ", "(BuildId: ab)", " at line ",
    " 0x10 0x20", "kernel: ", "!", "|", "? ", "…", "signal ", "fault ", "panic", "called ", "Fatal error: ",
    "', reason: '", "]: unrecognized selector sent to ", "_ASSERT(", ") failed", "Process: ", "{", "}", "\\n",
]
LONGEST = 4000
INPUT_SIZE = 20_000


def seconds_of(program, data):
    """Processor time of a run; a minute if it takes longer."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        subprocess.run([program, "--summary", "-"], input=data, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return 60.0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


class Search:
    def __init__(self, program, seed):
        self.program = program
        self.random = random.Random(seed)
        self.empty = min(seconds_of(program, b"x\n") for _ in range(5))

    def price(self, line):
        """Nanoseconds for a byte."""
        data = (line + "\n").encode()
        data *= INPUT_SIZE // len(data) + 1
        return (seconds_of(self.program, data) - self.empty) / len(data) * 1e9

    def new_line(self):
        return "".join(self.random.choice(WORDS) for _ in range(self.random.choice([3, 6, 12, 25, 60, 150])))

    def changed(self, line, others):
        start = self.random.randrange(len(line) + 1)
        end = min(len(line), start + self.random.randrange(1, 30))
        change = self.random.random()
        if change < 0.3:
            line = line[:start] + self.random.choice(WORDS) + line[start:]
        elif change < 0.5:
            line = line[:start] + line[end:]
        elif change < 0.75:
            line = line[:start] + line[start:end] * self.random.choice([2, 3, 8, 20]) + line[end:]
        else:
            other = self.random.choice(others)
            line = line[:start] + other[self.random.randrange(len(other)):]
        return line[:LONGEST].replace("\n", " ") or "x"

    def run(self, seconds):
        """The most expensive lines with their prices, the worst first."""
        end = time.monotonic() + seconds
        found = []
        while time.monotonic() < end:
            if len(found) < 150:
                line = self.new_line()
            else:
                line = self.changed(self.random.choice(found[:8])[1], [each for _, each in found[:20]])
            found.append((self.price(line), line))
            # The first ones are all kept, so that there is something to choose from.
            if len(found) > 150:
                found = sorted(found, reverse=True)[:150]
        return sorted(found, reverse=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bar", type=float, default=20_000)
    parser.add_argument("--keep", help="a file for the worst lines, as JSON")
    options = parser.parse_args()
    found = Search(os.path.abspath(options.program), options.seed).run(options.seconds)
    for price, line in found[:8]:
        print(f"{price:,.0f} ns a byte, {len(line)} bytes: {line[:100]!r}")
    if options.keep:
        with open(options.keep, "w") as file:
            json.dump(found, file)
    return 1 if found and found[0][0] > options.bar else 0


if __name__ == "__main__":
    sys.exit(main())
