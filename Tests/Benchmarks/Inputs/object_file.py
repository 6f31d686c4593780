"""Reads what these scripts need from a symbol file: 64-bit little-endian ELF (linked) or Mach-O (thin).

Files are mapped, not read: that of a kernel has half a gigabyte. Sources: the ELF g_abi, chapters 4 and 5, and
<mach-o/loader.h>, <mach-o/nlist.h>.
"""
import mmap
import struct
import zlib
from collections import namedtuple

PT_LOAD = 1
SHT_SYMTAB, SHT_NOBITS = 2, 8
SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR, SHF_COMPRESSED = 0x1, 0x2, 0x4, 0x800
ELFCOMPRESS_ZLIB = 1
STT_FUNC = 2
MH_MAGIC_64 = 0xFEEDFACF
LC_SEGMENT_64, LC_SYMTAB = 0x19, 0x2
N_STAB, N_TYPE, N_SECT = 0xE0, 0x0E, 0x0E

# `name` is without the leading dot or underscores for debug sections: "debug_info".
Section = namedtuple("Section", "name address size flags kind offset file_size link")
# `end` is exclusive; it is the address itself if the file does not state it.
Function = namedtuple("Function", "name start end is_global")


class UnsuitableFile(Exception):
    pass


class ObjectFile:
    """`machine`: e_machine of ELF, cputype of Mach-O. `load_address`: where the image begins by its own
    account, of the first PT_LOAD or of __TEXT. `functions`: ascending by address."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self.bytes[:6] == b"\x7fELF\x02\x01":
            self.is_elf = True
            self._read_elf()
        elif len(self.bytes) > 32 and struct.unpack_from("<I", self.bytes)[0] == MH_MAGIC_64:
            self.is_elf = False
            self._read_mach_o()
        else:
            raise UnsuitableFile(f"{path}: neither 64-bit ELF nor thin 64-bit Mach-O")

    def section(self, name):
        return next((section for section in self.sections if section.name == name), None)

    def content(self, section):
        """The bytes of a section, inflated where it is compressed with zlib; empty for none."""
        if section is None or section.kind == SHT_NOBITS:
            return b""
        content = self.bytes[section.offset:section.offset + section.file_size]
        if self.is_elf and section.flags & SHF_COMPRESSED:
            kind, _, _, _ = struct.unpack_from("<IIQQ", content)
            if kind != ELFCOMPRESS_ZLIB:
                raise UnsuitableFile(f"{self.path}: {section.name} is not compressed with zlib")
            content = zlib.decompress(content[24:])
        return content

    def unit_ranges(self):
        """(start, end, offset of the unit) of each range in .debug_aranges, ascending; DWARF 5, 6.1.2."""
        table = self.content(self.section("debug_aranges"))
        ranges, position = [], 0
        while position + 16 <= len(table):
            length, _, unit, address_size, segment_size = struct.unpack_from("<IHIBB", table, position)
            end = position + 4 + length
            if length >= 0xFFFFFFF0 or address_size != 8 or segment_size != 0:
                raise UnsuitableFile(f"{self.path}: .debug_aranges of a kind that is not read here")
            # Tuples begin at a multiple of their size, counted from the start of the set.
            for place in range(position + 16, end - 15, 16):
                start, size = struct.unpack_from("<QQ", table, place)
                if size > 0:
                    ranges.append((start, start + size, unit))
            position = end
        return sorted(ranges)

    def _text(self, position):
        return self.bytes[position:self.bytes.find(b"\0", position)]

    # ELF

    def _read_elf(self):
        self.machine = struct.unpack_from("<H", self.bytes, 18)[0]
        segment_offset, table_offset = struct.unpack_from("<QQ", self.bytes, 32)
        segment_size, segment_count = struct.unpack_from("<HH", self.bytes, 54)
        segments = (
            struct.unpack_from("<IIQQ", self.bytes, segment_offset + index * segment_size)
            for index in range(segment_count))
        self.load_address = next((segment[3] for segment in segments if segment[0] == PT_LOAD), 0)
        size, count, names_index = struct.unpack_from("<HHH", self.bytes, 58)
        headers = [
            struct.unpack_from("<IIQQQQIIQQ", self.bytes, table_offset + index * size)
            for index in range(count)]
        names = headers[names_index][4]
        self.sections = [
            Section(
                self._text(names + name).decode().lstrip("."), address, byte_count, flags, kind, offset,
                byte_count, link)
            for name, kind, flags, address, offset, byte_count, link, _, _, _ in headers]
        self.text_ranges = [
            (section.address, section.address + section.size) for section in self.sections
            if section.flags & SHF_ALLOC and section.flags & SHF_EXECINSTR and section.kind != SHT_NOBITS]
        self.functions = sorted(self._elf_functions(), key=lambda function: function.start)

    def _elf_functions(self):
        for table in self.sections:
            if table.kind != SHT_SYMTAB:
                continue
            strings = self.sections[table.link].offset
            entries = self.bytes[table.offset:table.offset + table.file_size]
            for name, info, _, section, value, size in struct.iter_unpack("<IBBHQQ", entries):
                # Section numbers from 0xff00 on are no sections.
                if info & 15 == STT_FUNC and 0 < section < 0xFF00 and self._is_code(value):
                    yield Function(self._text(strings + name), value, value + size, info >> 4 != 0)

    def _is_code(self, address):
        return any(start <= address < end for start, end in self.text_ranges)

    # Mach-O

    def _read_mach_o(self):
        self.machine = struct.unpack_from("<I", self.bytes, 4)[0]
        command_count = struct.unpack_from("<I", self.bytes, 16)[0]
        self.load_address, self.sections, symbol_table, position = 0, [], None, 32
        for _ in range(command_count):
            command, size = struct.unpack_from("<II", self.bytes, position)
            if command == LC_SEGMENT_64:
                if self.bytes[position + 8:position + 24].rstrip(b"\0") == b"__TEXT":
                    self.load_address = struct.unpack_from("<Q", self.bytes, position + 24)[0]
                section_count = struct.unpack_from("<I", self.bytes, position + 64)[0]
                for place in range(position + 72, position + 72 + 80 * section_count, 80):
                    name, _, address, byte_count, offset = struct.unpack_from(
                        "<16s16sQQI", self.bytes, place)
                    plain = name.rstrip(b"\0").decode().lstrip("_")
                    self.sections.append(
                        Section(plain, address, byte_count, 0, 0, offset, byte_count, 0))
            elif command == LC_SYMTAB:
                symbol_table = struct.unpack_from("<IIII", self.bytes, position + 8)
            position += size
        self.text_ranges = [
            (section.address, section.address + section.size) for section in self.sections
            if section.name == "text"]
        self.functions = self._mach_o_functions(symbol_table) if symbol_table else []

    def _mach_o_functions(self, symbol_table):
        offset, count, strings, _ = symbol_table
        entries = self.bytes[offset:offset + 16 * count]
        symbols = {
            value: (self._text(strings + name), kind & 1 != 0)
            for name, kind, _, _, value in struct.iter_unpack("<IBBHQ", entries)
            if not kind & N_STAB and kind & N_TYPE == N_SECT and self._is_code(value)}
        starts = sorted(symbols)
        # A symbol has no size: it extends to the next one.
        ends = starts[1:] + [max((end for _, end in self.text_ranges), default=0)]
        return [
            Function(symbols[start][0], start, end, symbols[start][1])
            for start, end in zip(starts, ends)]
