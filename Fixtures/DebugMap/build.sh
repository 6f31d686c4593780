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

# ledger FOLDER TARGET ARCH OPTION...: two object files, and two archives with one member each: one in
# Apple's format, and one in GNU's with a name that is too long for its header.
ledger() {
  local unit
  mkdir "$SCRATCH/$1"
  for unit in main.c early.c statement.cpp interest-of-the-year.cpp; do
    (cd "$HERE/Sources" && clang -target "$2" "${@:4}" -O2 -g -ffreestanding -fno-stack-protector -fno-exceptions \
      -fno-asynchronous-unwind-tables -fdebug-compilation-dir=/Users/builder/Ledger -c "$unit" -o "$SCRATCH/$1/${unit%.c*}.o")
  done
  cd "$SCRATCH/$1"
  llvm-ar-19 --format=darwin rcD libearly.a early.o
  llvm-ar-19 --format=gnu rcD libinterest.a interest-of-the-year.o
  ld64.lld-19 -arch "$3" -platform_version macos 13.0 13.0 -undefined dynamic_lookup -dead_strip -oso_prefix "$PWD/" \
    -o ledger main.o statement.o libearly.a libinterest.a
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

ledger arm64-dwarf5 arm64-apple-macos13 arm64 -gdwarf-5
ledger arm64-dwarf4 arm64-apple-macos13 arm64 -gdwarf-4
ledger x86_64-dwarf5 x86_64-apple-macos13 x86_64 -gdwarf-5
ledger x86_64-dwarf4 x86_64-apple-macos13 x86_64 -gdwarf-4
inlines
