#!/usr/bin/env python3
"""addresses.py FILE FOLDER [--seed N]: makes lists of addresses to look up, from a symbol file.

Writes FOLDER/one (one address), FOLDER/units (30, each in another compilation unit), and FOLDER/thousand,
FOLDER/many and FOLDER/most (1,000, 10,000 and 100,000 in functions, each function chosen in proportion to its
size; each list begins with the one before), one address per line. The same file and seed give the same lists.
The one address is from the middle one of the 30 units, by their offsets in .debug_info.
"""
import argparse
import bisect
import itertools
import os
import random

from object_file import ObjectFile, UnsuitableFile

UNIT_COUNT, ADDRESS_COUNT = 30, 10_000
# By e_machine and by cputype: instructions of four bytes.
FOUR_BYTE_INSTRUCTIONS = {183, 0x0100000C}


def address_lists(path, seed, count=ADDRESS_COUNT):
    """{name: addresses}, `count` in `many`, from the file's functions and, where it has them, .debug_aranges."""
    file = ObjectFile(path)
    ranges = file.unit_ranges()
    starts = [start for start, _, _ in ranges]

    def unit(address):
        index = bisect.bisect_right(starts, address) - 1
        if index >= 0 and address < ranges[index][1]:
            return ranges[index][2]
        return None

    # If there is a table of units, only code in a unit: code without debug information is not asked about.
    def is_asked(address):
        return not ranges or unit(address) is not None

    functions = [
        function for function in file.functions
        if function.end > function.start and is_asked(function.start)]
    if not functions:
        raise UnsuitableFile(f"{path}: no functions with debug information in the symbol table")
    step = 4 if file.machine in FOUR_BYTE_INSTRUCTIONS else 1
    sums = list(itertools.accumulate(function.end - function.start for function in functions))
    source = random.Random(seed)
    most = []
    while len(most) < 10 * count:
        place = source.randrange(sums[-1])
        index = bisect.bisect_right(sums, place)
        offset = place - (sums[index - 1] if index else 0)
        address = functions[index].start + offset // step * step
        if is_asked(address):
            most.append(address)
    many = most[:count]
    # Without a table of units, take one address from each of 30 functions.
    function_starts = [function.start for function in functions]
    by_unit = {}
    for address in many:
        key = unit(address) if ranges else bisect.bisect_right(function_starts, address)
        by_unit.setdefault(key, address)
        if len(by_unit) == UNIT_COUNT:
            break
    units = list(by_unit.values())
    middle = by_unit[sorted(by_unit)[len(by_unit) // 2]]
    return {"one": [middle], "units": units, "thousand": most[:count // 10], "many": many, "most": most}


def write(lists, folder):
    os.makedirs(folder, exist_ok=True)
    for name, addresses in lists.items():
        with open(os.path.join(folder, name), "w") as file:
            file.writelines(f"{address:#x}\n" for address in addresses)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        write(address_lists(arguments.file, arguments.seed), arguments.folder)
    except UnsuitableFile as error:
        raise SystemExit(str(error))
