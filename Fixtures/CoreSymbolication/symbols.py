#!/usr/bin/env python3
"""Writes the `.symbols` files of this folder: an invented image in each variant of the format.

    symbols.py DIRECTORY

names.symbols     version 1; names are offsets from the first name (2020 and later)
records.symbols   version 1; names are offsets from the record that refers to them
seven.symbols     version 7, with a longer head
narrow.symbols    version 1, addresses of 32 bits
unsorted.symbols  version 1, records in descending order of address
"""

import os
import struct
import sys

UUID = bytes.fromhex("a4b1de4970b3301da64458d6bc22f513")
PATH = b"/build/Sample.app.dSYM/Contents/Resources/DWARF/Sample"
# Address in __TEXT, size, name, name in the symbol table.
SYMBOLS = [
    (0x1000, 0x40, "main", "_main"),
    (0x1040, 0x20, "-[Sample run]", "-[Sample run]"),
    (0x1060, 0x30, "Sample.greet() -> ()", "_$s6Sample5greetyyF"),
    (0x10A0, 0x10, "tail", "_tail"),
    (0x8000, 0x28, "OBJC_CLASS_$_Sample", "_OBJC_CLASS_$_Sample"),
]
# Address in __TEXT, size, file, line, column.
LINES = [
    (0x1000, 0x10, "/src/main.m", 3, 0),
    (0x1010, 0x10, "/src/main.m", 5, 9),
    (0x1020, 0x20, "/src/main.m", 0, 0),
    (0x1040, 0x20, "/src/Sample.m", 12, 1),
    (0x1060, 0x30, "/src/greet.swift", 7, 3),
]
SECTIONS = [(0, 0x1000, "MACH_HEADER"), (0x1000, 0x200, "__TEXT __text"), (0x8000, 0x100, "__DATA __data")]


class Names:
    """The names at the end, each once, and the places that refer to them."""

    def __init__(self):
        self.bytes = b""
        self.places = {}

    def offset(self, text):
        if text not in self.places:
            self.places[text] = len(self.bytes)
            self.bytes += text.encode() + b"\0"
        return self.places[text]


def symbols(version, by_record, cpu, text, extra, descending):
    wide = cpu[0] & 0x01000000 != 0
    word = "<Q" if wide else "<I"
    segments = b"".join(
        struct.pack("<QQ16s", address, size, name)
        for name, address, size in ((b"__TEXT", 0, 0x8000), (b"__DATA", 0x8000, 0x4000)))
    functions, lines = SYMBOLS, LINES
    if descending:
        functions, lines = SYMBOLS[::-1], LINES[::-1]
    section_size = 24 if wide else 16
    head_size = 88 + extra
    sections_at = head_size + len(segments)
    symbols_at = sections_at + len(SECTIONS) * section_size
    lines_at = symbols_at + len(functions) * 24
    names_at = lines_at + len(lines) * 20 + len(functions) * 8
    names = Names()

    def name(string, record):
        place = names_at + names.offset(string)
        return place - record if by_record else place - names_at

    table = b""
    for index, (address, size, string) in enumerate(SECTIONS):
        record = sections_at + index * section_size
        table += b"".join(struct.pack(word, number) for number in (address, size, name(string, record)))
        table += b"" if wide else bytes(4)
    for index, (address, size, string, mangled) in enumerate(functions):
        record = symbols_at + index * 24
        table += struct.pack("<5Ii", address, size, 0x274A4105, name(string, record),
                             name(mangled, record), -1)
    for index, (address, size, path, line, column) in enumerate(lines):
        record = lines_at + index * 20
        table += struct.pack("<5I", address, size, name(path, record), line, column)
    table += bytes(8 * len(functions))
    size = names_at + len(names.bytes)
    head = struct.pack("<13I", version, size, 2, len(SECTIONS), len(functions), 0, len(lines),
                       1, 0, 0, 0, 0, 0)
    head += UUID + struct.pack("<5I", *cpu, 0, 0, 1 if extra else 0) + bytes(extra)
    content = head + segments + table + names.bytes
    assert len(content) == size
    path = PATH + bytes(-len(PATH) % 8)
    signature = struct.pack("<6I", 0xFF01FF02, 1, 0xFFFFFFFF, 0, 0x2204, 1) + UUID
    signature += struct.pack("<IIQQ", 0x5EBA7758, 0x10000101, 0, 0x7FFFFFFFFFFFFFFF)
    signature += struct.pack("<4I", *cpu, 2, len(path)) + path
    for segment, address, length in ((b"__TEXT", 0, 0x8000), (b"__DATA", 0x8000, 0x4000)):
        signature += struct.pack("<16sQQ", segment, text + address, length)
    padded = (size + 15) // 16 * 16 + 16
    mark = struct.pack("<4I", 0xA1B22B1A, 3 if by_record else 5, 0xA1B22B1A, padded)
    return signature + mark + content + bytes(padded - 16 - size)


ARM64, ARMV7 = (0x0100000C, 0), (12, 9)
FILES = {
    "names": (1, False, ARM64, 0x100000000, 0, False),
    "records": (1, True, ARM64, 0x100000000, 0, False),
    "seven": (7, False, ARM64, 0x100000000, 8, False),
    "narrow": (1, False, ARMV7, 0x4000, 0, False),
    "unsorted": (1, False, ARM64, 0x100000000, 0, True),
}


def main():
    for name, arguments in FILES.items():
        with open(os.path.join(sys.argv[1], name + ".symbols"), "wb") as file:
            file.write(symbols(*arguments))


if __name__ == "__main__":
    main()
