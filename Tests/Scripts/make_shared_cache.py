#!/usr/bin/env python3
"""Makes dyld shared caches with the structure of Apple's and invented names.

    make_shared_cache.py FOLDER KIND [--images N] [--functions N] [--size BYTES]
    make_shared_cache.py --check PROGRAM

Prints a line for each function that a reader must find: the UUID of the library, its start and its
name. With --check, each kind is made, and `PROGRAM index --system` must find exactly these.

    kind        header of        arch       other files         local symbols
    macos11     macOS 11         arm64      none                at the end, 32-bit entries
    intel       macOS 11         x86_64h    none                at the end, 32-bit entries
    ios15       iOS 15           arm64e     .1 .2 .symbols      64-bit entries
    ios16       iOS 16           arm64e     .01 .02 .symbols    64-bit entries
    macos26     macOS 26         x86_64     .01 .02 .symbols    64-bit entries
    watch       watchOS 26       arm64_32   .01 .symbols        64-bit entries

The files of a cache of 3,000 images and 5 GB are sparse: only headers, tables and names are written.
"""

import argparse
import hashlib
import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = 0x4000
FUNCTION = 64
METHODS = 8  # of the class of an image

# magic, size of the header, number of files, CPU type and subtype, slide version, 64-bit pointers
KINDS = {
    "macos11": ("dyld_v1   arm64", 0x140, 1, (0x0100000C, 0), 2, True),
    "intel": ("dyld_v1 x86_64h", 0x140, 1, (0x01000007, 8), 2, True),
    "ios15": ("dyld_v1  arm64e", 0x1C8, 3, (0x0100000C, 0x80000002), 3, True),
    "ios16": ("dyld_v1  arm64e", 0x200, 3, (0x0100000C, 0x80000002), 3, True),
    "macos26": ("dyld_v1  x86_64", 0x228, 3, (0x01000007, 3), 5, True),
    "watch": ("dyld_v1arm64_32", 0x228, 2, (0x0200000C, 1), 4, False),
}


def align(value, to=PAGE):
    return (value + to - 1) // to * to


def uleb(value, size=0):
    out = bytearray()
    while value >= 0x80 or len(out) + 1 < size:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def identifier(*parts):
    return hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:16]


def trie(prefix, offsets):
    """A trie of names that begin with `prefix` and go on with three digits: root, node, leaves."""
    leaves = [bytes([len(uleb(o, 4)) + 1, 0]) + uleb(o, 4) + b"\0" for o in offsets]
    head = b"\0\1" + prefix + b"\0"
    second = len(head) + 2
    node = 2 + sum(4 + 4 for _ in leaves)
    out = head + uleb(second, 2) + bytes([0, len(leaves)])
    place = second + node
    for index, leaf in enumerate(leaves):
        out += b"%03d\0" % index + uleb(place, 4)
        place += len(leaf)
    return out + b"".join(leaves)


class File:
    """One file of the cache, while it is laid out."""

    def __init__(self, suffix):
        self.suffix = suffix
        self.images = []
        self.text = self.data = self.linkedit = 0


