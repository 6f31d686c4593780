"""Mutants of symbol files that know the structure: headers, load commands, section tables, counts,
offsets, sizes and lengths of Mach-O, ELF, static libraries, GSYM, Breakpad, dyld shared caches,
`.symbols`, learnt names and
property lists."""

import os
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Fixtures/Learnt"))
import learnt

EXTREMES = [0, 1, 2, 3, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff,
            0x80000000, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
            0x8000000000000000, 0xfffffffffffffffe, 0xffffffffffffffff]


def mutate(random, data, other):
    """A mutant of `data`; `other` is another seed, for splices."""
    mutant = bytearray(data)
    fields = fields_of(data)
    for _ in range(random.choice([1, 1, 1, 2, 3, 8])):
        match random.randrange(10):
            case 0 | 1 | 2 | 3 | 4 if fields:
                change_field(random, mutant, random.choice(fields), len(data))
            case 5 if fields:
                swap_fields(random, mutant, fields)
            case 6:
                flip_in_content(random, mutant)
            case 7:
                del mutant[random.randint(0, len(mutant)):]
            case 8:
                compress_or_splice(random, mutant, other, fields)
            case _:
                uleb_run(random, mutant)
    if mutant[:8] == b"LearntNm" and random.randrange(4):
        # What is wrong is not found by the checksum.
        mutant[56:64] = struct.pack("<Q", learnt.checksum(bytes(mutant[:56] + mutant[64:])))
    return bytes(mutant)


class Field:
    """A number in a file: its offset, its size in bytes and its byte order."""

    def __init__(self, offset, size, order="<"):
        self.offset, self.size, self.order = offset, size, order

    def code(self):
        return self.order + {1: "B", 2: "H", 4: "I", 8: "Q"}[self.size]

    def value(self, data):
        return struct.unpack_from(self.code(), data, self.offset)[0]

    def write(self, data, value):
        if self.offset + self.size <= len(data):
            struct.pack_into(self.code(), data, self.offset, value & ((1 << 8 * self.size) - 1))


def change_field(random, data, field, size):
    if field.offset + field.size > len(data):
        return
    value = field.value(data)
    choices = [
        random.choice(EXTREMES), value + random.choice([-8, -1, 1, 8, 16]), value * 2, value // 2,
        size, size - 1, size + 1, size - field.offset, field.offset, random.getrandbits(64),
        value | 1 << random.randrange(64), 0,
    ]
    field.write(data, random.choice(choices))


def swap_fields(random, data, fields):
    """One field gets the value of another: offsets that overlap, tables that hold themselves."""
    first, second = random.choice(fields), random.choice(fields)
    if max(first.offset + first.size, second.offset + second.size) <= len(data):
        first.write(data, second.value(data))


def flip_in_content(random, data):
    for _ in range(random.randint(1, 30)):
        if data:
            data[random.randrange(len(data))] = random.choice([0, 1, 0x7f, 0x80, 0xff,
                                                               random.randrange(256)])


def uleb_run(random, data):
    """A number that does not end, or a long run of one byte."""
    if data:
        at = random.randrange(len(data))
        count = random.choice([4, 10, 11, 64, 512])
        data[at:at + count] = bytes([random.choice([0x80, 0xff, 0x00, 0x01])]) * count


def compress_or_splice(random, data, other, fields):
    if random.randrange(2) and fields and len(data) > 64:
        # A compressed section whose header lies about what comes out.
        start = random.randrange(len(data) - 1)
        plain = bytes(random.choice([100, 5000])) * random.choice([1, 200])
        stream = zlib.compress(plain)
        header = struct.pack("<IIQQ", random.choice([1, 2, 3]), 0,
                             random.choice([len(plain), 0, 1, 1 << 40, (1 << 64) - 1]), 1)
        data[start:start + len(header) + len(stream)] = header + stream
    elif data and other:
        start = random.randrange(len(data))
        end = min(len(data), start + random.choice([16, 200, 4000]))
        at = random.randrange(len(other))
        data[start:end] = other[at:at + end - start]


# The fields of each format.


