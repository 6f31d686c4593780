#!/usr/bin/env python3
"""Writes a GSYM file of version 1 again as version 2.

usage: version2.py INPUT OUTPUT [--big-endian] [--address-size N] [--reversed]

Version 1 as LLVM's Header.h, FunctionInfo.h, LineTable.h and InlineInfo.h describe it; version 2 as its
HeaderV2.h and GlobalData.h do: a header of 20 bytes, a directory of entries of 20 bytes (kind, offset, size),
and tables anywhere in the file. Offsets of records count from the start of the records and have 8 bytes, and so
have all offsets of strings. --reversed writes the tables in the opposite order, with gaps between them.
"""

import argparse
import struct

LINE_TABLE, INLINE_INFO = 1, 2
ADDRESS_OFFSETS, RECORD_OFFSETS, STRINGS, FILES, RECORDS, UUID = range(1, 7)


def leb(data, at):
    """The end of the LEB128 number at an offset, and its value if it is unsigned."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return at, value


class Converter:
    def __init__(self, data, big_endian, address_size):
        self.order = "<" if data[:4] == b"MYSG" else ">"
        self.data = data
        self.to = ">" if big_endian else "<"
        magic, version, self.address_size, uuid_size = struct.unpack(self.order + "IHBB", data[:8])
        assert magic == 0x4753594D and version == 1
        self.base, count, strings, strings_size = struct.unpack(self.order + "QIII", data[8:28])
        self.uuid = data[28 : 28 + uuid_size]
        self.strings = data[strings : strings + strings_size]
        letter = {1: "B", 2: "H", 4: "I", 8: "Q"}
        at = 48
        self.addresses = struct.unpack(
            f"{self.order}{count}{letter[self.address_size]}", data[at : at + count * self.address_size])
        at = (at + count * self.address_size + 3) // 4 * 4
        self.record_offsets = struct.unpack(f"{self.order}{count}I", data[at : at + 4 * count])
        at += 4 * count
        (files,) = struct.unpack(self.order + "I", data[at : at + 4])
        numbers = struct.unpack(f"{self.order}{2 * files}I", data[at + 4 : at + 4 + 8 * files])
        self.files = struct.pack(f"{self.to}I{2 * files}Q", files, *numbers)
        self.address_size = address_size or self.address_size
        self.letter = letter[self.address_size]

    def inline_entry(self, at, out):
        """Copies an entry of the inlined calls and its children. Returns its end, and False at the end of a list."""
        start = at
        at, count = leb(self.data, at)
        if count == 0:
            out += b"\0"
            return at, False
        for _ in range(2 * count):
            at, _ = leb(self.data, at)
        has_children = self.data[at]
        at += 1
        out += self.data[start:at]
        (name,) = struct.unpack(self.order + "I", self.data[at : at + 4])
        out += struct.pack(self.to + "Q", name)
        start = at + 4
        at, _ = leb(self.data, start)
        at, _ = leb(self.data, at)
        out += self.data[start:at]
        more = has_children
        while more:
            at, more = self.inline_entry(at, out)
        return at, True

    def record(self, at):
        size, name = struct.unpack(self.order + "II", self.data[at : at + 8])
        at += 8
        out = bytearray(struct.pack(self.to + "IQ", size, name))
        while True:
            kind, length = struct.unpack(self.order + "II", self.data[at : at + 8])
            at += 8
            part = bytearray()
            if kind == INLINE_INFO:
                self.inline_entry(at, part)
            else:
                part += self.data[at : at + length]
            out += struct.pack(self.to + "II", kind, len(part)) + part
            at += length
            if kind == 0:
                return out

    def convert(self, is_reversed):
        records = bytearray()
        offsets = []
        for offset in self.record_offsets:
            records += bytes(-len(records) % 4)
            offsets.append(len(records))
            records += self.record(offset)
        count = len(self.addresses)
        tables = [
            (ADDRESS_OFFSETS, struct.pack(f"{self.to}{count}{self.letter}", *self.addresses)),
            (RECORD_OFFSETS, struct.pack(f"{self.to}{count}Q", *offsets)),
            (FILES, self.files), (STRINGS, self.strings), (RECORDS, bytes(records)),
        ]
        if self.uuid:
            tables.append((UUID, self.uuid))
        header = struct.pack(self.to + "IHBBQI", 0x4753594D, 2, self.address_size, 0, self.base, count)
        assert len(header) == 20
        body = bytearray()
        body_start = len(header) + 20 * (len(tables) + 1)
        directory = {}
        for kind, content in reversed(tables) if is_reversed else tables:
            body += bytes(-(body_start + len(body)) % 8)
            if is_reversed:
                body += b"gap" + bytes(5)
            directory[kind] = (body_start + len(body), len(content))
            body += content
        entries = b"".join(struct.pack(self.to + "IQQ", kind, *directory[kind]) for kind, _ in tables)
        return header + entries + bytes(20) + bytes(body)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--big-endian", action="store_true")
    parser.add_argument("--address-size", type=int)
    parser.add_argument("--reversed", action="store_true")
    options = parser.parse_args()
    with open(options.input, "rb") as file:
        data = file.read()
    with open(options.output, "wb") as file:
        file.write(Converter(data, options.big_endian, options.address_size).convert(options.reversed))


main()
