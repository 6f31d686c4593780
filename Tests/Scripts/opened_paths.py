#!/usr/bin/env python3
"""Lists the paths that a program opens although nobody gave them, with strace.

    opened_paths.py PROGRAM REPORT-OR-FOLDER… [-- OPTION…]

The program is run once on each report (every file in a folder), with the options. A path is
explained if it lies below the folder of the report, below a path among the options, in the system's
debug directories, or is one of the few files that every run reads. Exit status 1 if any other path
is opened.
"""

import os
import re
import subprocess
import sys
import tempfile

# What the C library, the Swift runtime and the program read in every run.
ALWAYS = ("/proc/self/exe", "/proc/self/maps", "/proc/stat", "/sys/devices/system/cpu",
          "/sys/fs/cgroup", "/proc/self/cgroup", "/etc/localtime", "/usr/share/zoneinfo",
          "/usr/lib/locale", "/dev/null", "/proc/meminfo", "/sys/kernel/mm")
# Documented in docs/formats.md.
SYSTEM = ("/usr/lib/debug",)
# A call that another thread interrupts has its result in a later line, and counts as successful.
OPEN = re.compile(
    r'openat2?\((?:AT_FDCWD|\d+), "((?:[^"\\]|\\.)*)".*(?:= (-?\d+)|(<unfinished))')


def reports(paths):
    for path in paths:
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                yield from (os.path.join(folder, name) for name in sorted(names))
        else:
            yield path


def opened(program, report, options, cache):
    with tempfile.NamedTemporaryFile("r", suffix=".strace", errors="replace") as log:
        environment = dict(os.environ, XDG_CACHE_HOME=cache)
        environment.pop("DEBUGINFOD_URLS", None)
        subprocess.run(
            ["strace", "-f", "-qq", "-s", "4096", "-e", "trace=openat,openat2", "-o", log.name,
             program, report, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=environment, timeout=120, check=False)
        for line in log:
            match = OPEN.search(line)
            if match:
                yield match[1], match[3] is not None or int(match[2]) >= 0


def is_below(path, folders):
    path = os.path.realpath(path)
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def main():
    words = sys.argv[1:]
    options = []
    if "--" in words:
        options = words[words.index("--") + 1:]
        words = words[:words.index("--")]
    if len(words) < 2:
        sys.exit(__doc__)
    program, unexplained, count = words[0], {}, 0
    with tempfile.TemporaryDirectory() as cache:
        given = [os.path.realpath(word) for word in options if os.path.exists(word)]
        for report in reports(words[1:]):
            count += 1
            folders = given + [os.path.realpath(os.path.dirname(report)), cache]
            for path, was_there in opened(program, report, options, cache):
                if not path.startswith(ALWAYS + SYSTEM) and not is_below(path, folders):
                    unexplained.setdefault((path, was_there), report)
    for (path, was_there), report in sorted(unexplained.items()):
        print(f"{path}\t{'opened' if was_there else 'absent'}\t{report}")
    print(f"{count} runs, {len(unexplained)} unexplained paths", file=sys.stderr)
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
