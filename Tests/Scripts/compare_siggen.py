#!/usr/bin/env python3
"""Compares signatures with those of siggen, the library with which Mozilla groups crashes.

usage: compare_siggen.py PROGRAM PATH… [-d SYMBOLS]… [--all]

Needs siggen (PyPI), which no other part of the project does. Each report below PATH is symbolicated
as NDJSON. Both get the same frames: siggen the crashed thread with names, files and offsets. Printed
are the reports whose signatures differ, by why they do, and the pairs of reports that one of the two
puts together and the other does not. --all prints every report.
"""

import argparse
import collections
import json
import os
import subprocess
import sys

from siggen.generator import SignatureGenerator


def reports(program, paths, symbols):
    """Each report of each file, as the program writes it."""
    options = [word for path in symbols for word in ("-d", path)]
    for path in paths:
        names = sorted(
            os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names
        ) or [path]
        for name in names:
            run = subprocess.run(
                [program, name, "--format", "ndjson", *options], capture_output=True, check=False
            )
            for line in run.stdout.splitlines():
                if line.startswith(b'{"schema":"symbolicate-report"'):
                    yield json.loads(line)


def backtrace(report):
    """The backtrace that the signature is made from, by the rules of docs/signature.md."""
    filled = [entry for entry in report["backtraces"] if entry["frames"] and not entry["tree"]]
    for kind in ("lastException", "applicationSpecific"):
        for entry in filled:
            if entry["kind"] == kind:
                return entry
    for entry in filled:
        if entry["crashed"]:
            return entry
    return filled[0] if len(filled) == 1 else None


def theirs(report, frames):
    """siggen's signature of the same frames."""
    thread = [
        {
            "frame": number,
            "module": frame["imageName"] or "",
            "function": frame["function"] or "",
            "file": frame["file"] or "",
            "line": frame["line"],
            "module_offset": hex(frame["imageOffset"] or 0),
            "offset": frame["address"] or "0x0",
        }
        for number, frame in enumerate(frames)
    ]
    crash = {
        "os": "Mac OS X",
        "crashing_thread": 0,
        "threads": [{"frames": thread}],
        "reason": report["exception"]["type"] or report["exception"]["signal"] or "",
    }
    return SignatureGenerator().generate(crash).signature


def why(report, ours, their_frames):
    """Why two signatures differ, the first reason that applies."""
    names = ours["frames"]
    if not their_frames or their_frames[0].startswith("EMPTY"):
        return "siggen finds no frame"
    bare = [name.split("(")[0] for name in names]
    if any("+0x" in name for name in names):
        return "no symbols: ours has image and offset, siggen's the module and its own form"
    shown = " | ".join(their_frames)
    found = sum(name.rstrip(":") in shown for name in bare)
    if found == 0:
        return "siggen stops in system code; ours goes on to the app"
    if found < len(bare):
        return "ours takes three frames of the app; siggen stops at the first relevant one"
    return "the same frames: ours has the exception in front, siggen's fewer or more frames of the system"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("-d", action="append", default=[], dest="symbols")
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    reasons = collections.Counter()
    examples = {}
    groups = (collections.defaultdict(list), collections.defaultdict(list))
    for report in reports(arguments.program, arguments.paths, arguments.symbols):
        ours = report["signature"]
        found = backtrace(report)
        if report["event"] != "crash" or ours is None or found is None:
            reasons["left out: no crash, or no backtrace of it"] += 1
            continue
        their = theirs(report, found["frames"])
        groups[0][ours["text"]].append((report["input"], their))
        groups[1][their].append((report["input"], ours["text"]))
        reason = why(report, ours, their.split(" | "))
        reasons[reason] += 1
        examples.setdefault(reason, (report["input"], ours["text"], their))
        if arguments.all:
            print(f"{report['input']}\n  ours    {ours['text']}\n  siggen  {their}")
    for reason, count in reasons.most_common():
        print(f"{count:5}  {reason}")
        if reason in examples:
            path, ours, their = examples[reason]
            print(f"         {path}\n           ours    {ours[:150]}\n           siggen  {their[:150]}")
    for name, table in (("one group of ours, several of siggen's", groups[0]),
                        ("one group of siggen's, several of ours", groups[1])):
        split = {key: entries for key, entries in table.items()
                 if len({other for _, other in entries}) > 1}
        print(f"\n{len(split)} of {len(table)}: {name}")
        for key, entries in sorted(split.items(), key=lambda item: -len(item[1])):
            print(f"  {key[:150]}")
            for other in sorted({other for _, other in entries}):
                print(f"      {sum(o == other for _, o in entries)}  {other[:150]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
