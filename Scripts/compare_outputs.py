#!/usr/bin/env python3
"""Compares what two builds of `symbolicate` print and write, byte for byte.

    compare_outputs.py OLD NEW [--corpus DIRECTORY] [--quick [N]] [--only TEXT] [--jobs N]

OLD and NEW are programs. Both run every command over every file of Fixtures and, if given, of
DIRECTORY, a collection of reports and symbol files: reports in all formats and with all options that
change the output, `atos`, `index`, `uuid`, `check`, `doctor`, `group`, `worker`, `dsym-for-uuid`,
help, completions and wrong usage. `compare_cases.py` has the list. Standard output, standard error,
the files that a run writes and exit statuses must be the same.

The two runs of a case see the same paths: an empty folder, which is put aside after the first one.
They have the same small environment, a cache of their own and no server. So nothing is masked but
the commit in `--version`.

Prints each difference and its place. Exits with 1 if anything differs. `--list` prints the cases.
"""
import argparse
import concurrent.futures
import difflib
import errno
import fcntl
import hashlib
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import zlib

import compare_cases

# Only `--version` prints the commit and its date.
STAMP = re.compile(rb"(symbolicate \d+\.\d+\.\d+) \([0-9a-f]+(?:-dirty)?, \d{4}-\d\d-\d\d\)")
TIMEOUT = 600


class Result:
    """What one run of a case printed and wrote."""

    def __init__(self):
        self.statuses, self.output, self.messages, self.files = [], [], [], {}


class Folder:
    """A folder in which both sides of a case run, one after the other."""

    def __init__(self, root, number):
        self.path = root / str(number)
        self.aside = root / f"{number}.old"

    def empty(self):
        for path in (self.path, self.aside):
            if path.exists():
                shutil.rmtree(path)


def environment(folder, columns):
    values = {
        "PATH": "/usr/bin:/bin", "HOME": f"{folder}/home", "XDG_CACHE_HOME": f"{folder}/cache",
        "TMPDIR": f"{folder}/tmp", "TZ": "UTC", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
    }
    if columns:
        values["COLUMNS"] = str(columns)
    return values


def run_on_terminal(call, standard_input):
    """Runs with standard output on a terminal of 90 columns; standard error stays a pipe."""
    leader, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 90, 0, 0))
    with subprocess.Popen(
            stdin=subprocess.PIPE, stdout=terminal, stderr=subprocess.PIPE, **call) as process:
        os.close(terminal)
        messages = []
        reader = threading.Thread(target=lambda: messages.append(process.stderr.read()))
        reader.start()
        process.stdin.write(standard_input)
        process.stdin.close()
        output = bytearray()
        while True:
            try:
                read = os.read(leader, 1 << 16)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                break
            if not read:
                break
            output += read
        reader.join()
        status = process.wait()
    os.close(leader)
    return status, bytes(output), messages[0]


def run_step(program, step, folder):
    work = folder / "work"
    call = {
        "args": [step.name, *map(str, step.arguments)], "executable": program, "cwd": work,
        "env": environment(folder, step.columns),
    }
    given = step.input.read_bytes() if isinstance(step.input, pathlib.Path) else step.input
    if step.input_file:
        given = (work / step.input_file).read_bytes()
    if step.on_terminal:
        return run_on_terminal(call, given)
    try:
        done = subprocess.run(input=given, capture_output=True, timeout=TIMEOUT, check=False, **call)
    except subprocess.TimeoutExpired:
        return "timeout", b"", b""
    return done.returncode, done.stdout, done.stderr


def written(folder):
    """Each file and folder below `folder`: its mode, and what is in it."""
    entries = {}
    for path in sorted(folder.rglob("*")):
        state = path.lstat()
        if path.is_symlink():
            content = os.readlink(path)
        else:
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        entries[str(path.relative_to(folder))] = (oct(state.st_mode), content)
    return entries


def run_side(program, case, folder):
    (folder / "work").mkdir(parents=True)
    for name, source in case.copies:
        target = folder / "work" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, bytes):
            target.write_bytes(source)
        else:
            shutil.copyfile(source, target)
    result = Result()
    for step in case.steps:
        status, output, messages = run_step(program, step, folder)
        if step.shows_version:
            output = STAMP.sub(rb"\1", output)
        if step.output_file:
            (folder / "work" / step.output_file).write_bytes(output)
        result.statuses.append(status)
        result.output.append(output)
        result.messages.append(messages)
    result.files = written(folder)
    return result


def first_difference(before, after):
    """The first lines that differ, for people."""
    if before == after:
        return ""
    offset = next(
        (index for index, pair in enumerate(zip(before, after)) if pair[0] != pair[1]),
        min(len(before), len(after)))
    start = before.rfind(b"\n", 0, offset) + 1
    lines = []
    for sign, text in (("-", before), ("+", after)):
        end = text.find(b"\n", offset)
        line = text[max(start, offset - 60):end if end >= 0 else None]
        lines.append(f"    {sign} {line[:160].decode(errors='replace')}")
    return f" at byte {offset}\n" + "\n".join(lines)


