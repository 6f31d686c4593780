"""PyPI's `symbolic` as a program, for a Python that has it installed.

    symbolic_peer.py lookup FILE BASE ADDRESSES      builds its index of FILE in memory and looks up
    symbolic_peer.py index FILE OUTPUT               writes the index
    symbolic_peer.py index-lookup INDEX BASE ADDRESSES

BASE is the start of the image: addresses in `symbolic` are relative to it.
"""
import sys

from symbolic import Archive, SymCache


def build(path):
    return next(Archive.open(path).iter_objects()).make_symcache()


def answer(cache, base, addresses):
    base = int(base, 16)
    with open(addresses) as file:
        for line in file:
            for location in cache.lookup(int(line, 16) - base):
                print(location.symbol, location.full_path or "", location.line, sep="\t")
            print()


command, *arguments = sys.argv[1:]
if command == "lookup":
    answer(build(arguments[0]), *arguments[1:])
elif command == "index":
    with open(arguments[1], "wb") as output:
        build(arguments[0]).dump_into(output)
elif command == "index-lookup":
    answer(SymCache.open(arguments[0]), *arguments[1:])