def fields_of(data):
    start = data[:4]
    try:
        if start == b"\x7fELF":
            return elf(data)
        if start in (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe"):
            return mach_o(data, 0)
        if start in (b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"):
            return fat(data)
        if start in (b"MYSG", b"GSYM"):
            return gsym(data, "<" if start == b"MYSG" else ">")
        if start == b"dyld":
            return shared_cache(data)
        if start == b"\x02\xff\x01\xff":
            return core_symbolication(data)
        if data[:8] == b"LearntNm":
            return [Field(at, 4) for at in range(8, len(data) - 4, 4)]
        if data[:8] == b"!<arch>\n":
            return []
        if data[:8] == b"bplist00":
            return [Field(len(data) - 32 + at, size, ">") for at, size in
                    [(6, 1), (7, 1), (8, 8), (16, 8), (24, 8)]]
    except (struct.error, IndexError, KeyError):
        pass
    return []


def elf(data):
    wide = data[4] == 2
    order = "<" if data[5] == 1 else ">"
    word = 8 if wide else 4
    fields = [Field(at, 1) for at in (4, 5, 6)] + [Field(16, 2, order), Field(18, 2, order)]
    entry = 24
    program, sections = entry + word, entry + 2 * word
    counts = sections + word + 4
    fields += [Field(at, word, order) for at in (entry, program, sections)]
    fields += [Field(counts + 2 * index, 2, order) for index in range(6)]
    table = Field(sections, word, order).value(data)
    size, count = struct.unpack_from(order + "HH", data, counts + 6)
    layout = [4, 4] + [word] * 4 + [4, 4] + [word] * 2
    for index in range(min(count, 80)):
        at = table + index * size
        for width in layout:
            fields.append(Field(at, width, order))
            at += width
        # The content: its first words are the lengths of units, notes and compressed sections.
        offset = Field(table + index * size + 8 + 2 * word, word, order).value(data)
        fields += [Field(offset + 4 * word_index, 4, order) for word_index in range(8)]
    table = Field(program, word, order).value(data)
    size, count = struct.unpack_from(order + "HH", data, counts + 2)
    layout = [4, 4] + [8] * 6 if wide else [4] * 8
    for index in range(min(count, 20)):
        at = table + index * size
        for width in layout:
            fields.append(Field(at, width, order))
            at += width
    return [field for field in fields if field.offset + field.size <= len(data)]


def mach_o(data, base):
    wide = data[base] == 0xcf
    fields = [Field(base + at, 4) for at in (4, 8, 12, 16, 20, 24)]
    at = base + (32 if wide else 28)
    for _ in range(min(struct.unpack_from("<I", data, base + 16)[0], 100)):
        command, size = struct.unpack_from("<II", data, at)
        fields += [Field(at + 4 * index, 4) for index in range(min(size // 4, 20))]
        if command in (0x1, 0x19):
            word = 8 if command == 0x19 else 4
            head = 72 if command == 0x19 else 56
            fields += [Field(at + 24 + word * index, word) for index in range(4)]
            count = struct.unpack_from("<I", data, at + head - 8)[0]
            section_size = 80 if command == 0x19 else 68
            for index in range(min(count, 40)):
                section = at + head + index * section_size
                fields += [Field(section + 32, word), Field(section + 32 + word, word)]
                fields += [Field(section + 32 + 2 * word + 4 * index, 4) for index in range(6)]
                offset = struct.unpack_from("<I", data, section + 32 + 2 * word)[0]
                fields += [Field(base + offset + 4 * index, 4) for index in range(8)]
        if size < 8:
            break
        at += size
    return [field for field in fields if field.offset + field.size <= len(data)]


def shared_cache(data):
    """The fields of the header, what follows it, the local symbols, and some of the libraries."""
    size = struct.unpack_from("<I", data, 0x10)[0]
    fields = [Field(offset, 4) for offset in range(0x10, size, 4)] * 2
    fields += [Field(offset, 8) for offset in range(0x88, size, 8)]
    fields += [Field(offset, 8) for offset in range(size, min(size + 0x400, len(data) - 8), 8)]
    symbols = struct.unpack_from("<Q", data, 0x48)[0]
    fields += [Field(symbols + offset, 4) for offset in range(0, 24, 4)] * 4
    at = data.find(b"\xcf\xfa\xed\xfe")
    while at >= 0 and len(fields) < 4000:
        fields += mach_o(data, at)
        at = data.find(b"\xcf\xfa\xed\xfe", at + 4)
    return fields


def fat(data):
    order, wide = ">", data[3] == 0xbf
    fields = [Field(4, 4, order)]
    for index in range(min(struct.unpack_from(">I", data, 4)[0], 8)):
        at = 8 + index * (32 if wide else 20)
        widths = [4, 4, 8, 8, 4] if wide else [4] * 5
        values = []
        for width in widths:
            fields.append(Field(at, width, order))
            values.append(fields[-1].value(data))
            at += width
        if data[values[2]:values[2] + 4] in (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe"):
            fields += mach_o(data, values[2])
    return fields


def gsym(data, order):
    fields = [Field(4, 2, order), Field(6, 1), Field(7, 1), Field(8, 8, order)]
    fields += [Field(at, 4, order) for at in range(16, min(len(data) - 4, 400), 4)]
    # The trailer of an index.
    fields += [Field(len(data) - back, 4, order) for back in range(4, min(len(data), 120), 4)]
    return fields


def core_symbolication(data):
    """All words of the signature and of the tables: the names begin where they end."""
    mark = data.find(b"\x1a\x2b\xb2\xa1")
    start = mark + 16
    segments, sections, symbols, lined, lines = struct.unpack_from("<5I", data, start + 8)
    end = start + 96 + 32 * segments + 24 * sections + 32 * symbols + 36 * lined + 20 * lines
    fields = [Field(at, 4) for at in range(0, min(end, len(data)) - 4, 4)]
    # What decides where everything else is.
    fields += [Field(at, 4) for at in (*range(64, 80, 4), *range(start, start + 88, 4))] * 4
    return fields
