"""Writes dSYM-like Mach-O files for the growth measurements: 64-bit, little-endian, arm64.

Sources: <mach-o/loader.h> and <mach-o/nlist.h>.
"""
import struct

from elf_file import uleb128

BASE = 0x1_0000_0000
CODE_OFFSET = 0x1000
MH_EXECUTE, MH_DSYM = 2, 10
LC_SEGMENT_64, LC_SYMTAB, LC_UUID = 0x19, 0x2, 0x1B
LC_FUNCTION_STARTS, LC_DYLD_EXPORTS_TRIE = 0x26, 0x80000033
N_SECT, N_EXT = 0x0E, 0x01
CPU_ARM64 = 0x0100000C
CODE_FLAGS = 0x80000400


def segment(name, address, size, offset, file_size, sections=()):
    command = struct.pack(
        "<II16sQQQQiiII", LC_SEGMENT_64, 72 + 80 * len(sections), name, address, size, offset, file_size,
        7, 5, len(sections), 0)
    for section, start, byte_count, flags in sections:
        command += struct.pack(
            "<16s16sQQIIIIIIII", section, name, start, byte_count, offset, 0, 0, 0, flags, 0, 0, 0)
    return command


def mach_o(identity, symbols=(), starts=(), exports=b"", code_size=1 << 28, kind=MH_EXECUTE, shared=None):
    """`symbols`: (name, offset in the image). `starts`: ascending offsets in the image. `shared`: a string in which
    the names begin, which are numbers then."""
    entries, strings = bytearray(), bytearray(b"\0") + (shared or b"")
    for name, offset in symbols:
        place = len(strings) if shared is None else 1 + name
        entries += struct.pack("<IBBHQ", place, N_SECT | N_EXT, 1, 0, BASE + offset)
        if shared is None:
            strings += b"_" + name.encode() + b"\0"
    deltas, last = bytearray(), 0
    for start in starts:
        deltas += uleb128(start - last)
        last = start
    deltas += b"\0"
    place = 0x1000
    parts = [bytes(entries), bytes(strings), bytes(deltas), exports]
    places = []
    for part in parts:
        places.append(place)
        place += len(part)
    commands = [
        struct.pack("<II16s", LC_UUID, 24, identity),
        segment(b"__TEXT", BASE, code_size, 0, 0, [(b"__text", BASE + CODE_OFFSET, code_size - CODE_OFFSET,
                                                    CODE_FLAGS)]),
        segment(b"__LINKEDIT", BASE + code_size, 1 << 28, 0x1000, place - 0x1000),
        struct.pack("<IIIIII", LC_SYMTAB, 24, places[0], len(symbols), places[1], len(strings)),
    ]
    if starts:
        commands.append(struct.pack("<IIII", LC_FUNCTION_STARTS, 16, places[2], len(deltas)))
    if exports:
        commands.append(struct.pack("<IIII", LC_DYLD_EXPORTS_TRIE, 16, places[3], len(exports)))
    body = b"".join(commands)
    header = struct.pack("<IIIIIIII", 0xFEEDFACF, CPU_ARM64, 0, kind, len(commands), len(body), 0, 0)
    return (header + body).ljust(0x1000, b"\0") + b"".join(parts)
