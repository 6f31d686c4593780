#!/usr/bin/env python3
"""Counts the parts of crash reports as JSON, with Python's own JSON reader and nothing else.

Prints one line a file: threads, frames (of the threads and the last exception), images, frames with a
symbol and the sum of all frame addresses, then the path. The tests of CrashLogParser compare its
results with these. A report is the first object that begins a line and has threads and images.
"""
import json
import re
import sys

for path in sys.argv[1:]:
    text = open(path, "rb").read().decode("utf-8")
    for match in re.finditer(r"^\{", text, re.MULTILINE):
        body, _ = json.JSONDecoder().raw_decode(text, match.start())
        if "threads" in body and "usedImages" in body:
            break
    else:
        raise SystemExit(f"no report in {path}")
    images = body["usedImages"]
    frames = [frame for thread in body["threads"] for frame in thread["frames"]]
    frames += body.get("lastExceptionBacktrace", [])
    addresses = sum(
        images[frame["imageIndex"]]["base"] + frame["imageOffset"] for frame in frames)
    print(
        len(body["threads"]), len(frames), len(images), sum("symbol" in frame for frame in frames),
        addresses & 0xFFFF_FFFF_FFFF_FFFF, path, sep="\t")
