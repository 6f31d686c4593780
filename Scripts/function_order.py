#!/usr/bin/env python3
"""Prints the functions that a release program calls, those first that it calls for each report.

  function_order.py PROGRAM SCRATCH

lld puts them into the program in this order (`--symbol-ordering-file`). They are 1 MB of 20: side by
side they lie in fewer pages, which start faster, and fewer parts of the processor's caches hold them.
SCRATCH holds the inputs that profile.sh made. Needs valgrind.
"""
import collections
import pathlib
import re
import subprocess
import sys

STORY = "Fixtures/LetterShuffle"
DSYM = f"{STORY}/Letter Shuffle.app.dSYM"

program, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
# Without what only debuggers read, which valgrind would read, too.
stripped = scratch / "symbolicate"
subprocess.run(["strip", "-g", program, "-o", stripped], check=True)


def calls(arguments, lines=()):
    """How often a run with these arguments and lines of standard input calls each function."""
    counts = scratch / "order.callgrind"
    subprocess.run(
        ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={counts}", stripped, *arguments],
        input="".join(lines), text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={})
    names, called, calls, function = {}, None, collections.Counter(), None
    # A name is written once, behind its number.
    for kind, number, name in re.findall(
            r"^(fn=|cfn=|calls=)(?:\((\d+)\))?(.*)$", counts.read_text(), re.MULTILINE):
        if kind == "calls=":
            calls[names[called]] += int(name.split()[0])
            continue
        if name:
            # Calls of a function by itself have a number behind the name.
            names[number] = re.sub(r"'\d+$", "", name.strip())
        if kind == "cfn=":
            called = number
        else:
            calls[names[number]] += 0
    return calls


def records(kind, count):
    with open(scratch / f"{kind}.ndjson", encoding="utf-8") as lines:
        return [line for line, _ in zip(lines, range(count))]


worker = ["worker", "--search", STORY, "--index-dir", scratch / "indexes", "--output"]
of_each_record = [(100, calls([*worker, "json"], records("story", 100))),
                (100, calls([*worker, "json"], records("frames", 100))),
                (5, calls([*worker, "json"], records("ips", 5)))]
addresses = (scratch / "addresses").read_text().splitlines(keepends=True)[:300]
of_runs = [calls(["atos", "-o", DSYM, "-arch", "arm64", "-l", "0x100228000", "0x10024f19c"]),
          calls(["atos", "-o", program, "-i", "-no-index"], addresses),
          calls(["atos", "-o", program, "-index-dir", scratch / "indexes"], addresses)]
for output in ["report", "json", "summary"]:
    of_runs.append(calls([f"{STORY}/letter-shuffle.crash", "--search", STORY, "--format", output]))

often = {name: count for least, counts in of_each_record for name, count in counts.items()
         if count >= least}
runs = collections.Counter(
    name for counts in of_runs + [counts for _, counts in of_each_record] for name in counts)
# What one run alone calls is not worth its line.
runs = {name: count for name, count in runs.items() if count > 1}
for counts, names in [(often, often.keys()), (runs, runs.keys() - often.keys())]:
    for name in sorted(names, key=lambda name: (-counts[name], name)):
        # A function without a name has an address in the place of it.
        if not name.startswith(("0x", "(")):
            print(name)
