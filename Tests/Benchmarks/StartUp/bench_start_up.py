#!/usr/bin/env python3
"""Counts the instructions of small runs, most of which are the start of the program, and fails above a bar.

The counts vary by less than 0.1 % from run to run, on a busy machine too. A change of the compiler or of a
library moves them by more; then measure the program of the commit before with it, and set the bars anew.
Most of a start are searches of all protocol conformances, 110,000 instructions each: one for each new pair of
a type and a protocol that a cast, a reflection or the metadata of a generic type asks for.

  bench_start_up.py [PROGRAM]          PROGRAM: .build/release/symbolicate

Exit status 1: a run failed, or takes more instructions than its bar.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
STORY = os.path.join(ROOT, "Fixtures", "LetterShuffle")
SYMBOLS = os.path.join(STORY, "Letter Shuffle.app.dSYM")
REPORT = [os.path.join(STORY, "letter-shuffle.crash"), "-d", SYMBOLS]
ADDRESS = ["atos", "-arch", "arm64", "-o", SYMBOLS, "-l", "0x100228000", "0x10024f19c"]

# What runs, and the bar in millions of instructions: 5 % above what was counted. A sixth of the first
# run is what libc reads of the environment and of /proc/self/maps.
CASES = [
    ("version", ["--version"], 0.25),
    ("one address (atos)", ADDRESS, 1.40),
    ("one report", REPORT, 10.5),
    ("one report as JSON", [*REPORT, "--format", "json"], 12.45),
    ("one report as a summary", [*REPORT, "--summary"], 12.3),
]


def instructions(program, arguments, scratch):
    counts = os.path.join(scratch, "counts")
    environment = {"PATH": os.environ["PATH"], "HOME": scratch, "XDG_CACHE_HOME": scratch}
    run = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
         "--log-file=" + counts, program, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    if run.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: status {run.returncode}: {run.stderr.decode(errors='replace')}")
    with open(counts) as file:
        return int(re.search(r"I +refs: +([0-9,]+)", file.read()).group(1).replace(",", "")) / 1e6


def main():
    program = os.path.abspath(sys.argv[1] if sys.argv[1:] else os.path.join(ROOT, ".build/release/symbolicate"))
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        # Valgrind gives up on the debug information of a static Swift program.
        stripped = os.path.join(scratch, "symbolicate")
        subprocess.run(["strip", "-o", stripped, program], check=True)
        print("| run | millions of instructions | bar |")
        print("| --- | --- | --- |")
        for title, arguments, bar in CASES:
            count = instructions(stripped, arguments, scratch)
            failed = failed or count > bar
            print(f"| {title} | {count:.2f} | {bar:.2f}{' FAILED' if count > bar else ''} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
