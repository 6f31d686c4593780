#!/usr/bin/env python3
"""Lets the system fail while the program works, one call after the other, and judges each outcome.

    faults.py PROGRAM [--small] [--only NAME] [--verbose]

strace makes calls fail ("fault injection", strace(1)). Each case in cases.py first runs without
faults, to count its calls. Then it runs once for each call and each error that the call may give.
Wanted each time:

- no signal, and an end within 20 seconds;
- an exit status that docs/cli.md lists for the command;
- each output complete or as it was before, and no temporary file;
- a message on standard error that names a file, unless output and status are as without the fault,
  or the call was about something that the program can do without (OPTIONAL);
- EINTR changes nothing at all.

Then follow short reads and writes, limits of the size of files, closed and full streams, signals in
the middle of --in-place, files that change while they are read, and writers of one index.

Exit status: 0 if all outcomes are good, 1 if not, 77 if strace is missing or may not trace.
"""
import argparse
import collections
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import cases
import disturbances
import tracing

# The errors that each call may give, apart from EINTR, which every call gets.
ERRORS = {
    "openat": "EIO EMFILE ENOMEM EACCES ESTALE ENOSPC",
    "read": "EIO ESTALE ENOMEM",
    "pread64": "EIO ESTALE ENOMEM",
    "write": "ENOSPC EIO ESTALE",
    "writev": "ENOSPC EIO ESTALE",
    "fsync": "ENOSPC EIO",
    "close": "EIO ENOSPC",
    "rename": "ENOSPC EIO EACCES ESTALE ENOMEM",
    "getdents64": "EIO ENOMEM EACCES ESTALE",
    "fstat": "EIO ENOMEM ESTALE",
    "newfstatat": "EIO ENOMEM EACCES ESTALE",
    "statx": "EIO ENOMEM EACCES ESTALE",
    "mmap": "ENOMEM EACCES",
    "mkdir": "EIO ENOSPC EACCES",
    "fchmod": "EIO ENOSPC",
    "fchown": "EIO",
    "ftruncate": "EIO ENOSPC",
    "readlink": "EIO EACCES",
    "access": "EIO EACCES ESTALE",
    "lseek": "EIO",
    "utimensat": "EIO EACCES",
    "poll": "ENOMEM",
    "fcntl": "EMFILE",
    "socketpair": "EMFILE",
    "clone3": "EAGAIN ENOMEM",
    "sendto": "EIO",
    "recvfrom": "EIO",
}
# An interruption in these is no interruption of ours: glibc repeats it, or it cannot happen.
NEVER_INTERRUPTED = {"mmap", "clone3", "fcntl", "lseek", "socketpair"}

VERDICTS = ["same", "reported", "less", "bad"]

# What is only used if it is there: versions of apps, the character set of names in archives, and
# where the cache lies.
OPTIONAL = ["/Info.plist", "/locale/", "/gconv/", "/proc/", "/sys/", "/cache/", "cache-home"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--small", action="store_true", help="a few dozen faults, for CI")
    parser.add_argument("--only", default="", help="only the cases with this in their names")
    parser.add_argument("--dynamic", help="a program that loads the C library (debug build)")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    # The cases run in directories of their own.
    options.dynamic = options.dynamic and os.path.abspath(options.dynamic)
    reason = tracing.unavailable()
    if reason:
        print(f"faults are not tested: {reason}", file=sys.stderr)
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="symbolicate-faults-") as scratch:
        table = Table()
        all_cases = [
            case for case in cases.cases(program, pathlib.Path(scratch))
            if options.only in case.name
        ]
        for number, case in enumerate(all_cases):
            inject(case, table, options, number)
        for check in disturbances.checks(all_cases, program, options):
            table.others.append(check)
        table.print()
        sys.exit(1 if table.failures else 0)


class Table:
    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.failures = []
        self.others = []

    def add(self, call, error, verdict, where):
        self.counts[call, error][verdict] += 1
        if verdict == "bad":
            self.failures.append(where)
            print("BAD " + where, flush=True)

    def print(self):
        rows = sorted({call for call, _ in self.counts})
        errors = sorted({error for _, error in self.counts})
        print("unchanged/reported/less but optional/bad, by call and error:")
        print("| call | " + " | ".join(errors) + " |")
        print("| --- |" + " --- |" * len(errors))
        for call in rows:
            cells = []
            for error in errors:
                count = self.counts.get((call, error))
                cells.append(
                    "/".join(str(count[verdict]) for verdict in VERDICTS) if count else "")
            print(f"| `{call}` | " + " | ".join(cells) + " |")
        total = sum(sum(count.values()) for count in self.counts.values())
        print(f"{total} faults, {len(self.failures)} bad")
        for name, tried, failures in self.others:
            print(f"{name}: {tried} tried, {len(failures)} bad")
            for failure in failures:
                print("BAD " + failure)
            self.failures += failures


def inject(case, table, options, number):
    baseline = case.run()
    case.check_baseline(baseline)
    counts = tracing.calls(case)
    for call, calls in sorted(counts.items()):
        if call not in ERRORS:
            continue
        errors = ERRORS[call].split()
        if call not in NEVER_INTERRUPTED:
            errors.insert(0, "EINTR")
        for index, arguments in enumerate(calls, 1):
            if arguments is None:
                continue
            if call == "mmap" and not tracing.is_of_file(arguments):
                # Memory that cannot be had ends a Swift program; no output can be half written.
                continue
            if options.small:
                # Each case has another share, so that all calls and errors are met.
                if (index + number) % 17 or call in ("readlink", "close"):
                    continue
                errors_now = errors[:1] + errors[1 + (index + number) % (len(errors) - 1):][:1] \
                    if len(errors) > 1 else errors
            else:
                errors_now = errors
            for error in errors_now:
                result, injected = tracing.run(case, call, error, index)
                if not injected:
                    continue
                verdict, reason = judge(case, baseline, result, call, error, injected)
                where = f"{case.name}: {call} {index} {error} ({injected}): {reason}"
                table.add(call, error, verdict, where)
                if options.verbose:
                    print(verdict, where, flush=True)


def judge(case, baseline, result, call, error, injected):
    """One of VERDICTS, and why."""
    problem = case.problem(result, baseline)
    if problem:
        return "bad", problem
    is_same = result == baseline
    if is_same:
        return "same", ""
    if error == "EINTR":
        return "bad", "an interruption is visible: " + result.summary(baseline)
    if "<2>" in injected or injected.startswith("2<"):
        # What was to be said is lost, and nothing else.
        return "reported", ""
    news = result.news(baseline)
    if not news:
        # What lies beside a report and may not be read is nobody's concern.
        is_optional = any(name in injected for name in OPTIONAL) or (
            case.name == "beside the report" and error == "EACCES")
        if is_optional and result.status == baseline.status:
            return "less", ""
        return "bad", "nothing is said: " + result.summary(baseline)
    if "/proc/self/maps" in news:
        return "reported", ""
    if not any(name in news for name in case.names):
        return "bad", f"no file is named: {news!r}"
    return "reported", ""


if __name__ == "__main__":
    main()
