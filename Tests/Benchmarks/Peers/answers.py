"""Parses the output of the tools into answers: for each address, its frames, innermost first."""
import os
import re
from collections import namedtuple

# `file` has no directory. If the tool does not know it, it is empty, and `line` is 0.
Frame = namedtuple("Frame", "name file line")

ATOS = re.compile(r"(?P<name>.*) \(in .*?\)(?: \((?P<file>.*):(?P<line>\d+)\))?(?: \+ \d+)?")
GSYM = re.compile(
    r"(?:0x[0-9a-f]+:)?\s+(?P<name>.*?)(?: \+ \d+)?(?: @ (?P<file>.*):(?P<line>\d+))?(?: \[inlined\])?")


def frame(name, path, line):
    file = os.path.basename(path)
    known = file not in ("", "??")
    return Frame("" if name == "??" else name, file if known else "", int(line) if known and line.isdigit() else 0)


def of_atos(text):
    """One line per frame, and an empty line after each address. An address without an answer is echoed."""
    answers = []
    for block in text.split("\n\n")[:-1]:
        matches = [ATOS.fullmatch(line) for line in block.strip("\n").split("\n")]
        answers.append([frame(m["name"], m["file"] or "", m["line"] or "") for m in matches if m])
    return answers


def of_pairs(lines):
    """Alternating lines with the name and the location, as all tools of the addr2line family print."""
    frames = []
    for name, place in zip(lines[::2], lines[1::2]):
        # GNU: "file:line (discriminator 3)"; elfutils: "function inlined at file:line:column in function".
        place = place.partition(" (")[0]
        parts = re.fullmatch(r"(.*?):(\d+|\?)(?::\d+)?", place)
        frames.append(frame(name.partition(" inlined at ")[0], *(parts.groups() if parts else ("", ""))))
    return [frame for frame in frames if frame != Frame("", "", 0)]


def of_llvm(text):
    """Pairs of lines, and an empty line after each address."""
    return [of_pairs(block.strip("\n").split("\n")) for block in text.split("\n\n")[:-1]]


def of_addr2line(text):
    """The address (option -a), followed by pairs of lines. gimli's driver prints the same, and an empty line."""
    blocks = re.split(r"^0x[0-9a-f]+\n", text, flags=re.MULTILINE)[1:]
    return [of_pairs(block.rstrip("\n").split("\n")) for block in blocks]


def of_gsym(text):
    """One line per frame, the first behind the address, and an empty line after each address."""
    answers = []
    for block in text.split("\n\n")[:-1]:
        lines = block.strip("\n").split("\n")
        if ": error:" in lines[0] or "not in GSYM" in lines[0]:
            answers.append([])
            continue
        matches = [GSYM.fullmatch(line) for line in lines]
        answers.append([frame(m["name"], m["file"] or "", m["line"] or "") for m in matches if m])
    return answers


def of_tabs(text):
    """The output of symbolic_peer.py: name, path and line separated by tabs, an empty line after each address."""
    return [
        [frame(*line.split("\t")) for line in block.split("\n") if line]
        for block in text.split("\n\n")[:-1]]
