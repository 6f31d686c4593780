#!/usr/bin/env python3
"""Counts the parts of reports of crash SDKs, with Python's own JSON reader, or from the bytes of a
.plcrash, and nothing else.

Prints one line a file: backtraces, frames, images, frames with a name and the sum of all frame
addresses, then the path. The tests of CrashLogParser compare its results with these. The script
knows no format: an object with an address of a frame is a frame, wherever it is.
"""
import json
import re
import sys

FRAME_KEYS = ("instruction_addr", "frameAddress", "symbol_address")
NAME_KEYS = ("symbol_name", "function", "method", "method_name")


def number(value, key):
    if isinstance(value, str):
        return int(value, 16) if key == "symbol_address" or value.startswith("0x") else int(value)
    return value


def is_named(frame):
    name = next((frame[key] for key in NAME_KEYS if frame.get(key)), None)
    if name is None or name.startswith("<redacted"):
        return False
    if re.fullmatch("0x[0-9a-f]{1,16}", name):
        return False
    start = frame.get("symbol_addr", frame.get("symbolAddress"))
    base = frame.get("object_addr", frame.get("image_addr", frame.get("machoLoadAddress")))
    # The symbol of a Mach-O header is at the start of its image.
    is_header = re.fullmatch("_?_mh_(execute|dylib)_header", name) and start == base
    return not is_header


class Counter:
    def __init__(self):
        self.backtraces = self.frames = self.images = self.named = self.addresses = 0
        self.bugsnag_images = set()

    def walk(self, value):
        if isinstance(value, list):
            for element in value:
                self.walk(element)
            return
        if not isinstance(value, dict):
            return
        key = next((key for key in FRAME_KEYS if key in value), None)
        if key and ("backtrace" not in value):
            self.frames += 1
            self.named += is_named(value)
            self.addresses += number(value[key], key)
            if "machoLoadAddress" in value:
                self.bugsnag_images.add(value["machoLoadAddress"])
        elif "image_addr" in value or "start_addr" in value and "end_addr" in value:
            self.images += 1
        lists = [value[key] for key in ("frames", "stacktrace") if isinstance(value.get(key), list)]
        is_stack = any(
            all(isinstance(element, dict) for element in each)
            and (each or "sequence" in value or "errorReportingThread" in value)
            for each in lists)
        if is_stack or "current_thread" in value and "crashed" in value and "index" in value:
            self.backtraces += 1
        for member in value.values():
            self.walk(member)


def varint(data, position):
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, position


def fields(data):
    position = 0
    while position < len(data):
        tag, position = varint(data, position)
        if tag & 7 == 0:
            value, position = varint(data, position)
        elif tag & 7 == 2:
            length, position = varint(data, position)
            value, position = data[position:position + length], position + length
        else:
            raise ValueError(f"wire type {tag & 7}")
        yield tag >> 3, value


def count_plcrash(counter, data):
    # 3: a thread with frames (2), 5: an exception with frames (3), 4: an image. A frame has an
    # address (3) and a symbol (6).
    for key, message in fields(data[8:]):
        if key == 4:
            counter.images += 1
        if key not in (3, 5):
            continue
        frames = [dict(fields(value)) for k, value in fields(message) if k == (2 if key == 3 else 3)]
        counter.backtraces += key == 3 or bool(frames)
        counter.frames += len(frames)
        counter.addresses += sum(frame[3] for frame in frames)
        counter.named += sum(6 in frame for frame in frames)


for path in sys.argv[1:]:
    data = open(path, "rb").read()
    counter = Counter()
    if data.startswith(b"plcrash"):
        count_plcrash(counter, data)
    else:
        # Two reports of the collection have commas that JSON forbids.
        text = data.decode("utf-8")
        try:
            counter.walk(json.loads(text))
        except json.JSONDecodeError:
            counter.walk(json.loads(re.sub(r",(\s*[}\]])", r"\1", text)))
        counter.images += len(counter.bugsnag_images)
    print(
        counter.backtraces, counter.frames, counter.images, counter.named,
        counter.addresses & 0xFFFF_FFFF_FFFF_FFFF, path, sep="\t")
