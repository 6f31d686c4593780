#!/usr/bin/env python3
"""Measures how time and memory grow with the work, prints tables, and draws docs/scaling.svg.

For each kind of work it runs the program on growing inputs, as whole processes, and prints the median time, the
peak of anonymous memory, and the exponent between neighbouring points: 1 is linear. The time of the smallest input
is taken off first, because it is that of an empty run.

Exit status 1: a run failed, or the exponent over the upper half of a kind of work is above 1.15.
"""
import argparse
import math
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), folder) for folder in ("Inputs", "Peers")]

import plots
import works
from measuring import Failure, memory, run

STEEPEST = 1.15
# Shorter times say nothing about growth.
LEAST_SECONDS = 0.02


class Point:
    def __init__(self, size, invocation, rounds):
        self.size = size
        times = [run(invocation)]
        # Long runs vary less.
        while len(times) < rounds and sum(times) < 10:
            times.append(run(invocation))
        self.seconds = statistics.median(times)
        self.memory = memory(invocation).anonymous


def exponent(low, high, empty):
    """The exponent of the growth of time from one point to another; None if the times are too short."""
    before, after = low.seconds - empty, high.seconds - empty
    if before < LEAST_SECONDS / 4 or after < LEAST_SECONDS:
        return None
    return math.log(after / before) / math.log(high.size / low.size)


def measure(work, options):
    points = []
    print(f"{work.title}\n  {'size':>10} {'ms':>10} {'MB':>8}  exponent", flush=True)
    for size in work.sizes[:options.points]:
        points.append(Point(size, work.invocation(size), options.rounds))
        point = points[-1]
        growth = exponent(points[-2], point, points[0].seconds) if len(points) > 1 else None
        print(
            f"  {size:>10,} {point.seconds * 1e3:>10.1f} {point.memory / 1e6:>8.1f}  "
            f"{'' if growth is None else f'{growth:.2f}'}", flush=True)
    return points


def is_steep(points):
    """Whether the upper half grows faster than its size."""
    growth = exponent(points[len(points) // 2], points[-1], points[0].seconds)
    return growth is not None and growth > STEEPEST


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/symbolicate"))
    parser.add_argument("--only", default="", help="kinds of work whose title contains this")
    parser.add_argument("--points", type=int, default=99, help="only the first points of each kind of work")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scratch", default=os.path.join(ROOT, ".build", "bench-scaling"))
    parser.add_argument("--plot", metavar="FILE", help="draw the figures as SVG (needs python3-matplotlib)")
    options = parser.parse_args()
    results, steep = [], []
    for work in works.all_works(os.path.abspath(options.program), os.path.abspath(options.scratch)):
        if options.only not in work.title:
            continue
        try:
            points = measure(work, options)
        except Failure as failure:
            print(f"FAILED: {work.title}: {failure}", file=sys.stderr)
            return 1
        results.append((work, points))
        if is_steep(points):
            steep.append(work.title)
    if options.plot:
        plots.draw(results, options.plot)
    for title in steep:
        print(f"FAILED: {title}: time grows faster than the work", file=sys.stderr)
    return 1 if steep else 0


if __name__ == "__main__":
    sys.exit(main())
