#!/usr/bin/env python3
"""Checks what `symbolicate index --learn` learns, with a collection of real reports.

    Tests/Scripts/learn_system_names.py PROGRAM DIRECTORY

All `.ips` reports below DIRECTORY that name frames of system images are split: into two halves by
turns, so that reports of one OS build are in both; one against all others; and each address in a
system image into one of two halves. The program learns from one part. In the other part all names of
system frames are blanked, it is symbolicated, and each name is compared with Apple's. A wrong name is
a failure; a missing one is not.

Then the program learns from all of them and symbolicates the reports in other formats (MetricKit,
KSCrash, PLCrashReporter, texts) that have the UUID of an image in common with them.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

NAME_KEYS = ("symbol", "symbolLocation", "sourceFile", "sourceLine", "inline")
SYSTEM = ("/System/", "/usr/lib/", "/usr/libexec/", "/usr/bin/", "/usr/sbin/")
UUID = re.compile(rb"[0-9A-Fa-f]{8}-?(?:[0-9A-Fa-f]{4}-?){3}[0-9A-Fa-f]{12}")


class Report:
    """An `.ips` report: its header line, and its body as JSON."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        self.header, _, body = text.partition("\n")
        self.body = json.loads(body)
        self.images = self.body["usedImages"]

    def frames(self):
        stacks = [thread.get("frames") or [] for thread in self.body.get("threads") or []]
        stacks.append(self.body.get("lastExceptionBacktrace") or [])
        for stack in stacks:
            yield from stack

    def system_frames(self):
        for frame in self.frames():
            index = frame.get("imageIndex")
            if not isinstance(index, int) or index >= len(self.images) or frame.get("inline"):
                continue
            image = self.images[index]
            if "symbol" in frame and "symbolLocation" in frame:
                if (image.get("path") or "").startswith(SYSTEM):
                    yield image.get("uuid"), frame

    def text(self):
        return self.header + "\n" + json.dumps(self.body)

    def uuids(self):
        return {uuid for uuid, _ in self.system_frames()}


def reports(directory):
    found = []
    for folder, folders, names in os.walk(directory):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.getsize(path) > 64 << 20:
                continue
            try:
                report = Report(path)
                if any(True for _ in report.system_frames()):
                    found.append(report)
            except (ValueError, KeyError, TypeError, AttributeError):
                pass
    return found


class Program:
    def __init__(self, path, directory):
        self.path = path
        self.directory = directory
        self.cache = 0

    def learn(self, paths):
        """Learns from reports into a cache of its own; returns the variables that name it."""
        self.cache += 1
        variables = dict(os.environ, XDG_CACHE_HOME=f"{self.directory}/cache{self.cache}")
        variables.pop("DEBUGINFOD_URLS", None)
        subprocess.run(
            [self.path, "index", "--learn", *paths], env=variables, check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return variables

    def run(self, arguments, variables, content=None):
        return subprocess.run(
            [self.path, *arguments], env=variables, input=content, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, check=False).stdout


def blanked(report, is_blanked):
    """A copy of the report without the names of some system frames."""
    copy = Report(report.path)
    for _, frame in list(copy.system_frames()):
        if is_blanked(frame):
            for key in NAME_KEYS:
                frame.pop(key, None)
    return copy


def compare(program, variables, report, is_blanked=lambda frame: True):
    """The counts of regained, wrong and missing names of the report's system frames."""
    blank = blanked(report, is_blanked)
    output = program.run(["-", "--format", "ips"], variables, blank.text().encode())
    done = json.loads(output.decode().partition("\n")[2])
    stacks = [thread.get("frames") or [] for thread in done.get("threads") or []]
    stacks.append(done.get("lastExceptionBacktrace") or [])
    answers = [frame for stack in stacks for frame in stack]
    counts = [0, 0, 0]
    asked = {id(frame) for _, frame in report.system_frames() if is_blanked(frame)}
    for frame, answer in zip(report.frames(), answers, strict=True):
        if id(frame) not in asked:
            continue
        name = answer.get("symbol")
        if name is None:
            counts[2] += 1
        elif (name, answer.get("symbolLocation")) == (frame["symbol"], frame["symbolLocation"]):
            counts[0] += 1
        else:
            counts[1] += 1
            print(f"WRONG in {report.path}: {name}, not {frame['symbol']}")
    return counts


def in_half(frame, half):
    """Whether the frame's address is in that half: never two frames at one address in both."""
    return frame["imageOffset"] // 4 % 2 == half


def total(title, rows):
    sums = [sum(column) for column in zip(*rows)] or [0, 0, 0]
    print(f"{title}: {sums[0]} regained, {sums[1]} wrong, {sums[2]} without a name")
    return sums[1]


def neighbours(program, variables, known, paths):
    """Frames with names, without and with what was learnt, of reports in other formats."""
    plain = dict(variables, XDG_CACHE_HOME=f"{program.directory}/empty")
    rows = {}
    for path in paths:
        with open(path, "rb") as file:
            content = file.read()
        found = {match.group().replace(b"-", b"").upper() for match in UUID.finditer(content)}
        if not found & known:
            continue
        counts = []
        kind = "?"
        for environment in (plain, variables):
            try:
                document = json.loads(program.run([path, "--format", "json"], environment))
            except ValueError:
                break
            frames = [
                frame for report in document["reports"] for backtrace in report["backtraces"]
                for frame in backtrace["frames"]]
            kind = document["reports"][0]["format"] if document["reports"] else "?"
            counts.append((sum(1 for frame in frames if frame["function"]), len(frames)))
        if len(counts) == 2 and kind != "ips":
            rows.setdefault(kind, []).append((counts[0][0], counts[1][0], counts[0][1]))
    for kind, counts in sorted(rows.items()):
        before, after, frames = (sum(column) for column in zip(*counts))
        print(f"{kind}: {len(counts)} reports, {before} of {frames} frames named before, {after} after")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program_path, directory = os.path.abspath(sys.argv[1]), sys.argv[2]
    found = reports(directory)
    with tempfile.TemporaryDirectory() as scratch:
        program = Program(program_path, scratch)
        wrong = 0
        for first in (0, 1):
            lessons, tests = found[first::2], found[1 - first::2]
            variables = program.learn([report.path for report in lessons])
            wrong += total(
                f"half {first + 1} ({len(lessons)} lessons, {len(tests)} tests)",
                [compare(program, variables, report) for report in tests])
        rows = []
        for report in found:
            others = [other.path for other in found
                      if other is not report and other.uuids() & report.uuids()]
            if others:
                rows.append(compare(program, program.learn(others), report))
        wrong += total(f"each of {len(rows)} reports with neighbours against all others", rows)
        for half in (0, 1):
            paths = []
            for number, report in enumerate(found):
                paths.append(f"{scratch}/lesson{half}-{number}.ips")
                with open(paths[-1], "w", encoding="utf-8") as file:
                    file.write(blanked(report, lambda frame: in_half(frame, half)).text())
            variables = program.learn(paths)
            wrong += total(
                f"half {half + 1} of the addresses",
                [compare(program, variables, report, lambda frame: in_half(frame, half))
                 for report in found])
        variables = program.learn([report.path for report in found])
        known = {uuid.replace("-", "").upper().encode()
                 for report in found for uuid in report.uuids() if uuid}
        paths = [os.path.join(folder, name)
                 for folder, _, names in os.walk(directory) for name in sorted(names)]
        neighbours(program, variables, known, sorted(paths))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
