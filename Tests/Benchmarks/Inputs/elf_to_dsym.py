#!/usr/bin/env python3
"""elf_to_dsym.py ELF DSYM: converts the debug information of a linked ELF file to a dSYM bundle.

Copies the debug sections byte by byte (decompressed if necessary) and the functions of the symbol table.
Addresses do not change: __TEXT covers the code of the ELF file, so every address has the same answer in both
files. Accepts 64-bit little-endian files for x86_64 and arm64.
"""
import argparse
import hashlib
import os
import struct

from object_file import SHT_NOBITS, ObjectFile, UnsuitableFile

MH_DSYM = 10
LC_UUID, LC_SYMTAB, LC_SEGMENT_64 = 0x1B, 0x2, 0x19
CPU = {62: (0x01000007, 3), 183: (0x0100000C, 0)}  # e_machine: cputype, cpusubtype
S_ATTR_PURE_INSTRUCTIONS, S_ATTR_SOME_INSTRUCTIONS, S_ATTR_DEBUG = 0x80000000, 0x400, 0x02000000
N_SECT, N_EXT = 0x0E, 0x01
PAGE = 0x1000
INFO_PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>CFBundleIdentifier</key><string>com.apple.xcode.dsym.{name}</string>
<key>CFBundlePackageType</key><string>dSYM</string>
</dict></plist>
"""


def aligned(offset, unit):
    return (offset + unit - 1) // unit * unit


def mach_o_name(name):
    """The name in a field of 16 bytes: what is longer, ld64 and dsymutil cut or abbreviate."""
    return ("__" + {"debug_str_offsets": "debug_str_offs"}.get(name, name)).encode()[:16]


def symbol_table(file):
    """The entries of LC_SYMTAB and their strings. Names of Mach-O begin with an underscore."""
    entries, strings = bytearray(), bytearray(b"\0")
    for function in file.functions:
        entries += struct.pack(
            "<IBBHQ", len(strings), N_SECT | (N_EXT if function.is_global else 0), 1, 0, function.start)
        strings += b"_" + function.name + b"\0"
    return entries, strings


def segment(name, address, size, offset, file_size, sections):
    """LC_SEGMENT_64. `sections`: (name, address, size, offset, flags) of each."""
    command = struct.pack(
        "<II16sQQQQiiII", LC_SEGMENT_64, 72 + 80 * len(sections), name, address, size, offset, file_size,
        7, 5, len(sections), 0)
    for section_name, section_address, byte_count, place, flags in sections:
        command += struct.pack(
            "<16s16sQQIIIIIIII", section_name, name, section_address, byte_count, place, 0, 0, 0, flags, 0, 0, 0)
    return command


def write_dsym(path, bundle):
    file = ObjectFile(path)
    if not file.is_elf or file.machine not in CPU:
        raise UnsuitableFile(f"{path}: not an ELF file for x86_64 or arm64")
    debug_sections = [
        (section, file.content(section)) for section in file.sections
        if section.name.startswith("debug_") and section.kind != SHT_NOBITS]
    text_start = min(start for start, _ in file.text_ranges)
    text_end = max(end for _, end in file.text_ranges)
    base = text_start // PAGE * PAGE
    entries, strings = symbol_table(file)

    command_size = 24 + 24 + (72 + 80) + (72 + 80 * len(debug_sections))
    symbol_offset = aligned(32 + command_size, PAGE)
    string_offset = symbol_offset + len(entries)
    debug_offset = aligned(string_offset + len(strings), PAGE)
    debug_address = aligned(text_end, PAGE)
    places, offset = [], debug_offset
    for section, content in debug_sections:
        places.append(offset)
        offset = aligned(offset + len(content), 16)
    if offset > 0xFFFFFFFF:
        raise UnsuitableFile(f"{path}: more debug information than Mach-O sections can point to")

    commands = struct.pack("<II16s", LC_UUID, 24, hashlib.md5(os.path.basename(path).encode()).digest())
    commands += struct.pack(
        "<IIIIII", LC_SYMTAB, 24, symbol_offset, len(file.functions), string_offset, len(strings))
    commands += segment(
        b"__TEXT", base, debug_address - base, 0, 0,
        [(b"__text", text_start, text_end - text_start, 0,
          S_ATTR_PURE_INSTRUCTIONS | S_ATTR_SOME_INSTRUCTIONS)])
    commands += segment(
        b"__DWARF", debug_address, aligned(offset - debug_offset, PAGE), debug_offset, offset - debug_offset,
        [(mach_o_name(section.name), debug_address + place - debug_offset, len(content), place, S_ATTR_DEBUG)
         for (section, content), place in zip(debug_sections, places)])
    header = struct.pack("<IIIIIIII", 0xFEEDFACF, *CPU[file.machine], MH_DSYM, 4, len(commands), 0, 0)

    name = os.path.basename(bundle.rstrip("/")).removesuffix(".dSYM")
    folder = os.path.join(bundle, "Contents", "Resources", "DWARF")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(bundle, "Contents", "Info.plist"), "w") as plist:
        plist.write(INFO_PLIST.format(name=name))
    with open(os.path.join(folder, name), "wb") as output:
        output.write(header + commands)
        output.seek(symbol_offset)
        output.write(entries + strings)
        for (_, content), place in zip(debug_sections, places):
            output.seek(place)
            output.write(content)
        output.truncate(offset)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("elf")
    parser.add_argument("dsym")
    arguments = parser.parse_args()
    try:
        write_dsym(arguments.elf, arguments.dsym)
    except UnsuitableFile as error:
        raise SystemExit(str(error))
