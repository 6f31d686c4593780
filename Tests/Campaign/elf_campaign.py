#!/usr/bin/env python3
"""Runs mutants of ELF files through the reader of object files, and so through libelf.

    elf_campaign.py FUZZ-PROGRAM [--runs N] [--first N] [--jobs N] FILE-OR-FOLDER…

FUZZ-PROGRAM is `symbolicate-fuzz`, which `Scripts/fuzz.sh` builds. It makes the mutants from their
numbers, asks everything that can be asked of each, and runs many in one process. A page that nobody
may read lies behind each mutant, so libelf cannot read beyond it unnoticed. A process that ends
badly, or takes too long, is run again with half of the numbers until one is left.
"""

import argparse
import concurrent.futures
import os
import subprocess
import sys

LARGEST_SEED = 100_000
CHUNK = 2_000
SECONDS = 240


def elf_files(paths):
    for path in paths:
        candidates = [path] if os.path.isfile(path) else sorted(
            os.path.join(parent, name) for parent, _, names in os.walk(path) for name in names)
        for candidate in candidates:
            if os.path.isfile(candidate) and 64 <= os.path.getsize(candidate) <= LARGEST_SEED:
                with open(candidate, "rb") as file:
                    if file.read(4) == b"\x7fELF":
                        yield candidate


def run(program, first, count, files):
    """Nothing, or how the process ended."""
    environment = dict(os.environ, SWIFT_BACKTRACE="enable=no",
                       ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1")
    try:
        result = subprocess.run(
            [program, "mutate", "object-files", str(first), str(count), *files],
            capture_output=True, timeout=SECONDS, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return "hang"
    return None if result.returncode == 0 else f"{result.returncode}: {result.stderr[-600:]!r}"


def search(program, first, count, files):
    """The numbers that end badly, each with how."""
    ending = run(program, first, count, files)
    if ending is None:
        return []
    if count == 1:
        return [(first, ending)]
    half = count // 2
    return (search(program, first, half, files)
            + search(program, first + half, count - half, files)) or [(first, "only together: " + ending)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_intermixed_args()
    files = list(elf_files(options.paths))
    bad = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        end = options.first + options.runs
        chunks = [(first, min(CHUNK, end - first)) for first in range(options.first, end, CHUNK)]
        for found in pool.map(lambda chunk: search(options.program, *chunk, files), chunks):
            bad += found
    print(f"{options.runs} mutants of {len(files)} files: {len(bad)} ended badly")
    for number, ending in bad[:50]:
        print(f"{number} ({files[number % len(files)]}): {ending}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
