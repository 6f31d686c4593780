"""What doubles in symbol files, and in the questions that are asked about them."""
import hashlib
import io
import os
import random
import shutil
import struct
import tarfile
import uuid
import zipfile

import elf_file as elf
import mach_o_file as mach_o
import report_growth
from elf_file import CODE
from growing_work import ARGUMENTS, Work

STEP = 16
END = b"\0"


def ask(folder, symbols, addresses, *options):
    """`symbolicate atos` with a list of addresses."""
    path = os.path.join(folder, "addresses")
    with open(path, "w") as file:
        file.writelines(f"{address:#x}\n" for address in addresses)
    return ["atos", "-i", "-jobs", "1", "-f", path, "-o", symbols, *options]


def dwarf(folder, dies, size, *, lines=None, abbreviations=elf.ABBREVIATIONS, name="program", **sections):
    """A file with one unit that covers all code. `dies`: without the unit and its end."""
    head = elf.die(elf.UNIT, "a.c", 0, (CODE, max(size, 1) * STEP))
    return dwarf_units(folder, [elf.unit(head + dies + END)], lines, abbreviations, name, **sections)


def dwarf_units(folder, units, lines=None, abbreviations=elf.ABBREVIATIONS, name="program", **sections):
    file = elf.ElfFile()
    file.sections[".debug_info"] = b"".join(units)
    file.sections[".debug_abbrev"] = abbreviations + END
    file.sections[".debug_line"] = lines or elf.line_table([[(CODE, 1)]])
    for section, content in sections.items():
        file.sections["." + section] = content
    path = os.path.join(folder, name)
    file.write(path)
    return path


def places(size):
    """An address in each of `size` functions."""
    return [CODE + index * STEP + 4 for index in range(size)]


def function(index, name=None, size=STEP):
    return elf.die(elf.FUNCTION, name or f"f{index}", (CODE + index * STEP, size))


# Addresses

def asked(folder, size):
    symbols = dwarf(folder, b"".join(function(index) for index in range(1000)), 1000)
    source = random.Random(1)
    return ask(folder, symbols, [CODE + source.randrange(1000 * STEP) for _ in range(size)])


def asked_outside(folder, size):
    symbols = dwarf(folder, function(0), 1)
    return ask(folder, symbols, [CODE + (1 << 24) + index for index in range(size)])


def one_address(folder, size):
    symbols = dwarf(folder, function(0), 1)
    return ask(folder, symbols, [CODE + 4] * size)


# Functions of a unit

def functions(folder, size):
    symbols = dwarf(folder, b"".join(function(index) for index in range(size)), size)
    return ask(folder, symbols, places(size))


def same_functions(folder, size):
    """All functions have the same range."""
    symbols = dwarf(folder, b"".join(function(0, f"f{index}") for index in range(size)), size)
    return ask(folder, symbols, places(1) * size)


def nested_ranges(folder, size):
    """Each function covers all those after it."""
    dies = b"".join(function(index, None, (size - index) * STEP) for index in range(size))
    return ask(folder, dwarf(folder, dies, size), places(size))


def nested_ranges_reversed(folder, size):
    dies = b"".join(function(index, None, (size - index) * STEP) for index in reversed(range(size)))
    return ask(folder, dwarf(folder, dies, size), places(size))


def blocks(folder, size):
    """Blocks, one in the other, none with DW_AT_sibling."""
    block = elf.die(elf.BLOCK, (CODE, STEP))
    dies = elf.die(elf.FUNCTION_WITH_CHILDREN, "f", (CODE, STEP)) + block * size + END * (size + 1)
    return ask(folder, dwarf(folder, dies, 1), places(1))


def nested_functions(folder, size):
    dies = b"".join(
        elf.die(elf.FUNCTION_WITH_CHILDREN, f"f{index}", (CODE + index * STEP, STEP)) for index in range(size))
    return ask(folder, dwarf(folder, dies + END * size, size), places(size))