def differences(before, after, folder):
    """(kind, description) of each difference."""
    found = []
    for index, (old, new) in enumerate(zip(before.statuses, after.statuses)):
        if old != new:
            found.append(("status", f"status of run {index + 1}: {old} and {new}"))
    for kind, name, olds, news in (
            ("output", "standard output", before.output, after.output),
            ("messages", "standard error", before.messages, after.messages)):
        for index, (old, new) in enumerate(zip(olds, news)):
            if old != new:
                place = first_difference(old, new)
                found.append((kind, f"{name} of run {index + 1}{place}"))
    for name in sorted(before.files.keys() | after.files.keys()):
        old, new = before.files.get(name), after.files.get(name)
        if old == new:
            continue
        if old is None or new is None:
            found.append(("files", f"{name} is written by {'NEW' if old is None else 'OLD'} only"))
            continue
        place = f": mode {old[0]} and {new[0]}" if old[0] != new[0] else ""
        if not place and (folder.path / name).is_file():
            place = first_difference(
                (folder.aside / name).read_bytes(), (folder.path / name).read_bytes())
        found.append(("files", f"{name}{place}"))
    return found


def keep(directory, number, case, folder, before, after):
    """Leaves both sides of a case in `directory`."""
    target = directory / f"{number:04}"
    shutil.rmtree(target, ignore_errors=True)
    for side, path, result in (("old", folder.aside, before), ("new", folder.path, after)):
        shutil.copytree(path, target / side, symlinks=True)
        (target / f"{side}.stdout").write_bytes(b"".join(result.output))
        (target / f"{side}.stderr").write_bytes(b"".join(result.messages))
    (target / "case").write_text(case.title + "\n")


def quick_sample(cases, count):
    """The same few cases of each kind in every run."""
    kinds = {}
    for case in cases:
        kinds.setdefault(case.kind, []).append(case)
    return [
        case for of_kind in kinds.values()
        for case in sorted(of_kind, key=lambda case: zlib.crc32(case.title.encode()))[:count]]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--corpus", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose line in --list has TEXT")
    parser.add_argument(
        "--quick", type=int, nargs="?", const=120, metavar="N", help="N cases of each kind (default: 120)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument(
        "--ignore-stderr", action="store_true",
        help="count differences of standard error, but do not print them or fail for them")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIRECTORY", help="keep what differs there")
    parser.add_argument("--list", action="store_true", help="print the cases, and run nothing")
    arguments = parser.parse_args()
    old, new = os.path.abspath(arguments.old), os.path.abspath(arguments.new)

    cases = [
        case for case in compare_cases.all_cases(old, arguments.corpus)
        if arguments.only in f"{case.kind}: {case.title}"]
    if arguments.quick:
        cases = quick_sample(cases, arguments.quick)
    if arguments.list:
        for case in cases:
            print(f"{case.kind}: {case.title}")
        return 0

    places = [compare_cases.FIXTURES] + ([arguments.corpus] if arguments.corpus else [])
    inputs = [compare_cases.stamps(place) for place in places]
    counts = {"status": 0, "output": 0, "files": 0, "messages": 0}
    different = 0
    with tempfile.TemporaryDirectory(prefix="compare-outputs-") as scratch:
        root = pathlib.Path(scratch).resolve()
        folders, lock = [], threading.Lock()
        local = threading.local()

        def compare(numbered):
            number, case = numbered
            if not hasattr(local, "folder"):
                with lock:
                    local.folder = Folder(root, len(folders))
                    folders.append(local.folder)
            folder = local.folder
            folder.empty()
            before = run_side(old, case, folder.path)
            folder.path.rename(folder.aside)
            after = run_side(new, case, folder.path)
            found = differences(before, after, folder)
            if found and arguments.keep:
                keep(arguments.keep, number, case, folder, before, after)
            return number, case, found

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for number, case, found in pool.map(compare, enumerate(cases, 1)):
                for kind in {kind for kind, _ in found}:
                    counts[kind] += 1
                shown = [
                    text for kind, text in found if kind != "messages" or not arguments.ignore_stderr]
                if shown:
                    different += 1
                    print(f"{number:04} {case.kind}: {case.title}", flush=True)
                    for text in shown:
                        print(f"  {text}", flush=True)
                if number % 1000 == 0 and sys.stderr.isatty():
                    print(f"{number} of {len(cases)}", file=sys.stderr)
    print(
        f"{len(cases)} cases compared, {different} different: standard output {counts['output']}, "
        f"files {counts['files']}, exit status {counts['status']}, "
        f"standard error {counts['messages']}{' (not shown)' if arguments.ignore_stderr else ''}")
    if inputs != [compare_cases.stamps(place) for place in places]:
        print("A run changed an input: the comparison is worth nothing.")
        return 1
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
