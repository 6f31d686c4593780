#!/usr/bin/env python3
"""Counts the parts of crash reports as text, with regular expressions and nothing else.

Prints one line a file: threads, frames, images and the sum of all frame addresses, then the path.
The tests of CrashLogParser compare its results with these. The expressions describe single lines;
there are no sections here, so a difference shows where the section decides.
"""
import re
import sys

THREAD = re.compile(r"^Thread (\d+)( Crashed| Highlighted)?:(?:(:)? (.*?) *)?$")
FRAME = re.compile(r"^(\d+)( +)(.+?)([ \t]+)(0x[0-9a-fA-F]{1,16}|0{18})([ \t]+)(.*)$")
IMAGE_ARCHITECTURE = re.compile(
    r"^[ \t]*(0x[0-9a-fA-F]+) - +(0x[0-9a-fA-F]+) ([+ ]?)(.+?) "
    r"(arm64e?|armv\d\w*|arm|x86_64h?|i386|unknown-arch) +<([0-9a-f]{32}|\(null\))> (.+)$")
IMAGE_VERSION = re.compile(
    r"^[ \t]*(0x[0-9a-fA-F]+) - +(0x[0-9a-fA-F]+) ([+ ]?)(.+?) \((.*)\) +"
    r"<([0-9A-Fa-f-]{36}|[0-9a-f]{32})> (.+)$")

for path in sys.argv[1:]:
    text = open(path, "rb").read().decode("utf-8", "replace").replace("\u00a0", " ")
    threads = frames = images = addresses = 0
    for line in text.split("\n"):
        line = line.rstrip("\r")
        if line == "Full Report":
            break
        if THREAD.match(line):
            threads += 1
        frame = FRAME.match(line)
        if frame:
            frames += 1
            addresses += int(frame.group(5), 16)
        if IMAGE_ARCHITECTURE.match(line) or IMAGE_VERSION.match(line):
            images += 1
    print(threads, frames, images, addresses & 0xFFFF_FFFF_FFFF_FFFF, path, sep="\t")