def inlined_depth(folder, size):
    calls = [elf.die(elf.ABSTRACT, "inlined")]
    calls.append(elf.die(elf.FUNCTION_WITH_CHILDREN, "f", (CODE, STEP)))
    origin = elf.UNIT_HEAD + len(elf.die(elf.UNIT, "a.c", 0, (CODE, STEP)))
    calls.append(elf.call(origin, CODE, STEP, 7, elf.INLINED) * size + END * (size + 1))
    return ask(folder, dwarf(folder, b"".join(calls), 1), places(1))


def inlined_calls(overlapping):
    def make(folder, size):
        origin = elf.UNIT_HEAD + len(elf.die(elf.UNIT, "a.c", 0, (CODE, size * STEP)))
        dies = [elf.die(elf.ABSTRACT, "inlined")]
        dies.append(elf.die(elf.FUNCTION_WITH_CHILDREN, "f", (CODE, size * STEP)))
        for index in range(size):
            extent = (size - index if overlapping else 1) * STEP
            dies.append(elf.call(origin, CODE + index * STEP, extent, index % 1000))
        return ask(folder, dwarf(folder, b"".join(dies) + END, size), places(size))
    return make


def origin_chains(folder, size):
    """A chain of copies without names, and a function at the end of each."""
    start = elf.UNIT_HEAD + len(elf.die(elf.UNIT, "a.c", 0, (CODE, size * STEP)))
    dies, last = [elf.die(elf.ABSTRACT, "first")], start
    place = start + len(dies[0])
    for index in range(size):
        dies.append(elf.die(elf.CONCRETE, last, (CODE + index * STEP, STEP)))
        last = place
        place += len(dies[-1])
    return ask(folder, dwarf(folder, b"".join(dies), size), places(size))