class Cache:
    def __init__(self, folder, kind, images, functions, size):
        self.magic, self.header, count, self.cpu, self.slide, self.is64 = KINDS[kind]
        self.kind, self.folder, self.functions, self.size = kind, folder, functions, size
        self.pointer = 8 if self.is64 else 4
        self.name = os.path.join(folder, "dyld_shared_cache_" + self.magic[7:].strip())
        self.base = 0x180000000 if self.is64 else 0x1A000000
        hasSuffixes = self.header > 0x1C8
        self.files = [File("")] + [
            File((".%02d" if hasSuffixes else ".%d") % n) for n in range(1, count)]
        self.count = images
        # Names of classes and selectors of all images: "Class12" and "method3Of12:".
        self.selectors = b"".join(
            b"method%dOf%d:\0" % (m, i) for i in range(min(images, 64)) for m in range(METHODS))

    def function_count(self, index):
        return self.functions * 40 if index % 100 == 99 else self.functions

    def selector(self, index, method):
        index %= min(self.count, 64)
        return b"method%dOf%d:" % (method, index)

    def make(self, expect):
        per_file = (self.count + len(self.files) - 1) // len(self.files)
        address = self.base
        padding = 0
        if self.size:
            text = sum(self.function_count(i) * FUNCTION + 2 * PAGE for i in range(self.count))
            padding = max(0, self.size - text - 200 * self.count * self.functions) // self.count
            padding = padding // PAGE * PAGE
        for number, file in enumerate(self.files):
            file.address = address
            used = align(self.header + 0x1000 + 64 * self.count + 96 * self.count, PAGE)
            if number == 0:
                # A page for the optimisations of Objective-C, then the selectors.
                self.selector_address = address + used
                used = align(used + 64 + len(self.selectors))
            for index in range(number * per_file, min(self.count, (number + 1) * per_file)):
                size = align(0x1000 + self.function_count(index) * FUNCTION) + padding
                file.images.append((index, address + used, size))
                used += size
            file.text = used
            file.data_address = address + used + 0x2000000
            file.data = align(0x1000 * len(file.images) + PAGE)
            file.linkedit_address = file.data_address + file.data + 0x2000000
            self.lay_linkedit(file)
            address = align(file.linkedit_address + file.linkedit + 0x2000000)
        self.locals = []
        for number, file in enumerate(self.files):
            self.write(number, file, expect)

    def lay_linkedit(self, file):
        """Strings, symbol tables, exports and function starts of all images of a file."""
        file.strings = bytearray(b"\0")
        file.tables = []
        file.blobs = []
        offset = 0
        for index, address, _ in file.images:
            count = self.function_count(index)
            exported = min(250, count // 4)
            symbols = bytearray()
            for n in range(exported):
                name = len(file.strings)
                file.strings += b"_Image%d_Export%03d\0" % (index, n)
                symbols += self.symbol(name, 0x0F, 1, address + 0x1000 + n * FUNCTION)
            # One name that was redacted: the function before must end there.
            redacted = len(file.strings)
            file.strings += b"<redacted>\0"
            symbols += self.symbol(redacted, 0x0E, 1, address + 0x1000 + (count - 1) * FUNCTION)
            exports = trie(
                b"_Image%d_Export" % index, [0x1000 + n * FUNCTION for n in range(exported)])
            starts = uleb(0x1000) + uleb(FUNCTION) * (count - 1) + b"\0"
            table = (offset, len(symbols) // (16 if self.is64 else 12))
            parts = []
            for blob in (bytes(symbols), exports, starts):
                parts.append((offset, len(blob)))
                file.blobs.append((offset, blob))
                offset = align(offset + len(blob), 8)
            file.tables.append((table, parts[1], parts[2]))
        file.strings_offset = offset
        file.linkedit = align(offset + len(file.strings))

    def symbol(self, name, kind, section, value):
        return struct.pack("<IBBHQ" if self.is64 else "<IBBHI", name, kind, section, 0, value)

    def stored(self, address):
        """A pointer as the slide information of the kind has it."""
        if self.slide == 3:
            # Every other pointer is authenticated.
            if address & 0x10:
                return 1 << 63 | 1 << 51 | (address - self.base)
            return 1 << 51 | address
        if self.slide == 5:
            return 1 << 52 | (address - self.base)
        if self.slide == 4:
            return 1 << 30 | (address - self.base)
        return 1 << 40 | (address - self.base)

    def put_pointer(self, out, address):
        out.write(struct.pack("<Q" if self.is64 else "<I", self.stored(address) if address else 0))

    def write(self, number, file, expect):
        path = self.name + file.suffix
        data_offset = file.text
        linkedit_offset = data_offset + file.data
        end = linkedit_offset + file.linkedit
        file.uuid = identifier(self.kind, "file", number)
        with open(path, "wb") as out:
            self.out = out
            out.truncate(end + 0x1000)
            mappings = [
                (file.address, file.text, 0, 5),
                (file.data_address, file.data, data_offset, 3),
                (file.linkedit_address, file.linkedit, linkedit_offset, 1),
            ]
            self.put(0, "16s", self.magic.encode())
            self.put(0x10, "<II", self.header, len(mappings))
            self.put(0x58, "16s", file.uuid)
            self.put(0xE0, "<QQ", self.base, 1 << 32)
            for index, (address, size, offset, protection) in enumerate(mappings):
                place = self.header + 32 * index
                self.put(place, "<QQQII", address, size, offset, protection, protection)
            slides = self.header + 32 * len(mappings)
            self.put(0x138, "<II", slides, len(mappings))
            for index, (address, size, offset, protection) in enumerate(mappings):
                slide = end if index == 1 else 0
                self.put(slides + 56 * index, "<QQQQQQII", address, size, offset, slide,
                         64 if slide else 0, 0, protection, protection)
            self.write_slide(end, file.data // 0x1000)
            if number == 0:
                self.write_main(slides + 56 * len(mappings))
            for place, (index, address, size) in enumerate(file.images):
                self.write_image(file, place, index, address, data_offset, linkedit_offset, expect)
            for offset, blob in file.blobs:
                out.seek(linkedit_offset + offset)
                out.write(blob)
            out.seek(linkedit_offset + file.strings_offset)
            out.write(file.strings)
        if number == len(self.files) - 1:
            self.write_locals(end + 0x1000)

    def put(self, offset, layout, *values):
        self.out.seek(offset)
        self.out.write(struct.pack(layout, *values))

    def write_slide(self, offset, pages):
        """How pointers are stored, and for each page that nothing is to be slid: readers of names
        decode the pointers that they follow."""
        if self.slide in (2, 4):
            mask = 0x00FFFF0000000000 if self.slide == 2 else 0xC0000000
            self.put(offset, "<IIIIIIQQ", self.slide, 0x1000, 40, pages, 0, 0, mask, self.base)
            self.put(offset + 40, f"<{pages}H", *[0x4000 if self.slide == 2 else 0xFFFF] * pages)
        else:
            self.put(offset, "<IIIIQ", self.slide, 0x1000, pages, 0, self.base)
            self.put(offset + 24, f"<{pages}H", *[0xFFFF] * pages)

    def write_main(self, free):
        """The list of images, and the other files."""
        images = [image for file in self.files for image in file.images]
        texts = free
        infos = texts + 32 * len(images)
        paths = infos + 32 * len(images)
        names = bytearray()
        for place, (index, address, size) in enumerate(images):
            self.put(texts + 32 * place, "<16sQII", identifier(self.kind, "image", index), address,
                     size, paths + len(names))
            self.put(infos + 32 * place, "<QQQII", address, 0, 0, paths + len(names), 0)
            names += b"/System/Library/Frameworks/Image%d.framework/Image%d\0" % (index, index)
        self.out.seek(paths)
        self.out.write(names)
        self.put(0x88, "<QQ", texts, len(images))
        if self.header > 0x1C0:
            self.put(0x1C0, "<II", infos, len(images))
            entries = align(paths + len(names), 16)
            self.put(0x188, "<II", entries, len(self.files) - 1)
            size = 56 if self.header > 0x1C8 else 24
            for number, file in enumerate(self.files[1:]):
                self.put(entries + size * number, "<16sQ", identifier(
                    self.kind, "file", number + 1), file.address - self.base)
                if size == 56:
                    self.put(entries + size * number + 24, "32s", file.suffix.encode())
            self.put(0x190, "16s", identifier(self.kind, "symbols"))
        else:
            self.put(0x18, "<II", infos, len(images))
        place = self.selector_address - self.base
        if self.header > 0x1D0:
            self.put(0x1D0, "<Q", place)
            self.put(place, "<IIQQQQQQ", 1, 0, 0, 0, 0, 0, 0, place + 64)
        self.out.seek(place + 64)
        self.out.write(self.selectors)

    def write_image(self, file, place, index, address, data_offset, linkedit_offset, expect):
        count = self.function_count(index)
        table, exports, starts = file.tables[place]
        data = file.data_address + 0x1000 * place
        text = address - file.address
        uuid = identifier(self.kind, "image", index)
        names, methods = address + 0x800, address + 0x900
        word = "Q" if self.is64 else "I"
        segment = f"<II16s{word * 4}IIII"
        section = "<16s16s" + word * 2 + "IIIIIII" + ("I" if self.is64 else "")
        command = 0x19 if self.is64 else 0x1

        def section_of(name, owner, start, size, offset, flags):
            rest = (0, 0, 0) if self.is64 else (0, 0)
            return struct.pack(section, name, owner, start, size, offset, 2, 0, 0, flags, *rest)

        def segment_of(name, start, size, offset, protection, *sections):
            body = b"".join(sections)
            return struct.pack(
                segment, command, struct.calcsize(segment) + len(body), name, start, size, offset,
                size, protection, protection, len(sections), 0) + body

        commands = [
            segment_of(
                b"__TEXT", address, align(0x1000 + count * FUNCTION), text, 5,
                section_of(b"__text", b"__TEXT", address + 0x1000, count * FUNCTION,
                           text + 0x1000, 0x80000400),
                section_of(b"__objc_methlist", b"__TEXT", methods, 8 + 12 * METHODS,
                           text + 0x900, 0)),
            segment_of(
                b"__DATA_CONST", data, 0x1000, data_offset + 0x1000 * place, 3,
                section_of(b"__objc_classlist", b"__DATA_CONST", data, self.pointer,
                           data_offset + 0x1000 * place, 0x10000000)),
            segment_of(b"__LINKEDIT", file.linkedit_address, file.linkedit, linkedit_offset, 1),
            struct.pack("<II16s", 0x1B, 24, uuid),
            struct.pack("<IIIIII", 0x2, 24, linkedit_offset + table[0], table[1],
                        linkedit_offset + file.strings_offset, len(file.strings)),
            # All symbols count as external.
            struct.pack("<20I", 0xB, 80, 0, 0, 0, table[1], table[1], *[0] * 7,
                        linkedit_offset + table[0], *[0] * 5),
            struct.pack("<IIII", 0x80000033, 16, linkedit_offset + exports[0], exports[1]),
            struct.pack("<IIII", 0x26, 16, linkedit_offset + starts[0], starts[1]),
        ]
        body = b"".join(commands)
        magic = 0xFEEDFACF if self.is64 else 0xFEEDFACE
        self.put(text, "<IIIIIII", magic, self.cpu[0], self.cpu[1], 6, len(commands), len(body), 0)
        self.out.seek(text + (32 if self.is64 else 28))
        self.out.write(body)

        # The class: a list of one pointer, the class, its metaclass, and the content of both.
        at, p = data, self.pointer
        cls, meta, content, meta_content = at + 0x40, at + 0x80, at + 0x100, at + 0x180
        base = data_offset + 0x1000 * place - data
        self.out.seek(base + at)
        self.put_pointer(self.out, cls)
        for start, isa, own in ((cls, meta, content), (meta, 0, meta_content)):
            self.out.seek(base + start)
            self.put_pointer(self.out, isa)
            self.out.seek(base + start + 4 * p)
            self.put_pointer(self.out, own)
        self.put(text + 0x800, "32s", b"Class%d" % index)
        for start, list_address in ((content, methods), (meta_content, 0)):
            self.out.seek(base + start + (24 if self.is64 else 16))
            self.put_pointer(self.out, names)
            self.put_pointer(self.out, list_address)
        # The methods are the functions before the last one, which have no symbols.
        isDirect = self.header > 0x1D0
        flags = 0x80000000 | 0x40000000 | 12
        self.put(text + 0x900, "<II", flags, METHODS)
        for method in range(METHODS):
            entry = methods + 8 + 12 * method
            code = address + 0x1000 + (count - 1 - METHODS + method) * FUNCTION
            name = self.selector(index, method)
            offset = self.selectors.index(name)
            if not isDirect:
                offset += self.selector_address + 64 - entry
            self.put(text + 0x908 + 12 * method, "<iii", offset, 0, code - (entry + 8))
            expect(uuid, code, b"-[Class%d %s]" % (index, name))
        for n in range(min(250, count // 4)):
            expect(uuid, address + 0x1000 + n * FUNCTION, b"Image%d_Export%03d" % (index, n))
        self.locals.append((index, address, min(250, count // 4), count - 1 - METHODS))

    def write_locals(self, free):
        """The symbols of compilation units: in a file of their own, or at the end of the only one."""
        isOwn = self.header > 0x190
        entries, strings, starts = bytearray(), bytearray(b"\0"), []
        path = self.name + (".symbols" if isOwn else "")
        offset = 0x400 if isOwn else free
        total = sum(last - first for _, _, first, last in self.locals)
        size = 16 if self.is64 else 12
        entry = "<QII" if isOwn else "<III"
        table = 24
        strings_offset = table + size * total
        with open(path, "r+b" if not isOwn else "wb") as out:
            self.out = out
            number = 0
            out.seek(offset + table)
            for index, address, first, last in self.locals:
                entries += struct.pack(entry, address - self.base, number, last - first)
                symbols = bytearray()
                for n in range(first, last):
                    name = len(strings)
                    strings += b"__ZN7Library%d6detail8functionILi%dEEEvPKcm\0" % (index, n)
                    symbols += self.symbol(name, 0x0E, 1, address + 0x1000 + n * FUNCTION)
                number += last - first
                out.write(symbols)
            out.write(strings)
            entries_offset = align(strings_offset + len(strings), 8)
            out.seek(offset + entries_offset)
            out.write(entries)
            self.put(offset, "<IIIIII", table, total, strings_offset, len(strings), entries_offset,
                     len(self.locals))
            if isOwn:
                self.put(0, "16s", self.magic.encode())
                self.put(0x10, "<II", self.header, 0)
                self.put(0x58, "16s", identifier(self.kind, "symbols"))
            self.put(0x48, "<QQ", offset, entries_offset + len(entries))

    def local_functions(self):
        for index, address, first, last in self.locals:
            for n in range(first, last):
                name = b"_ZN7Library%d6detail8functionILi%dEEEvPKcm" % (index, n)
                yield identifier(self.kind, "image", index), address + 0x1000 + n * FUNCTION, name


def make(folder, kind, images, functions, size=0):
    found = []
    cache = Cache(folder, kind, images, functions, size)
    cache.make(lambda *function: found.append(function))
    return cache.name, found, cache.local_functions()


def check(program):
    sys.path.insert(0, HERE)
    from compare_shared_cache import gsym_functions

    failed = 0
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            name, found, rest = make(folder, kind, 7, 40)
            expected = {}
            for uuid, address, text in found + list(rest):
                expected.setdefault(uuid.hex(), {})[address] = text.decode()
            indexes = os.path.join(folder, "indexes")
            run = subprocess.run(
                [program, "index", "--system", name, "-o", indexes], capture_output=True, text=True)
            actual = {}
            for index in os.listdir(indexes) if os.path.isdir(indexes) else []:
                uuid, functions = gsym_functions(os.path.join(indexes, index))
                actual[uuid] = {start: text for start, (_, text) in functions.items()}
                wrong = [s for s, (e, _) in functions.items() if e - s != FUNCTION]
                if wrong:
                    failed += 1
                    print(f"{kind} {uuid}: {len(wrong)} functions with another size")
            isRight = actual == expected and run.returncode == 0
            failed += not isRight
            count = sum(map(len, expected.values()))
            print(f"{kind}: {count} functions, {'as expected' if isRight else 'DIFFERENT'}")
            if not isRight:
                print(run.stderr)
                for uuid, functions in expected.items():
                    own = actual.get(uuid, {})
                    for address, text in functions.items():
                        if own.get(address) != text:
                            print(f"  {uuid} {address:#x}: {own.get(address)}, not {text}")
                            break
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", metavar="PROGRAM")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("kind", nargs="?", choices=KINDS)
    parser.add_argument("--images", type=int, default=7)
    parser.add_argument("--functions", type=int, default=40)
    parser.add_argument("--size", type=int, default=0)
    parser.add_argument("--quiet", action="store_true", help="print only the path of the cache")
    options = parser.parse_args()
    if options.check:
        return 1 if check(options.check) else 0
    os.makedirs(options.folder, exist_ok=True)
    name, found, rest = make(
        options.folder, options.kind, options.images, options.functions, options.size)
    print(name)
    if not options.quiet:
        for uuid, address, text in found + list(rest):
            print(uuid.hex(), hex(address), text.decode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
