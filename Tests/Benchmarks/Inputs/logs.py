#!/usr/bin/env python3
"""logs.py FILE [--size BYTES] [--kind KIND] [--traces EVERY]: makes a log of any size.

KIND is text, prefixed (text with a time and a process before each line), docker, journal or container. With
--traces 1000, a stack of 12 frames follows every 1,000 lines. The same arguments give the same log.

    Tests/Benchmarks/Inputs/logs.py /tmp/plain.log --size 1G
    Tests/Benchmarks/Inputs/logs.py /tmp/traces.log --size 1G --kind docker --traces 1000
    for log in /tmp/plain.log /tmp/traces.log; do
      /usr/bin/time -f '%U s, %M KB' taskset -c 0 .build/release/symbolicate --stream < $log > /dev/null
    done
"""
import argparse
import json

WORDS = ("request finished in 12 ms", "user 4711 opened page settings", "cache miss for key item:42",
         "retry 3 of 5 after timeout", "GET /api/v1/items?limit=20 200", "connected to db-7.example.com:5432")
LINES_IN_BLOCK = 10_000


def lines(every):
    """Endless lines without line ends."""
    number = 0
    while True:
        number += 1
        yield (f"level=info seq={number % 100_000:05} " + " | ".join(
            WORDS[(number + step) % len(WORDS)] for step in range(4)))
        if every and number % every == 0:
            for frame in range(12):
                yield f"{frame:<3} App                                 0x{0x104a1c2f0 + 16 * frame:016x} App + {49904 + 16 * frame}"


def record(kind, line, number):
    time = f"2026-01-01T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}"
    if kind == "text":
        return line
    if kind == "prefixed":
        return f"{time.replace('T', ' ')}.123 App[12:345] {line}"
    if kind == "docker":
        return json.dumps({"log": line + "\n", "stream": "stderr", "time": time + ".1Z"}, separators=(",", ":"))
    if kind == "journal":
        return json.dumps({"__REALTIME_TIMESTAMP": "1767225600", "_PID": "812", "PRIORITY": "6", "MESSAGE": line})
    return f"{time}.123456789Z stderr F {line}"


def write(path, size, kind="text", every=0):
    written = number = 0
    source = lines(every)
    with open(path, "wb") as file:
        while written < size:
            block = []
            for _ in range(LINES_IN_BLOCK):
                number += 1
                block.append(record(kind, next(source), number))
            data = ("\n".join(block) + "\n").encode()
            if len(data) > size - written:
                data = data[:data.rfind(b"\n", 0, size - written) + 1]
                file.write(data)
                break
            file.write(data)
            written += len(data)


def bytes_of(text):
    factors = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    return int(float(text[:-1]) * factors[text[-1]]) if text[-1] in factors else int(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--size", type=bytes_of, default=1 << 30)
    parser.add_argument("--kind", choices=("text", "prefixed", "docker", "journal", "container"), default="text")
    parser.add_argument("--traces", type=int, default=0, metavar="EVERY")
    options = parser.parse_args()
    write(options.file, options.size, options.kind, options.traces)