def shared_name(folder, size):
    """One long name, which all functions have: `size` bytes of it, and a function for each hundred."""
    count = max(size // 100, 1)
    dies = b"".join(
        elf.die(elf.FUNCTION_WITH_SHARED_NAME, 0, (CODE + index * STEP, STEP)) for index in range(count))
    return ask(folder, dwarf(folder, dies, count, debug_str=b"n" * size + END), places(count))


def names_in_one_string(folder, size):
    """Names that are the ends of one another."""
    dies = b"".join(
        elf.die(elf.FUNCTION_WITH_SHARED_NAME, index, (CODE + index * STEP, STEP)) for index in range(size))
    return ask(folder, dwarf(folder, dies, size, debug_str=b"n" * size + END), places(size))


def abbreviations(folder, size):
    """A unit of which each function has an abbreviation of its own."""
    codes = range(100, 100 + size)
    table = b"".join(elf.abbreviation(code, elf.TAG_FUNCTION, [(elf.AT_NAME, elf.FORM_STRING), *elf.RANGE])
                     for code in reversed(codes))
    dies = b"".join(
        elf.die(code, "f", (CODE + index * STEP, STEP)) for index, code in enumerate(codes))
    symbols = dwarf(folder, dies, size, abbreviations=elf.ABBREVIATIONS + table)
    return ask(folder, symbols, places(size))


# Units

def units(*, ranges, asked, same=False):
    def make(folder, size):
        table = elf.line_table([[(CODE, 1), (CODE + 8, 2)]])
        lines, contents = [], []
        offset = 0
        for index in range(size):
            start = CODE if same else CODE + index * STEP
            if not ranges:
                table = elf.line_table([[(start, 1), (start + STEP - 1, 2)]])
            lines.append(table)
            head = (elf.die(elf.UNIT, f"u{index}.c", offset, (start, STEP)) if ranges
                    else elf.die(elf.UNIT_WITHOUT_RANGE, f"u{index}.c", offset))
            contents.append(elf.unit(head + elf.die(elf.FUNCTION, f"f{index}", (start, STEP)) + END))
            offset += len(table)
        symbols = dwarf_units(folder, contents, b"".join(lines))
        return ask(folder, symbols, places(size) if asked else places(1))
    return make


def nested_units(folder, size):
    """Each unit covers all those after it."""
    contents = [
        elf.unit(elf.die(elf.UNIT, f"u{index}.c", 0, (CODE + index * STEP, (size - index) * STEP))
                 + function(index) + END)
        for index in range(size)]
    return ask(folder, dwarf_units(folder, contents), places(size))


def asked_ranges(folder, size):
    """.debug_aranges with a tuple for each address."""
    symbols_unit = elf.unit(elf.die(elf.UNIT, "a.c", 0, (CODE, size * STEP)) + function(0) + END)
    tuples = b"".join(struct.pack("<QQ", CODE + index * STEP, STEP) for index in reversed(range(size)))
    table = struct.pack("<HIBB", 2, 0, 8, 0) + b"\0\0\0\0" + tuples + bytes(16)
    table = struct.pack("<I", len(table)) + table
    return ask(folder, dwarf_units(folder, [symbols_unit], debug_aranges=table), places(size))


# Lines

def rows(order):
    def make(folder, size):
        addresses = order([CODE + index * STEP for index in range(size)])
        sequence = [(address, 1 + index % 5000) for index, address in enumerate(addresses)]
        table = elf.line_table([sequence])
        return ask(folder, dwarf(folder, function(0, "f", size * STEP), size, lines=table), places(size))
    return make


def sequences(order):
    def make(folder, size):
        addresses = order([CODE + index * STEP for index in range(size)])
        table = elf.line_table([[(address, 7), (address + 8, 8)] for address in addresses])
        return ask(folder, dwarf(folder, function(0, "f", size * STEP), size, lines=table), places(size))
    return make


def overlapping_sequences(folder, size):
    table = elf.line_table(
        [[(CODE + index * STEP, 7), (CODE + size * STEP - 1, 8)] for index in range(size)])
    return ask(folder, dwarf(folder, function(0, "f", size * STEP), size, lines=table), places(size))


def shuffled(addresses):
    addresses = list(addresses)
    random.Random(1).shuffle(addresses)
    return addresses


def in_order(addresses):
    return addresses


def backwards(addresses):
    return addresses[::-1]


def files(folder, size):
    table = elf.line_table([[(CODE, 1)]], [f"file{index}.c" for index in range(size)])
    return ask(folder, dwarf(folder, function(0), 1, lines=table), places(1))


# Symbol tables

def elf_symbols(*, address=lambda index: CODE + index * STEP, extent=lambda index: STEP):
    def make(folder, size):
        file = elf.ElfFile()
        file.symbols = [(f"s{index}", address(index), extent(index)) for index in range(size)]
        path = os.path.join(folder, "program")
        file.write(path)
        return ask(folder, path, places(size))
    return make


def mach_o_file(folder, name="App", identity=bytes(16), **parts):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(mach_o.mach_o(identity, **parts))
    return path


def mach_o_places(size):
    return [mach_o.BASE + mach_o.CODE_OFFSET + index * STEP + 4 for index in range(size)]


def mach_o_symbols(folder, size):
    symbols = [(f"s{index}", mach_o.CODE_OFFSET + index * STEP) for index in range(size)]
    return ask(folder, mach_o_file(folder, symbols=symbols), mach_o_places(size))


def mach_o_aliases(folder, size):
    symbols = [(f"s{index}", mach_o.CODE_OFFSET) for index in range(size)]
    return ask(folder, mach_o_file(folder, symbols=symbols), mach_o_places(size))


def overlapping_names(folder, size):
    """Symbols whose names are the ends of one another."""
    symbols = [(index, mach_o.CODE_OFFSET + index * STEP) for index in range(size)]
    path = mach_o_file(folder, symbols=symbols, shared=b"_Z" + b"n" * 10 * size + END)
    return ask(folder, path, mach_o_places(size))


def one_long_name(folder, size):
    """Symbols with one name."""
    symbols = [(0, mach_o.CODE_OFFSET + index * STEP) for index in range(size)]
    path = mach_o_file(folder, symbols=symbols, shared=b"_Z" + b"n" * 10 * size + END)
    return ask(folder, path, mach_o_places(1))


def mangled_symbols(folder, size):
    symbols = [(f"_ZN3app5thingILi{index}EE4callERKS1_", mach_o.CODE_OFFSET + index * STEP) for index in range(size)]
    return ask(folder, mach_o_file(folder, symbols=symbols), mach_o_places(size))


def function_starts(folder, size):
    starts = [mach_o.CODE_OFFSET + index * STEP for index in range(size)]
    symbols = [("first", mach_o.CODE_OFFSET)]
    return ask(folder, mach_o_file(folder, symbols=symbols, starts=starts), mach_o_places(size))


def export_chain(folder, size):
    """Nodes one in the other, each with an edge of one letter, and a name at each."""
    content, place = bytearray(), 0
    for index in range(size):
        info = elf.uleb128(0) + elf.uleb128(mach_o.CODE_OFFSET + index * STEP)
        head = elf.uleb128(len(info)) + info + b"\1a\0"
        following = place + len(head) + 4
        content += head + bytes([following & 0x7F | 0x80, following >> 7 & 0x7F | 0x80,
                                 following >> 14 & 0x7F | 0x80, following >> 21 & 0x7F])
        place = following
    return ask(folder, mach_o_file(folder, exports=bytes(content) + b"\0\0"), mach_o_places(min(size, 1000)))


# Breakpad

def breakpad(lines_of):
    def make(folder, size):
        lines = ["MODULE Linux x86_64 000000000000000000000000000000000 program"]
        lines += lines_of(size)
        path = os.path.join(folder, "program.sym")
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        return ask(folder, path, [index * STEP + 4 for index in range(size)])
    return make


def breakpad_functions(size):
    lines = ["FILE 0 a.c"]
    for index in range(size):
        lines += [f"FUNC {index * STEP:x} {STEP:x} 0 f{index}", f"{index * STEP:x} {STEP:x} 7 0"]
    return lines


def breakpad_overlapping(size):
    return [f"FUNC {index * STEP:x} {(size - index) * STEP:x} 0 f{index}" for index in range(size)]


def breakpad_lines(size):
    return ["FILE 0 a.c", f"FUNC 0 {size * STEP:x} 0 f", *(
        f"{index * STEP:x} {STEP:x} {index} 0" for index in range(size))]


def breakpad_inlines(size):
    return ["FILE 0 a.c", "INLINE_ORIGIN 0 inlined", f"FUNC 0 {size * STEP:x} 0 f", *(
        f"INLINE 0 7 0 0 {index * STEP:x} {STEP:x}" for index in range(size)), f"0 {size * STEP:x} 1 0"]


def breakpad_shared_name(folder, size):
    """A function with 400 calls, one in the other, of one function with a name of `size` bytes."""
    lines = lambda count: [
        "INLINE_ORIGIN 0 " + "n" * size, f"FUNC 0 {STEP:x} 0 f", *(f"INLINE {depth} 7 0 0 0 {STEP:x}" for depth in range(400))]
    return breakpad(lines)(folder, 1)


def breakpad_files(size):
    return [*(f"FILE {index} file{index}.c" for index in range(size)), f"FUNC 0 {STEP:x} 0 f", f"0 {STEP:x} 1 0"]


def breakpad_publics(size):
    return [f"PUBLIC {index * STEP:x} 0 p{index}" for index in range(size)]


# Indexes

def index_of(make):
    """The index of a file, instead of questions."""
    def indexed(folder, size):
        symbols = make(folder, size)[-1]
        return ["index", symbols, "-o", os.path.join(folder, "index"), "--jobs", "1"]
    return indexed


# Folders and archives

def dsym_identity(index):
    return hashlib.md5(str(index).encode()).digest()


def symbol_files(folder, size, name="Kit{}"):
    path = os.path.join(folder, "symbols")
    for index in range(size):
        deeper = os.path.join(path, str(index // 100))
        os.makedirs(os.path.join(deeper, str(index)), exist_ok=True)
        mach_o_file(os.path.join(deeper, str(index)), name.format(index), dsym_identity(index), kind=mach_o.MH_DSYM)
    return path


def with_report(make_symbols, **report):
    def make(folder, size):
        path = report_growth.ips(folder)
        return [path, "-d", make_symbols(folder, size), "--no-search-index", "--jobs", "1"]
    return make


def with_images(make_symbols):
    """A report with an image, and a frame in it, for each symbol file."""
    def make(folder, size):
        images = [
            {**report_growth.system_image(index, folder="/private/var/containers/"),
             "uuid": dsym_identity(index).hex()} for index in range(size)]
        frames = [report_growth.frame(0x100, index + 1) for index in range(size)]
        report = report_growth.ips(folder, [report_growth.thread(0, frames)], images)
        return [report, "-d", make_symbols(folder, size), "--no-search-index", "--jobs", "1"]
    return make


def files_of_one_name(*options):
    """As many images of one name as files of that name, all of other builds."""
    def make(folder, size):
        symbols = symbol_files(folder, size, "Kit")
        report = report_growth.ips_images(name="Kit", folder="/private/var/containers/")(folder, size)[0]
        return [report, "-d", symbols, "--no-search-index", "--jobs", "1", *options]
    return make


def doctor(make, *options):
    """The same, and why the symbols are missing."""
    def explained(folder, size):
        return ["doctor", *make(folder, size)[:3], "--no-search-index", *options]
    return explained


def other_builds(folder, size):
    """Images, and files of other builds, each pair with a name of its own."""
    symbols = symbol_files(folder, size, "Library{}")
    report = report_growth.ips_images(folder="/private/var/containers/")(folder, size)[0]
    return [report, "-d", symbols]


def given_files(folder, size):
    symbols = symbol_files(folder, size)
    paths = [os.path.join(top, name) for top, _, names in os.walk(symbols) for name in names]
    return [report_growth.ips(folder), *(part for path in paths for part in ("-d", path)), "--jobs", "1"]


def other_files(folder, size):
    path = os.path.join(folder, "symbols")
    os.makedirs(path)
    for index in range(size):
        with open(os.path.join(path, f"file{index}"), "wb") as file:
            file.write(b"text")
    return path


def zip_members(folder, size):
    path = os.path.join(folder, "symbols.zip")
    content = mach_o.mach_o(bytes(16), kind=mach_o.MH_DSYM)
    with zipfile.ZipFile(path, "w") as archive:
        for index in range(size):
            archive.writestr(f"f{index}", content.replace(bytes(16), dsym_identity(index), 1))
    return path


def zip_members_backwards(folder, size):
    """Compressed members, against the order of the images."""
    path = os.path.join(folder, "symbols.zip")
    content = mach_o.mach_o(bytes(16), kind=mach_o.MH_DSYM)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for index in reversed(range(size)):
            archive.writestr(f"f{index}", content.replace(bytes(16), dsym_identity(index), 1))
    return path


def tar_members(folder, size):
    path = os.path.join(folder, "symbols.tar")
    with tarfile.open(path, "w") as archive:
        for index in range(size):
            content = mach_o.mach_o(dsym_identity(index), kind=mach_o.MH_DSYM)
            member = tarfile.TarInfo(f"f{index}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def remappings(folder, size):
    """Mappings of source paths in the property list of a dSYM."""
    bundle = os.path.join(folder, "App.dSYM")
    shutil.copytree(report_growth.reports.APP_DSYM, bundle)
    binary = os.path.join(bundle, "Contents/Resources/DWARF", report_growth.reports.APP)
    with open(binary, "rb") as file:
        content = file.read()
    # After the command LC_UUID and its size.
    place = content.index(bytes.fromhex("1b00000018000000")) + 8
    identity = str(uuid.UUID(bytes=content[place:place + 16])).upper()
    entries = "".join(f"<key>/build{index}</key><string>/here</string>" for index in range(size))
    with open(os.path.join(bundle, "Contents/Resources", identity + ".plist"), "w") as file:
        file.write(
            '<?xml version="1.0"?><plist version="1.0"><dict><key>DBGVersion</key><string>3</string>'
            f"<key>DBGSourcePathRemapping</key><dict>{entries}</dict></dict></plist>")
    return [report_growth.story(folder), "-d", bundle, "--full-path", "--jobs", "1"]


def uuids(folder, size):
    return ["uuid", symbol_files(folder, size)]


def works():
    kinds = [
        ("addresses", asked),
        ("addresses outside of all units", asked_outside),
        ("the same address", one_address),
        ("functions and addresses", functions),
        ("functions of one range", same_functions),
        ("functions that contain the next", nested_ranges),
        ("functions that contain the one before", nested_ranges_reversed),
        ("blocks in blocks", blocks),
        ("functions in functions", nested_functions),
        ("depth of inlining", inlined_depth),
        ("inlined calls and addresses", inlined_calls(overlapping=False)),
        ("inlined calls that contain the next", inlined_calls(overlapping=True)),
        ("links of a chain of origins", origin_chains),
        ("bytes of a name of many functions", shared_name),
        ("names that end in one string", names_in_one_string),
        ("abbreviations", abbreviations),
        # From 8 MiB of units on, each is read with a system call, so as not to touch its pages.
        ("units, one address", units(ranges=True, asked=False), 256_000),
        ("units and addresses", units(ranges=True, asked=True)),
        ("units without ranges, one address", units(ranges=False, asked=False), 256_000),
        ("units without ranges, and addresses", units(ranges=False, asked=True)),
        ("units of one range", units(ranges=True, asked=True, same=True)),
        ("units that contain the next", nested_units),
        ("tuples of .debug_aranges", asked_ranges),
        ("line rows and addresses", rows(in_order)),
        ("line rows backwards", rows(backwards)),
        ("line rows shuffled", rows(shuffled)),
        ("line sequences", sequences(in_order)),
        ("line sequences backwards", sequences(backwards)),
        ("line sequences shuffled", sequences(shuffled)),
        ("line sequences that overlap", overlapping_sequences),
        ("files of a line table", files),
        ("ELF symbols and addresses", elf_symbols()),
        ("aliases of an ELF symbol", elf_symbols(address=lambda index: CODE)),
        ("ELF symbols that overlap", elf_symbols(extent=lambda index: 1 << 24)),
        ("Mach-O symbols and addresses", mach_o_symbols),
        ("aliases of a Mach-O symbol", mach_o_aliases),
        ("Mach-O names that end in one string", overlapping_names),
        ("index: Mach-O names that end in one string", index_of(overlapping_names)),
        ("index: one long name of Mach-O symbols", index_of(one_long_name)),
        ("C++ names", mangled_symbols),
        ("function starts", function_starts),
        ("nodes of an export trie", export_chain, 1000, 1 << 17),
        ("Breakpad functions", breakpad(breakpad_functions)),
        ("Breakpad functions that overlap", breakpad(breakpad_overlapping)),
        ("Breakpad lines", breakpad(breakpad_lines)),
        ("Breakpad inlined calls", breakpad(breakpad_inlines)),
        ("Breakpad: bytes of a name of many calls", breakpad_shared_name),
        ("Breakpad files", breakpad(breakpad_files)),
        ("Breakpad public symbols", breakpad(breakpad_publics)),
        ("index: functions", index_of(functions)),
        ("index: functions that contain the next", index_of(nested_ranges)),
        ("index: line sequences that overlap", index_of(overlapping_sequences)),
        ("index: units", index_of(units(ranges=True, asked=True))),
        ("index: ELF symbols", index_of(elf_symbols())),
        ("symbol files in a directory", with_report(symbol_files), 500, 16_000),
        ("other files in a directory", with_report(other_files), 500, 32_000),
        ("symbol files given by name", given_files, 250, 1_000, ARGUMENTS),
        ("files and images of one name", files_of_one_name(), 250, 8_000),
        ("files and images of one name, as JSON", files_of_one_name("--format", "json"), 250, 8_000),
        ("files and images of one name, doctor", doctor(files_of_one_name()), 250, 8_000),
        ("files and images, doctor", doctor(other_builds), 250, 8_000),
        ("members of a zip archive", with_report(zip_members), 500, 16_000),
        ("members of a zip archive, backwards", with_images(zip_members_backwards), 250, 16_000),
        ("members of a tar archive", with_report(tar_members), 500, 16_000),
        ("mappings in a dSYM", remappings),
        ("symbol files, uuid", uuids, 500, 16_000),
    ]
    return [Work(title, make, *sizes) for title, make, *sizes in kinds]
