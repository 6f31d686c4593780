"""Writes ELF files with DWARF 4 for the growth measurements: 64-bit, little-endian, x86_64.

Sources: the ELF g_abi, chapter 4, and the DWARF 4 standard, chapter 7. Nothing is compressed unless
that is asked for.
"""
import struct
import zlib

CODE = 0x400000
SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_NOBITS = 1, 2, 3, 8
SHF_ALLOC, SHF_EXECINSTR, SHF_COMPRESSED = 2, 4, 0x800
ELFCOMPRESS_ZLIB = 1
TAG_UNIT, TAG_FUNCTION, TAG_BLOCK, TAG_INLINED = 0x11, 0x2E, 0x0B, 0x1D
AT_NAME, AT_STMT_LIST, AT_LOW_PC, AT_HIGH_PC, AT_LANGUAGE = 0x03, 0x10, 0x11, 0x12, 0x13
AT_ABSTRACT_ORIGIN, AT_CALL_FILE, AT_CALL_LINE, AT_RANGES = 0x31, 0x58, 0x59, 0x55
FORM_ADDR, FORM_DATA4, FORM_STRING, FORM_DATA1, FORM_STRP = 0x01, 0x06, 0x08, 0x0B, 0x0E
FORM_REF4, FORM_SEC_OFFSET, FORM_UDATA = 0x13, 0x17, 0x0F


def uleb128(number):
    result = bytearray()
    while True:
        number, byte = number >> 7, number & 0x7F
        result.append(byte | (0x80 if number else 0))
        if not number:
            return bytes(result)


def sleb128(number):
    result = bytearray()
    while True:
        byte, number = number & 0x7F, number >> 7
        is_last = (number == 0 and not byte & 0x40) or (number == -1 and byte & 0x40)
        result.append(byte if is_last else byte | 0x80)
        if is_last:
            return bytes(result)


def abbreviation(code, tag, attributes, has_children=False):
    pairs = b"".join(uleb128(name) + uleb128(form) for name, form in [*attributes, (0, 0)])
    return uleb128(code) + uleb128(tag) + bytes([has_children]) + pairs


UNIT, FUNCTION, FUNCTION_WITH_CHILDREN, BLOCK, INLINED, ABSTRACT, COPY, UNIT_WITHOUT_RANGE = range(1, 9)
INLINED_LEAF, FUNCTION_WITH_SHARED_NAME, CONCRETE = 9, 10, 11
RANGE = [(AT_LOW_PC, FORM_ADDR), (AT_HIGH_PC, FORM_DATA4)]
CALL = [(AT_ABSTRACT_ORIGIN, FORM_REF4), *RANGE, (AT_CALL_FILE, FORM_DATA1), (AT_CALL_LINE, FORM_UDATA)]
ABBREVIATIONS = b"".join([
    abbreviation(UNIT, TAG_UNIT, [(AT_NAME, FORM_STRING), (AT_STMT_LIST, FORM_SEC_OFFSET), *RANGE], True),
    abbreviation(FUNCTION, TAG_FUNCTION, [(AT_NAME, FORM_STRING), *RANGE]),
    abbreviation(FUNCTION_WITH_CHILDREN, TAG_FUNCTION, [(AT_NAME, FORM_STRING), *RANGE], True),
    abbreviation(BLOCK, TAG_BLOCK, RANGE, True),
    abbreviation(INLINED, TAG_INLINED, CALL, True),
    abbreviation(ABSTRACT, TAG_FUNCTION, [(AT_NAME, FORM_STRING)]),
    abbreviation(COPY, TAG_FUNCTION, [(AT_ABSTRACT_ORIGIN, FORM_REF4)]),
    abbreviation(UNIT_WITHOUT_RANGE, TAG_UNIT, [(AT_NAME, FORM_STRING), (AT_STMT_LIST, FORM_SEC_OFFSET)], True),
    abbreviation(INLINED_LEAF, TAG_INLINED, CALL),
    abbreviation(FUNCTION_WITH_SHARED_NAME, TAG_FUNCTION, [(AT_NAME, FORM_STRP), *RANGE]),
    abbreviation(CONCRETE, TAG_FUNCTION, [(AT_ABSTRACT_ORIGIN, FORM_REF4), *RANGE]),
])
# The first DIE of a unit follows a head of this size (7.5.1.1).
UNIT_HEAD = 11


