"""Runs of the program, and what is wrong with one."""

import json
import os
import re
import signal
import subprocess
import sys

SECONDS = 10
MEGABYTES = 1024
# docs/cli.md and docs/atos.md: the statuses of each command.
STATUSES = {
    "report": {0, 3, 65, 66}, "index": {0, 65, 66}, "uuid": {0, 65, 66}, "check": {0, 2, 65, 66},
    "doctor": {0, 2, 65, 66}, "atos": {0, 1},
}
# On standard error nothing may drive a terminal, and nothing may come from a crash of the runtime.
RAW = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# What the Swift runtime prints of a crash. Evidence from reports has other asterisks.
CRASH = re.compile(
    r"^\S+\.swift:\d+: Fatal error|Current stack trace:|\*\*\* (Program crashed|Signal \d+: Back)|^==\d+==ERROR: AddressSanitizer:",
    re.MULTILINE)


class Outcome:
    """What was wrong with a run; `fault` is None if nothing was."""

    def __init__(self, fault, megabytes, detail=""):
        self.fault, self.megabytes, self.detail = fault, megabytes, detail


class Launcher:
    """A small process that starts the programs. What Linux reports as the peak memory of a program
    includes that of the process that started it, and this one holds the seeds."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-S", os.path.join(os.path.dirname(os.path.abspath(__file__)), "launcher.py"),
             str(SECONDS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, words, environment, output, errors):
        """The exit status (None after a hang, negative for a signal), and the peak in kilobytes."""
        self.process.stdin.write(json.dumps([words, environment, output, errors]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def run(launcher, folder, command, words, environment, form=None):
    """Runs `words`; `command` says which statuses it may have, `form` whether it prints JSON."""
    files = os.path.join(folder, "output"), os.path.join(folder, "errors")
    status, kilobytes = launcher.run(words, environment, *files)
    megabytes = kilobytes // 1024
    printed, said = (open(path, "rb").read() for path in files)
    if status is None:
        return Outcome("hang", megabytes, f"more than {SECONDS} s")
    if status < 0:
        return Outcome("signal", megabytes, signal.Signals(-status).name)
    if status not in STATUSES[command]:
        return Outcome("status", megabytes, f"status {status}: {said[:200]!r}")
    if megabytes > MEGABYTES:
        return Outcome("memory", megabytes, f"{megabytes} MB")
    fault = wrong_messages(said) or (form and status in (0, 2, 3) and wrong_json(printed, form))
    if fault:
        return Outcome(fault[0], megabytes, fault[1])
    return Outcome(None, megabytes)


def wrong_messages(said):
    try:
        text = said.decode("utf-8")
    except UnicodeDecodeError as error:
        return "messages", f"standard error is not UTF-8: {error}"
    if CRASH.search(text):
        return "messages", text[:200]
    match = RAW.search(text)
    if match:
        return "messages", f"a raw control character: {text[max(0, match.start() - 40):][:80]!r}"
    return None


def wrong_json(printed, form):
    if not printed.strip():
        return "json", "nothing was printed"
    try:
        text = printed.decode("utf-8")
        for part in text.split("\n") if form == "ndjson" else [text]:
            if part.strip():
                # A lone surrogate is no text.
                json.dumps(json.loads(part), ensure_ascii=False).encode("utf-8")
    except (UnicodeError, ValueError) as error:
        return "json", f"{error}"
    except RecursionError:
        return None
    return None

