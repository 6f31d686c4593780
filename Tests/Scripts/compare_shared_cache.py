#!/usr/bin/env python3
"""Compares the names of `symbolicate index --system` with those of other tools, address by address.

    compare_shared_cache.py PROGRAM CACHE…

dyldextractor (PyPI), which this Python must be able to import, splits each dyld shared cache into
Mach-O files. Their symbols in sections of code must be functions of the index of the library, with
one of their names. llvm-objdump lists the Objective-C methods, which must be functions, too. Every
function of the index must come from one of both, or from the export trie.
"""

import glob
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile


def gsym_functions(path):
    """The functions of a GSYM file of version 1: start -> (end, name); and its UUID."""
    data = open(path, "rb").read()
    magic, version, size, uuid_size, base, count, strings, _ = struct.unpack_from("<IHBBQIII", data)
    assert magic == 0x4753594D and version == 1
    formats = {1: "B", 2: "H", 4: "I", 8: "Q"}
    starts = struct.unpack_from(f"<{count}{formats[size]}", data, 48)
    offsets = (48 + count * size + 3) // 4 * 4
    functions = {}
    for start, record in zip(starts, struct.unpack_from(f"<{count}I", data, offsets)):
        length, name = struct.unpack_from("<II", data, record)
        text = data[strings + name : data.index(b"\0", strings + name)].decode()
        functions[base + start] = (base + start + length, text)
    return data[28 : 28 + uuid_size].hex(), functions


class Library:
    """A thin Mach-O file of 64 bits, read for what the comparison needs."""

    def __init__(self, path):
        self.path = path
        self.data = open(path, "rb").read()
        self.segments, self.code, self.uuid, self.symtab = [], [], None, None
        sections = []
        offset = 32
        for _ in range(struct.unpack_from("<I", self.data, 16)[0]):
            command, size = struct.unpack_from("<II", self.data, offset)
            if command == 0x19:
                address, vmsize, start, filesize = struct.unpack_from("<QQQQ", self.data, offset + 24)
                self.segments.append((address, start, filesize))
                for index in range(struct.unpack_from("<I", self.data, offset + 64)[0]):
                    place = offset + 72 + 80 * index
                    low, length = struct.unpack_from("<QQ", self.data, place + 32)
                    flags = struct.unpack_from("<I", self.data, place + 64)[0]
                    sections.append((low, low + length, flags & 0x80000400 != 0))
            elif command == 0x1B:
                self.uuid = self.data[offset + 8 : offset + 24].hex()
            elif command == 0x2:
                self.symtab = struct.unpack_from("<IIII", self.data, offset + 8)
            offset += size
        self.sections = sections

    def symbols(self):
        """Address -> names of the symbols that are defined in sections of code."""
        found = {}
        if not self.symtab:
            return found
        offset, count, strings, _ = self.symtab
        for index in range(count):
            name, kind, section, _, value = struct.unpack_from(
                "<IBBHQ", self.data, offset + 16 * index)
            if kind & 0xE0 or kind & 0x0E != 0x0E or not 0 < section <= len(self.sections):
                continue
            low, high, is_code = self.sections[section - 1]
            text = self.string(strings + name)
            if is_code and low <= value < high and text and text != "<redacted>":
                found.setdefault(value, set()).add(text[1:] if text[0] == "_" else text)
        return found

    def string(self, offset):
        return self.data[offset : self.data.index(b"\0", offset)].decode()

    def place(self, address):
        for start, offset, size in self.segments:
            if start <= address < start + size:
                return offset + address - start
        return None

    def methods(self):
        """Address -> names of the Objective-C methods, as llvm-objdump reads the metadata."""
        output = subprocess.run(
            ["llvm-objdump" + os.environ.get("SYMBOLICATE_LLVM_SUFFIX", "-19"), "--macho",
             "--objc-meta-data", self.path],
            capture_output=True, text=True, errors="replace").stdout
        found, sign, owner, selector, is_list = {}, "-", None, None, False
        high = self.segments[0][0] & ~0xFFFFFFFF
        for line in output.splitlines():
            words = line.split()
            if line.startswith("Contents of"):
                sign, owner, is_list = "-", None, False
                continue
            if re.match(r"[0-9a-f]{16} 0x", line):
                sign, is_list = "-", False
            elif line.startswith("Meta Class"):
                sign, is_list = "+", False
            elif words[:1] == ["baseMethods"]:
                is_list = True
            elif words[:1] in (["baseProtocols"], ["ivars"]):
                is_list = False
            elif words[:1] == ["name"] and not is_list:
                place = self.place(int(words[1], 16))
                owner = self.string(place) if place is not None else None
            elif words[:1] == ["name"] and is_list and len(words) > 2:
                place = self.place(high | int(words[2].strip("()"), 16))
                selector = None
                if place is not None:
                    pointer = struct.unpack_from("<Q", self.data, place)[0]
                    text = self.place(pointer)
                    # The list leads to a reference to the selector, or to the selector.
                    selector = self.string(text if text is not None else place)
            elif words[:1] == ["imp"] and is_list and len(words) > 2:
                address = high | int(words[2].strip("()"), 16)
                name = f"{sign}[{owner} {selector}]" if owner and selector else None
                found.setdefault(address, set()).add(name)
        return found


def compare(program, cache):
    folder = tempfile.mkdtemp()
    try:
        indexes = os.path.join(folder, "indexes")
        subprocess.run(
            [program, "index", "--system", cache, "-o", indexes], check=True, capture_output=True)
        names = dict(gsym_functions(path) for path in glob.glob(f"{indexes}/*.gsym"))
        extracted = os.path.join(folder, "libraries")
        extractor = os.path.join(os.path.dirname(sys.executable), "dyldex_all")
        subprocess.run([extractor, "-v", "0", "-o", extracted, cache], check=True, capture_output=True)
        wrong = libraries = symbols = methods = others = 0
        for path, _, files in os.walk(extracted):
            for file in files:
                library = Library(os.path.join(path, file))
                libraries += 1
                functions = names.get(library.uuid, {})
                expected = library.symbols()
                own = library.methods()
                symbols += len(expected)
                methods += len(own)
                for address, texts in sorted(expected.items()):
                    if functions.get(address, (0, None))[1] not in texts:
                        wrong += 1
                        print(f"{file} {address:#x}: {functions.get(address)}, not {texts}")
                for address, texts in sorted(own.items()):
                    found = functions.get(address)
                    if address in expected:
                        continue
                    if not found or (found[1] not in texts and None not in texts):
                        wrong += 1
                        print(f"{file} {address:#x}: {found}, not {texts}")
                for address in sorted(set(functions) - set(expected) - set(own)):
                    others += 1
                    print(f"{file} {address:#x}: {functions[address]} is in no other tool")
        if not libraries:
            wrong += 1
            print(f"{cache}: dyldextractor finds no library")
        print(f"{cache}: {libraries} libraries, {symbols} addresses of symbols, {methods} of methods,"
              f" {wrong} different, {others} in no other tool")
        return wrong
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(1 if sum(compare(sys.argv[1], cache) for cache in sys.argv[2:]) else 0)