def die(code, *values):
    """Each value: bytes as they are, text with its zero, a pair (start, size) of code, or 4 bytes."""
    parts = [uleb128(code)]
    for value in values:
        if isinstance(value, bytes):
            parts.append(value)
        elif isinstance(value, str):
            parts.append(value.encode() + b"\0")
        elif isinstance(value, tuple):
            parts.append(struct.pack("<QI", *value))
        else:
            parts.append(struct.pack("<I", value))
    return b"".join(parts)


def call(origin, start, size, line, code=INLINED_LEAF):
    return die(code, origin, (start, size), bytes([1]), uleb128(line))


def unit(dies, abbreviations=0):
    """`dies`: all of them, the ends of lists of children included."""
    return struct.pack("<IHIB", len(dies) + 7, 4, abbreviations, 8) + dies


def line_table(sequences, files=("a.c",)):
    """`sequences`: lists of (address, line), each ended one byte after its greatest address."""
    head = bytes([1, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b"\0"
    head += b"".join(name.encode() + b"\0\0\0\0" for name in files) + b"\0"
    body = []
    for rows in sequences:
        line = 1
        for address, wanted in rows:
            body.append(b"\0\x09\x02" + struct.pack("<Q", address) + b"\x03" + sleb128(wanted - line) + b"\x01")
            line = wanted
        end = max(address for address, _ in rows) + 1
        body.append(b"\0\x09\x02" + struct.pack("<Q", end) + b"\0\x01\x01")
    content = struct.pack("<HI", 4, len(head)) + head + b"".join(body)
    return struct.pack("<I", len(content)) + content


class ElfFile:
    """`sections`: debug sections by name. `symbols`: (name, address, size) of functions."""

    def __init__(self, code_size=1 << 30):
        self.code_size = code_size
        self.sections = {}
        self.symbols = []
        self.compressed = set()

    def write(self, path):
        # (name, type, flags, address, content, size, link, information, entry size)
        table = [("", 0, 0, 0, b"", 0, 0, 0, 0)]
        flags = SHF_ALLOC | SHF_EXECINSTR
        table.append((".text", SHT_NOBITS, flags, CODE, b"", self.code_size, 0, 0, 0))
        for name, content in self.sections.items():
            if name in self.compressed:
                size = len(content)
                content = struct.pack("<IIQQ", ELFCOMPRESS_ZLIB, 0, size, 1) + zlib.compress(content)
                table.append((name, SHT_PROGBITS, SHF_COMPRESSED, 0, content, len(content), 0, 0, 0))
            else:
                table.append((name, SHT_PROGBITS, 0, 0, content, len(content), 0, 0, 0))
        if self.symbols:
            strings, entries = bytearray(b"\0"), bytearray(24)
            for name, address, size in self.symbols:
                entries += struct.pack("<IBBHQQ", len(strings), 0x12, 0, 1, address, size)
                strings += name.encode() + b"\0"
            link = len(table) + 1
            table.append((".symtab", SHT_SYMTAB, 0, 0, bytes(entries), len(entries), link, 1, 24))
            table.append((".strtab", SHT_STRTAB, 0, 0, bytes(strings), len(strings), 0, 0, 0))
        names = b"\0".join(name.encode() for name, *_ in table) + b"\0.shstrtab\0"
        table.append((".shstrtab", SHT_STRTAB, 0, 0, names, len(names), 0, 0, 0))
        offset, heads, contents, name_offset = 64 + 56, b"", [], 0
        for name, kind, flags, address, content, size, link, information, entry_size in table:
            heads += struct.pack(
                "<IIQQQQIIQQ", name_offset, kind, flags, address, offset, size, link, information, 1,
                entry_size)
            contents.append(content)
            offset += len(content)
            name_offset += len(name) + 1
        header = struct.pack(
            "<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, 62, 1, CODE, 64, offset, 0, 64, 56, 1, 64, len(table),
            len(table) - 1)
        program = struct.pack("<IIQQQQQQ", 1, 5, 0, CODE, CODE, 0, self.code_size, 0x1000)
        with open(path, "wb") as file:
            file.write(header + program + b"".join(contents) + heads)
