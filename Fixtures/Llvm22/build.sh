#!/bin/bash
# Builds symbol files with clang 22 and with the parallel linker of dsymutil 22, which becomes the default in
# LLVM 23. See ../README.md.
. "$(dirname "$0")/../common.sh"
need taskset clang-22 clang++-22 swiftc ld64.lld-19 ld.lld-19 llvm-ar-19 dsymutil-22
fixed_scratch

HERE=$FIXTURES/Llvm22
# On one core it uses one thread, so that every build gives the same bytes.
DSYMUTIL=(taskset --cpu-list 0 dsymutil-22 --linker=parallel)

# ledger NAME TARGET ARCH OPTION...: the program of DebugMap/Sources.
ledger() {
  local unit
  mkdir "$SCRATCH/$1"
  for unit in main.c early.c statement.cpp interest-of-the-year.cpp; do
    (cd "$FIXTURES/DebugMap/Sources" && clang-22 -target "$2" "${@:4}" -O2 -g -ffreestanding -fno-stack-protector -fno-exceptions \
      -fno-asynchronous-unwind-tables -fdebug-compilation-dir=/Users/builder/Ledger -c "$unit" -o "$SCRATCH/$1/${unit%.c*}.o")
  done
  cd "$SCRATCH/$1"
  llvm-ar-19 --format=darwin rcD libearly.a early.o
  llvm-ar-19 --format=darwin rcD libinterest.a interest-of-the-year.o
  ld64.lld-19 -arch "$3" -platform_version macos 13.0 13.0 -undefined dynamic_lookup -dead_strip -oso_prefix "$PWD/" \
    -o ledger main.o statement.o libearly.a libinterest.a
  collect ledger "$HERE/$1.dSYM"
  built "$HERE/$1.dSYM"
}

# The modules of embedded Swift of Inlines, from the same objects as Inlines.dSYM: see ../Inlines/build.sh.
inlines() {
  mkdir "$SCRATCH/inlines"
  cp -R "$FIXTURES/Inlines/Sources/." "$SCRATCH/inlines"
  cd "$SCRATCH/inlines"
  swift_module Core Core/*.swift
  swift_module Tiles Tiles/*.swift
  swift_module App App/*.swift
  ld64.lld-19 -arch arm64 -platform_version ios 18.0 18.0 -undefined dynamic_lookup -oso_prefix "$PWD/" \
    -o Inlines App.o Core.o Tiles.o
  # This linker puts the objects' folder before the whole path of the precompiled clang modules.
  mkdir -p "$PWD${SCRATCH%/*}" && ln -s "$SCRATCH" "$PWD$SCRATCH"
  collect Inlines "$HERE/Inlines.dSYM"
  built "$HERE/Inlines.dSYM"
}

# tally NAME OPTION...: the program of Tally/Sources as ELF.
tally() {
  local work=$SCRATCH/$1
  tally_objects "$work" "ledger tally" clang++-22 -target x86_64-unknown-linux-gnu "${@:2}"
  (cd "$work" && ld.lld-19 --build-id=sha1 -e _start -o "$HERE/$1.elf" ledger.o tally.o)
  chmod 644 "$HERE/$1.elf"
  built "$HERE/$1.elf"
}

ledger arm64-dwarf4 arm64-apple-macos13 arm64 -gdwarf-4
ledger arm64-dwarf5 arm64-apple-macos13 arm64 -gdwarf-5
ledger x86_64-dwarf5 x86_64-apple-macos13 x86_64 -gdwarf-5
inlines
tally dwarf5 -gdwarf-5
# Rows for stepping follow instructions of their own (-gkey-instructions), and template names leave out
# their parameters.
tally dwarf5-key-instructions -gdwarf-5 -gkey-instructions -gsimple-template-names
