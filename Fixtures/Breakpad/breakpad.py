#!/usr/bin/env python3
"""Writes a Breakpad symbol file from what LLVM's tools say about a Mach-O file with its code in the first section.

usage: breakpad.py FILE NAME > NAME.sym

llvm-symbolizer-19 is asked about every address of the code in steps of --step bytes. What it answers becomes FUNC,
line and INLINE records: https://chromium.googlesource.com/breakpad/breakpad/+/HEAD/docs/symbol_files.md
Symbols of llvm-nm-19 outside of these functions become PUBLIC records. Names stay mangled.
"""

import argparse
import json
import re
import subprocess


def run(*command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def chain(answer):
    """The frames of an address, innermost first: (name, path, line). None without a function."""
    frames = [(frame["FunctionName"], frame["FileName"], frame["Line"]) for frame in answer["Symbol"]]
    return frames if frames and frames[-1][0] else None


class Writer:
    def __init__(self, base):
        self.base = base
        self.files = {}
        self.origins = {}
        self.functions = []

    def number(self, table, text):
        return table.setdefault(text, len(table))

    def runs(self, addresses, step, key):
        """(key, start, end) for each run of neighbouring addresses with an equal key."""
        found = []
        for address in addresses:
            value = key(address)
            if found and found[-1][0] == value and found[-1][2] == address:
                found[-1][2] = address + step
            else:
                found.append([value, address, address + step])
        return [entry for entry in found if entry[0] is not None]

    def add(self, name, start, addresses, step, chains):
        lines = [f"FUNC {start - self.base:x} {addresses[-1] + step - start:x} 0 {name}"]
        calls = {}
        depth = 0
        while any(len(chains[address]) > depth + 1 for address in addresses):
            def call(address):
                outer = chains[address][::-1]
                # The call sites from the function inwards, and what is called at each.
                if len(outer) <= depth + 1:
                    return None
                return tuple((outer[i][1], outer[i][2], outer[i + 1][0]) for i in range(depth + 1))
            for path, begin, end in self.runs(addresses, step, call):
                calls.setdefault((depth, path), []).append((begin, end))
            depth += 1
        for (depth, path), ranges in calls.items():
            file, line, origin = path[-1]
            text = " ".join(f"{begin - self.base:x} {end - begin:x}" for begin, end in ranges)
            lines.append(
                f"INLINE {depth} {line} {self.number(self.files, file)} {self.number(self.origins, origin)} {text}")
        for (path, line), begin, end in self.runs(addresses, step, lambda address: chains[address][0][1:]):
            if path:
                lines.append(f"{begin - self.base:x} {end - begin:x} {line} {self.number(self.files, path)}")
        self.functions.append((start, lines))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("name")
    parser.add_argument("--step", type=int, default=4)
    options = parser.parse_args()
    headers = run("llvm-objdump-19", "--section-headers", options.file)
    # The code reaches to the next section: in one fixture, __text states a smaller size.
    start, end = (int(address, 16) for address in re.findall(r"^ *\d+ \S+ +[0-9a-f]+ ([0-9a-f]+)", headers, re.M)[:2])
    size = end - start
    segments = run("llvm-readobj-19", "--macho-segment", options.file)
    base = int(re.search(r"Name: __TEXT\n.*\n.*vmaddr: (0x[0-9A-Fa-f]+)", segments)[1], 16)
    identity, architecture = re.match(r"UUID: (\S+) \((\w+)\)", run("llvm-dwarfdump-19", "--uuid", options.file)).groups()

    addresses = range(start, start + size, options.step)
    answers = run(
        "llvm-symbolizer-19", f"--obj={options.file}", "--inlines", "--output-style=JSON", "--no-demangle",
        text="".join(f"{address:#x}\n" for address in addresses))
    answers = [json.loads(line) for line in answers.splitlines()]
    chains, starts = {}, {}
    for address, answer in zip(addresses, answers):
        frames = chain(answer)
        function = answer["Symbol"][-1]["StartAddress"] if frames else ""
        # Names from the symbol table have no start here.
        if frames and function:
            chains[address], starts[address] = frames, int(function, 16)

    writer = Writer(base)
    for function in sorted(set(starts.values())):
        own = [address for address in addresses if starts.get(address) == function]
        writer.add(chains[own[0]][-1][0], function, own, options.step, chains)
    symbols = re.findall(r"^([0-9a-f]+) [Tt] (\S+)$", run("llvm-nm-19", "--defined-only", options.file), re.M)
    for address, name in symbols:
        address = int(address, 16)
        # Without the symbol of the header.
        if address >= start and address not in starts:
            writer.functions.append((address, [f"PUBLIC {address - base:x} 0 {name[1:]}"]))

    print(f"MODULE mac {architecture} {identity.replace('-', '')}0 {options.name}")
    print(f"INFO CODE_ID {identity.replace('-', '')}")
    for path, number in writer.files.items():
        print(f"FILE {number} {path}")
    for name, number in writer.origins.items():
        print(f"INLINE_ORIGIN {number} {name}")
    for _, lines in sorted(writer.functions):
        print("\n".join(lines))
    print(f"STACK CFI INIT {start - base:x} {size:x} .cfa: sp 0 + .ra: x30")


main()
