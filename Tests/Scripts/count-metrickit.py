#!/usr/bin/env python3
"""Counts the parts of MetricKit's diagnostics, with Python's own JSON reader and nothing else.

Prints one line a file: diagnostics, stacks, frames, distinct images, the sum of all frame addresses,
the sum of all sample counts, and the depth of the deepest frame, then the path. The tests of
CrashLogParser compare its results with these. For a file that is cut, the frames are counted in its
text.
"""
import json
import re
import sys

PAGE = 4096


def trees(value):
    """The trees below a value, a list for each diagnostic."""
    if isinstance(value, dict):
        if "callStackTree" in value:
            tree = value["callStackTree"]
            yield tree if isinstance(tree, list) else [tree]
        elif "callStacks" in value or "callStackThreads" in value:
            yield [value]
        else:
            for inner in value.values():
                yield from trees(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from trees(inner)


def frames(stack):
    """All frames of a stack, each with its depth."""
    roots = stack.get("callStackRootFrames", stack.get("rootFrames", []))
    open_frames = [(frame, 0) for frame in roots]
    while open_frames:
        frame, depth = open_frames.pop()
        yield frame, depth
        open_frames += [(inner, depth + 1) for inner in frame.get("subFrames") or []]


def place(frame):
    """The start of the image and the address of a frame."""
    address, offset = int(frame["address"]), int(frame["offsetIntoBinaryTextSegment"])
    if offset > address:
        return 0, offset
    if offset % PAGE == 0 and 2 * offset > address:
        return offset, address
    base = address - offset
    return (base - 1 if base % PAGE == 1 else base), address


def counts(text):
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        addresses = [int(number) for number in re.findall(r'"address"\s*:\s*(\d+)', text)]
        samples = [int(number) for number in re.findall(r'"sampleCount"\s*:\s*(\d+)', text)]
        identities = set(re.findall(r'"binaryUUID"\s*:\s*"([^"]*)"', text))
        return [1, len(re.findall(r'"callStackRootFrames"', text)), len(addresses),
                len(identities), sum(addresses), sum(samples), "-"]
    found = list(trees(document))
    stacks = [stack for diagnostic in found for tree in diagnostic
              for stack in tree.get("callStacks", tree.get("callStackThreads", []))]
    images = 0
    for diagnostic in found:
        images += len({
            (frame["binaryUUID"], place(frame)[0]) for tree in diagnostic
            for stack in tree.get("callStacks", tree.get("callStackThreads", []))
            for frame, _ in frames(stack)})
    everything = [pair for stack in stacks for pair in frames(stack)]
    return [len(found), len(stacks), len(everything), images,
            sum(place(frame)[1] for frame, _ in everything),
            sum(int(frame["sampleCount"]) for frame, _ in everything),
            max((depth for _, depth in everything), default=0)]


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        print(*counts(file.read()), path, sep="\t")
