#!/usr/bin/env python3
"""Measures `symbolicate worker`: records a second of one worker and of two, and the memory of several
workers that use the same indexes.

    bench_workers.py [PROGRAM] [--rounds N] [--only KIND]

Each run reads all records from a file. The first run warms the page cache and is not counted. Runs
of one worker and of two take turns; the medians are printed. On a machine with other work, look at
the processor time: it does not count the time in which others run.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

import inputs

ROOT = pathlib.Path(__file__).parents[3]
# Kind of record, how many for a run, options of the worker.
CASES = [
    ("story", 8_000, "json"), ("story", 8_000, "report"), ("story", 8_000, "summary"),
    ("story, others", 8_000, "json"),
    ("ips", 200, "json"), ("ips", 200, "report"), ("ips, others", 200, "json"),
    ("frames", 2_000, "json"), ("frames, others", 2_000, "json"),
]


def run(command, records, workers):
    """Seconds until all workers have ended, and their processor time in all."""
    before = os.times()
    start = time.perf_counter()
    processes = []
    for _ in range(workers):
        with open(records, "rb") as file:
            processes.append(subprocess.Popen(command, stdin=file, stdout=subprocess.DEVNULL, env={}))
    statuses = [process.wait() for process in processes]
    seconds = time.perf_counter() - start
    assert statuses == [0] * workers, statuses
    after = os.times()
    processor = (after.children_user + after.children_system
                 - before.children_user - before.children_system)
    return seconds, processor


def measure(program, indexes, folder, rounds, only):
    print("records | --output | records/s, one worker | MB/s | records/s by processor time | "
          "two workers | ratio | ratio by processor time")
    for kind, count, output in CASES:
        if only and only not in kind:
            continue
        path = folder / f"{kind}.ndjson"
        if not path.exists():
            (folder / f"{kind}.size").write_text(str(
                inputs.write_records(path, kind, count, program)))
        amount = int((folder / f"{kind}.size").read_text())
        command = [program, "worker", "--search", inputs.STORY, "--dsym", program,
                   "--index-dir", indexes, "--output", output]
        run(command, path, 1)
        runs = [(run(command, path, 1), run(command, path, 2)) for _ in range(rounds)]
        one = statistics.median(single[0] for single, _ in runs)
        one_processor = statistics.median(single[1] for single, _ in runs)
        ratio = statistics.median(2 * single[0] / double[0] for single, double in runs)
        two = statistics.median(double[0] for _, double in runs)
        by_processor = statistics.median(2 * single[1] / double[1] for single, double in runs)
        unit = (f"{amount / one / 1e6:.0f}" if "frames" not in kind
                else f"{amount / one:,.0f} frames/s")
        print(f"{kind} | {output} | {count / one:,.0f} | {unit} | {count / one_processor:,.0f} | "
              f"{2 * count / two:,.0f} | {ratio:.2f} | {2 * by_processor:.2f}", flush=True)


def memory_of(process, indexes):
    """In KB: resident, proportional and anonymous memory; resident and proportional of indexes."""
    values = {"Rss": 0, "Pss": 0, "Anonymous": 0, "indexes Rss": 0, "indexes Pss": 0}
    is_index = False
    for line in pathlib.Path(f"/proc/{process.pid}/smaps").read_text().splitlines():
        words = line.split()
        if not words[0].endswith(":"):
            is_index = str(indexes) in line
        elif (name := words[0][:-1]) in values:
            values[name] += int(words[1])
            if is_index and f"indexes {name}" in values:
                values[f"indexes {name}"] += int(words[1])
    return list(values.values())


def measure_memory(program, indexes, folder, options):
    path = folder / "memory.ndjson"
    inputs.write_records(path, "frames, others", 5_000, program)
    lines = path.read_bytes().count(b"\n")
    size = sum(file.stat().st_size for file in indexes.iterdir())
    print(f"\nindexes: {size / 1e6:.1f} MB; each worker {' '.join(options)} has answered 100,000 "
          "frames in them\n")
    print("workers | resident, each | proportional, each | anonymous, each | indexes resident, each | "
          "indexes proportional, each | proportional, all")
    for count in (1, 2, 4, 8):
        workers = [subprocess.Popen(
            [program, "worker", "--dsym", program, "--index-dir", indexes, *options], env={},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(count)]
        for worker in workers:
            feeder = threading.Thread(target=feed, args=(worker, path))
            feeder.start()
            for _ in range(lines):
                worker.stdout.readline()
            feeder.join()
        values = [memory_of(worker, indexes) for worker in workers]
        for worker in workers:
            worker.stdin.close()
            worker.wait()
        columns = [sum(column) / count / 1000 for column in zip(*values)]
        print(f"{count} | " + " | ".join(f"{column:.1f} MB" for column in columns)
              + f" | {columns[1] * count:.0f} MB", flush=True)


def feed(worker, path):
    worker.stdin.write(path.read_bytes())
    worker.stdin.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", nargs="?", default=ROOT / ".build" / "release" / "symbolicate",
                        type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="only kinds of records whose name contains this")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        indexes = folder / "indexes"
        inputs.make_indexes(program, indexes)
        measure(program, indexes, folder, arguments.rounds, arguments.only)
        if arguments.only in (None, "memory"):
            measure_memory(program, indexes, folder, [])
            measure_memory(program, indexes, folder, ["--memory", "64M"])


if __name__ == "__main__":
    main()
