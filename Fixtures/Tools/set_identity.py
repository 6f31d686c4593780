#!/usr/bin/env python3
"""set_identity.py FILE [--uuid UUID] [--arm64e]: changes what a thin 64-bit Mach-O file says it is.

--uuid    ld64.lld can only hash an image's UUID or make a random one; a fixture that stands for an
          image of a real report needs that image's.
--arm64e  ld64.lld links arm64e objects, but its output says arm64.
"""
import argparse
import struct
import uuid

MH_MAGIC_64 = 0xFEEDFACF
LC_UUID = 0x1B
CPU_TYPE_ARM64 = 0x0100000C
CPU_SUBTYPE_ARM64E = 0x80000002  # with the bit of the versioned pointer-authentication ABI

parser = argparse.ArgumentParser()
parser.add_argument('file')
parser.add_argument('--uuid', type=uuid.UUID)
parser.add_argument('--arm64e', action='store_true')
arguments = parser.parse_args()

data = bytearray(open(arguments.file, 'rb').read())
magic, cpu_type, _, _, commands = struct.unpack_from('<5I', data)
if magic != MH_MAGIC_64:
    parser.error('not a thin little-endian 64-bit Mach-O file')

if arguments.arm64e:
    if cpu_type != CPU_TYPE_ARM64:
        parser.error('not an arm64 file')
    struct.pack_into('<I', data, 8, CPU_SUBTYPE_ARM64E)

if arguments.uuid:
    offset, done = 32, False
    for _ in range(commands):
        command, size = struct.unpack_from('<2I', data, offset)
        if command == LC_UUID:
            data[offset + 8:offset + 24] = arguments.uuid.bytes
            done = True
        offset += size
    if not done:
        parser.error('no LC_UUID')

open(arguments.file, 'wb').write(data)
