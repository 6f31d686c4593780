#!/bin/bash
# Builds Mach-O programs with a debug map beside the object files that the map names, and for comparison
# the dSYMs that dsymutil makes from them. See ../README.md.
. "$(dirname "$0")/../common.sh"
need clang swiftc ld64.lld-19 llvm-ar-19 dsymutil-19
fixed_scratch

HERE=$FIXTURES/DebugMap

# keep FOLDER FILE...: with the modification time in the debug map, which is 0.
keep() {
  local file
  rm -rf "${HERE:?}/$1"
  mkdir "$HERE/$1"
  for file in "${@:2}"; do
    cp "$SCRATCH/$1/$file" "$HERE/$1/$file"
    chmod 644 "$HERE/$1/$file"
  done
  built "$HERE/$1"
}

# ledger_files FOLDER TARGET ARCH OPTION...: the program, its object files and archives, and its dSYM. One
# archive has Apple's format; the other has GNU's, with a name that is too long for its header.
ledger_files() {
  ledger "$1" clang "$2" "$3" gnu "${@:4}"
  keep "$1" ledger main.o statement.o libearly.a libinterest.a
  collect ledger "$HERE/$1.dSYM"
  built "$HERE/$1.dSYM"
}

# The program from which Inlines.dSYM was made: see ../Inlines/build.sh.
inlines() {
  cp -R "$FIXTURES/Inlines/Sources" "$SCRATCH/swift"
  cd "$SCRATCH/swift"
  swift_module Core Core/*.swift
  swift_module Tiles Tiles/*.swift
  swift_module App App/*.swift
  ld64.lld-19 -arch arm64 -platform_version ios 18.0 18.0 -undefined dynamic_lookup -oso_prefix "$PWD/" \
    -o Inlines App.o Core.o Tiles.o
  keep swift Inlines App.o Core.o Tiles.o
}

ledger_files arm64-dwarf5 arm64-apple-macos13 arm64 -gdwarf-5
ledger_files arm64-dwarf4 arm64-apple-macos13 arm64 -gdwarf-4
ledger_files x86_64-dwarf5 x86_64-apple-macos13 x86_64 -gdwarf-5
ledger_files x86_64-dwarf4 x86_64-apple-macos13 x86_64 -gdwarf-4
inlines
