"""Runs a case under strace: to see its calls, or to make one of them fail."""
import collections
import os
import re
import shutil
import subprocess
import tempfile

# PID, call, arguments and result, as `strace -f -o` writes them.
LINE = re.compile(r"^\d+ +(\w+)\((.*)$")
# The first call of the program itself: whether its standard streams are open. What comes before are
# the C library and Swift's runtime.
FIRST = "poll"


def unavailable():
    """Why nothing can be traced here; None if it can."""
    if not shutil.which("strace"):
        return "strace is not installed"
    probe = subprocess.run(
        ["strace", "-f", "-e", "inject=getcwd:error=EIO", "/bin/true"], capture_output=True,
        text=True)
    return None if probe.returncode == 0 else "strace may not trace: " + probe.stderr.strip()


def calls(case):
    """The arguments of each call, by its name, in order; of several threads those of the busiest. None
    for a call before the program begins."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    with tempfile.NamedTemporaryFile("r", prefix="trace-") as trace:
        case.run(["strace", "-f", "-qq", "-y", "-o", trace.name])
        has_begun = False
        for line in trace:
            match = LINE.match(line)
            if not match:
                continue
            has_begun = has_begun or match[1] == FIRST
            found[match[1]][line.split()[0]].append(match[2].strip() if has_begun else None)
    if not has_begun:
        raise SystemExit(f"{case.name}: the program does not begin with {FIRST}")
    return {call: max(threads.values(), key=len) for call, threads in found.items()}


def is_of_file(arguments):
    """Whether a call of mmap maps a file."""
    fields = arguments.split(", ")
    return len(fields) > 4 and not fields[4].startswith("-1")


def run(case, call, error, index):
    """The result, and the arguments of the call that failed; None if it was not met."""
    with tempfile.NamedTemporaryFile("r", prefix="trace-") as trace:
        result = case.run([
            "strace", "-f", "-qq", "-y", "-o", trace.name, "-e", f"trace={call}",
            "-e", f"inject={call}:error={error}:when={index}",
        ])
        injected = [line for line in trace if "(INJECTED)" in line]
    if not injected:
        return result, None
    match = LINE.match(injected[0])
    return result, (match[2] if match else injected[0]).strip()
