#!/usr/bin/env python3
"""hide_names.py FILE OUTPUT MAP: hides the names in a thin 64-bit Mach-O dSYM as a build with bitcode does.

Every string of __debug_str, __debug_line_str and the symbol table that is long enough becomes
`__hidden#N_`, padded with zeros, and MAP gets the string as its line N. What a line table states
itself (before DWARF 5) stays.
"""
import struct
import sys

MH_MAGIC_64 = 0xFEEDFACF
LC_SYMTAB = 0x2
LC_SEGMENT_64 = 0x19
SHORTEST = len('__hidden#1234_')

source, output, map_path = sys.argv[1:]
data = bytearray(open(source, 'rb').read())
magic, _, _, _, commands = struct.unpack_from('<5I', data)
if magic != MH_MAGIC_64:
    sys.exit('not a thin little-endian 64-bit Mach-O file')

tables = []
offset = 32
for _ in range(commands):
    command, size = struct.unpack_from('<2I', data, offset)
    if command == LC_SEGMENT_64:
        count, = struct.unpack_from('<I', data, offset + 64)
        for section in range(offset + 72, offset + 72 + 80 * count, 80):
            name = data[section:section + 16].rstrip(b'\0')
            if name in (b'__debug_str', b'__debug_line_str'):
                length, start = struct.unpack_from('<QI', data, section + 40)
                tables.append((start, start + length))
    elif command == LC_SYMTAB:
        start, length = struct.unpack_from('<2I', data, offset + 16)
        tables.append((start, start + length))
    offset += size

names = []
for start, end in tables:
    while start < end:
        stop = data.index(0, start, end)
        text = bytes(data[start:stop])
        if len(text) >= SHORTEST:
            hidden = b'__hidden#%d_' % len(names)
            data[start:stop] = hidden.ljust(len(text), b'\0')
            names.append(text)
        start = stop + 1

open(output, 'wb').write(data)
with open(map_path, 'wb') as file:
    file.write(b'BCSymbolMap Version: 2.0\n')
    for name in names:
        file.write(name + b'\n')
