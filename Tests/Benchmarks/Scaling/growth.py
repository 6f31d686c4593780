#!/usr/bin/env python3
"""Doubles one thing at a time, prints a table of processor times, and fails where a stage is not linear.

Each kind of work is doubled until a run takes --target seconds of processor time, or until its last size. The
exponent over the last two doublings is log(time ratio) / log(size ratio): 1 is linear, 2 quadratic. The time of
an empty run is taken off first. Each time is the least of several runs with one thread. What is too steep is
doubled twice more: one step, where a cache is outgrown, is not growth.

  growth.py --only threads             kinds of work whose title contains this
  growth.py --instructions             counts instructions with valgrind: slow, and the same on a busy machine

Exit status 1: a run failed, or an exponent is above 1.15, of work that is not known for it (growing_work.py).
"""
import argparse
import math
import os
import re
import resource
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), folder) for folder in ("Inputs", "Peers")]

import report_growth
import stack_growth
import symbol_growth

STEEPEST = 1.15
# Shorter times say nothing about growth.
LEAST_SECONDS = 0.05
# So often the work is doubled once more before it counts as too steep. Where inputs outgrow a cache of the
# processor, time makes one step; where a stage is not linear, it goes on growing.
FURTHER = 2
# No run needs more, and one that does is stopped.
MEMORY_LIMIT = 6 << 30
SECONDS_LIMIT = 120


class Failure(Exception):
    """A run failed."""


class Runner:
    def __init__(self, options):
        self.program = os.path.abspath(options.program)
        self.scratch = os.path.abspath(options.scratch)
        self.rounds = options.rounds
        self.counts = options.instructions
        os.makedirs(self.scratch, exist_ok=True)
        if self.counts:
            # Valgrind gives up on the debug information of a static Swift program.
            stripped = self._path("stripped")
            subprocess.run(["strip", "-o", stripped, self.program], check=True)
            self.program = stripped
        nowhere = os.path.join(self.scratch, "no-cache")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": nowhere, "XDG_CACHE_HOME": nowhere,
            "SYMBOLICATE_SYMBOL_PATH": "", "SYMBOLICATE_INDEX": ""}

    def cost(self, arguments):
        """Processor seconds, or billions of instructions; and the bytes of the output."""
        costs = []
        while len(costs) < self.rounds and sum(costs) < 3 * self.rounds:
            # What a run before wrote would be up to date.
            for name in ("index", "out"):
                shutil.rmtree(self._path(os.path.join("input", name)), ignore_errors=True)
            costs.append(self._instructions(arguments) if self.counts else self._seconds(arguments))
            if self.counts:
                break
        size = sum(os.path.getsize(self._path(name)) for name in ("out", "err"))
        return min(costs), size

    def _path(self, name):
        return os.path.join(self.scratch, name)

    def _start(self, command):
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_LIMIT, SECONDS_LIMIT))
            if not self.counts:
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        with open(self._path("out"), "wb") as output, open(self._path("err"), "wb") as errors:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=self.environment,
                preexec_fn=limit, cwd=self.scratch)

    def _wait(self, process, arguments):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        # Frames that stay unresolved, and what was refused, are results too.
        if code not in (0, 2, 3):
            with open(self._path("err"), errors="replace") as errors:
                raise Failure(f"{' '.join(arguments)[:200]}: status {code}: {errors.read()[-300:]}")
        return usage

    def _seconds(self, arguments):
        usage = self._wait(self._start([self.program, *arguments]), arguments)
        return usage.ru_utime + usage.ru_stime

    def _instructions(self, arguments):
        tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                "--log-file=" + self._path("counts")]
        self._wait(self._start([*tool, self.program, *arguments]), arguments)
        with open(self._path("counts")) as file:
            found = re.search(r"I +refs: +([0-9,]+)", file.read())
        return int(found.group(1).replace(",", "")) / 1e9


def measure(work, runner, empty, options):
    """The sizes and costs of a kind of work; the exponent over the last two doublings, None if too short."""
    folder = os.path.join(runner.scratch, "input")
    points, size, further = [], work.first, 0
    while True:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        arguments = work.make(folder, size)
        cost, output = runner.cost(arguments)
        points.append((size, max(cost - empty, 1e-6), output))
        if len(points) > 2 and cost - empty >= options.target:
            if exponent(points) <= STEEPEST or work.known or further == FURTHER:
                break
            further += 1
        if size * 2 > work.last:
            break
        size *= 2
    if len(points) < 2 or points[-1][1] < LEAST_SECONDS:
        return points, None
    return points, exponent(points)


def exponent(points):
    """Over the last two doublings."""
    low, high = points[max(len(points) - 3, 0)], points[-1]
    return math.log(high[1] / low[1]) / math.log(high[0] / low[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/symbolicate"))
    parser.add_argument("--only", default="", help="kinds of work whose title contains this")
    parser.add_argument("--target", type=float, default=0.4)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--scratch", default=os.path.join(ROOT, ".build", "growth"))
    parser.add_argument("--list", action="store_true", help="only list the kinds of work")
    options = parser.parse_args()
    works = report_growth.works() + stack_growth.works() + symbol_growth.works()
    works = [work for work in works if options.only in work.title]
    if options.list:
        print("\n".join(work.title for work in works))
        return 0
    runner = Runner(options)
    empty, _ = runner.cost(["--version"])
    unit = "billions of instructions" if options.instructions else "ms"
    print(f"| what doubles | size | {unit} | at half | at a quarter | output | exponent |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    failures = []
    for work in works:
        try:
            points, growth = measure(work, runner, empty, options)
        except Failure as failure:
            failures.append(f"{work.title}: {failure}")
            print(f"| {work.title} | | failed | | | | |", flush=True)
            continue
        scale = 1 if options.instructions else 1e3
        costs = [f"{cost * scale:.{2 if options.instructions else 0}f}" for _, cost, _ in points[-3:]][::-1]
        costs += [""] * (3 - len(costs))
        shown = "short" if growth is None else f"{growth:.2f}" + (" (known)" if work.known else "")
        print(f"| {work.title} | {points[-1][0]:,} | {' | '.join(costs)} | {points[-1][2] / 1e6:.1f} MB | {shown} |",
              flush=True)
        if growth is not None and growth > STEEPEST and not work.known:
            failures.append(f"{work.title}: exponent {growth:.2f}")
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
