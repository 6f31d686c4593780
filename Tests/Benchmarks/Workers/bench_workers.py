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


def memory_of(process):
    """Resident, proportional and private memory in KB."""
    values = {}
    for line in pathlib.Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, value = line.split(":")
        values[name] = int(value.split()[0])
    private = values["Private_Clean"] + values["Private_Dirty"]
    return values["Rss"], values["Pss"], private, values["Pss_Anon"]


def measure_memory(program, indexes, folder):
    path = folder / "memory.ndjson"
    inputs.write_records(path, "frames, others", 5_000, program)
    lines = path.read_bytes().count(b"\n")
    size = sum(file.stat().st_size for file in indexes.iterdir())
    print(f"\nindexes: {size / 1e6:.1f} MB; each worker has answered 100,000 frames in them\n")
    print("workers | resident each | proportional each | anonymous each | proportional in all")
    for count in (1, 2, 4, 8):
        workers = [subprocess.Popen(
            [program, "worker", "--dsym", program, "--index-dir", indexes], env={},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(count)]
        for worker in workers:
            feeder = os.fork()
            if feeder == 0:
                with worker.stdin:
                    worker.stdin.write(path.read_bytes())
                os._exit(0)
            for _ in range(lines):
                worker.stdout.readline()
            os.waitpid(feeder, 0)
        values = [memory_of(worker) for worker in workers]
        for worker in workers:
            worker.stdin.close()
            worker.wait()
        resident, share, _, anonymous = (sum(column) / count / 1000 for column in zip(*values))
        print(f"{count} | {resident:.1f} MB | {share:.1f} MB | {anonymous:.1f} MB | "
              f"{share * count:.1f} MB", flush=True)


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
        if not arguments.only:
            measure_memory(program, indexes, folder)


if __name__ == "__main__":
    main()
