#!/usr/bin/env python3
"""Measures how many records a second one worker answers, and two at the same time.

    bench_worker.py [--program PATH] [--scale N] [--only NAME]

The records are the report of the letter shuffle, an .ips of about 100 KB, and 20 bare frames. Input comes from a
file, and the answers go to /dev/null, so the time is the worker's own. The time of a worker without input is
taken off. Processor seconds are printed too: on a machine with other work only these say something.
"""
import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
STORY = os.path.join(ROOT, "Fixtures/LetterShuffle/letter-shuffle.crash")
SYMBOLS = os.path.join(ROOT, "Fixtures/LetterShuffle/Letter Shuffle.app.dSYM")
UUID = "a4b1de49-70b3-301d-a644-58d6bc22f513"
LOAD = 0x100228000
TEXT = range(0x5000, 0x28000)


def story():
    with open(STORY, encoding="utf-8") as file:
        return {"report": file.read()}


def ips(threads=14, depth=20, images=190):
    """A report as iOS writes it: the system's frames have names, the app's have none."""
    rng = random.Random(1)
    used = [{"source": "P", "arch": "arm64", "base": LOAD, "size": 0x44000, "uuid": UUID, "name": "Letter Shuffle",
             "path": "/private/var/containers/Bundle/Application/0/Letter Shuffle.app/Letter Shuffle"}]
    for number in range(1, images):
        used.append({
            "source": "P", "arch": "arm64e", "base": 0x180000000 + number * 0x400000, "size": 0x300000,
            "uuid": "%08x-0000-3000-8000-%012x" % (rng.getrandbits(32), number), "name": "Framework%d" % number,
            "path": "/System/Library/Frameworks/Framework%d.framework/Framework%d" % (number, number)})
    stacks = []
    for number in range(threads):
        frames = []
        for place in range(depth):
            if place % 3 == 2:
                frames.append({"imageOffset": rng.choice(TEXT) & ~3, "imageIndex": 0})
            else:
                frames.append({
                    "imageOffset": rng.randrange(0x300000) & ~3, "symbol": "-[FWClass%d method:with:]" % rng.randrange(900),
                    "symbolLocation": rng.randrange(900), "imageIndex": rng.randrange(1, images)})
        thread = {"id": 1000 + number, "frames": frames}
        if number == 0:
            thread["triggered"] = True
            thread["threadState"] = {"flavor": "ARM_THREAD_STATE64", "pc": {"value": LOAD + 0x5010}}
        stacks.append(thread)
    head = {"app_name": "Letter Shuffle", "timestamp": "2022-02-12 16:54:53.00 +0100", "app_version": "1.3",
            "slice_uuid": UUID, "build_version": "6", "bundleID": "com.example.shuffle", "bug_type": "309",
            "os_version": "iPhone OS 15.3 (19D50)", "incident_id": "00000000-0000-0000-0000-000000000001",
            "name": "Letter Shuffle"}
    body = {"procName": "Letter Shuffle", "pid": 1, "cpuType": "ARM-64", "bundleInfo": {
                "CFBundleShortVersionString": "1.3", "CFBundleVersion": "6", "CFBundleIdentifier": "com.example.shuffle"},
            "osVersion": {"train": "iPhone OS 15.3", "build": "19D50", "releaseType": "User"},
            "exception": {"codes": "0x0000000000000001, 0x0000000000000000", "type": "EXC_BREAKPOINT", "signal": "SIGTRAP"},
            "faultingThread": 0, "threads": stacks, "usedImages": used}
    return {"report": json.dumps(head) + "\n" + json.dumps(body, indent=2)}


def frames(count=20):
    rng = random.Random(1)
    offsets = [rng.choice(TEXT) & ~3 for _ in range(count)]
    return {"frames": [{"image": "Letter Shuffle", "uuid": UUID, "arch": "arm64", "offset": hex(offset)}
                       for offset in offsets]}


class Input:
    def __init__(self, folder, name, record, count):
        self.name = name
        self.count = count
        self.path = os.path.join(folder, name.replace(" ", "-"))
        with open(self.path, "w", encoding="utf-8") as file:
            for number in range(count):
                file.write(json.dumps({"id": number, **record}, ensure_ascii=False) + "\n")
        self.size = os.path.getsize(self.path)


def run(program, paths, output):
    """The seconds until all workers have ended, the processor seconds of all, and the largest memory of one."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    workers = [
        subprocess.Popen([program, "worker", "-d", SYMBOLS, "--output", output], stdin=open(path, "rb"),
                         stdout=subprocess.DEVNULL)
        for path in paths]
    memory = 0
    for worker in workers:
        _, status, usage = os.wait4(worker.pid, 0)
        worker.returncode = status
        memory = max(memory, usage.ru_maxrss)
        if status:
            sys.exit("a worker ended with status %d" % status)
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build/release/symbolicate"))
    parser.add_argument("--scale", type=float, default=1, help="how many times as many records (default: 1)")
    parser.add_argument("--only", help="the name of one kind of record")
    options = parser.parse_args()
    kinds = [("story", story(), 20000), (".ips", ips(), 600), ("bare frames", frames(), 10000)]
    with tempfile.TemporaryDirectory() as folder:
        empty, empty_used, _ = run(options.program, [os.devnull], "json")
        print("%-12s %-8s %9s %9s %8s %10s %10s %8s" % (
            "records", "output", "bytes", "a second", "MB/s", "a CPU-s", "MB/CPU-s", "MB"))
        for name, record, count in kinds:
            if options.only and options.only != name:
                continue
            data = Input(folder, name, record, max(1, int(count * options.scale)))
            for output in ["report", "json", "summary"] if name != "bare frames" else ["json"]:
                one, used, memory = run(options.program, [data.path], output)
                one, used = one - empty, used - empty_used
                print("%-12s %-8s %9d %9.0f %8.1f %10.0f %10.1f %8.0f" % (
                    name, output, data.size // data.count, data.count / one, data.size / one / 1e6, data.count / used,
                    data.size / used / 1e6, memory / 1024))
                two, _, _ = run(options.program, [data.path, data.path], output)
                print("%-12s %-8s two workers: %.2f times as many" % ("", "", 2 * one / (two - empty)))


if __name__ == "__main__":
    main()
