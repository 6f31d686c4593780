"""Runs of the program, and what is wrong with one."""

import json
import os
import re
import resource
import signal
import subprocess
import tempfile

SECONDS = 10
MEGABYTES = 1024
# docs/cli.md and docs/atos.md: the statuses of each command.
STATUSES = {
    "report": {0, 3, 65, 66}, "index": {0, 65, 66}, "uuid": {0, 65, 66}, "check": {0, 2, 65, 66},
    "doctor": {0, 2, 65, 66}, "atos": {0, 1},
}
# On standard error nothing may drive a terminal, and nothing may come from a crash of the runtime.
RAW = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
CRASH = re.compile(r"Fatal error|Current stack trace|\*\*\* |AddressSanitizer")


class Outcome:
    """What was wrong with a run; `fault` is None if nothing was."""

    def __init__(self, fault, megabytes, detail=""):
        self.fault, self.megabytes, self.detail = fault, megabytes, detail


def run(command, words, environment, form=None):
    """Runs `words`; `command` says which statuses it may have, `form` whether it prints JSON."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                   env=environment, close_fds=False)
        status, usage = wait(process)
        megabytes = usage.ru_maxrss // 1024
        output.seek(0)
        errors.seek(0)
        printed, said = output.read(), errors.read()
    if status is None:
        return Outcome("hang", megabytes, f"more than {SECONDS} s")
    if os.WIFSIGNALED(status):
        return Outcome("signal", megabytes, signal.Signals(os.WTERMSIG(status)).name)
    code = os.WEXITSTATUS(status)
    if code not in STATUSES[command]:
        return Outcome("status", megabytes, f"status {code}: {said[:200]!r}")
    if megabytes > MEGABYTES:
        return Outcome("memory", megabytes, f"{megabytes} MB")
    fault = wrong_messages(said) or (form and code in (0, 2, 3) and wrong_json(printed, form))
    if fault:
        return Outcome(fault[0], megabytes, fault[1])
    return Outcome(None, megabytes)


def wait(process):
    """The wait status, None after a hang, and the resources."""
    def stop(*_):
        process.kill()
        stop.was_late = True
    stop.was_late = False
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        _, status, usage = os.wait4(process.pid, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    process.returncode = 0
    return (None if stop.was_late else status), usage


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


def limit_core_files():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
