#!/bin/bash
# Builds symbol files with clang 22 and with the parallel linker of dsymutil 22, which becomes the default in
# LLVM 23. See ../README.md.
. "$(dirname "$0")/../common.sh"
need taskset clang-22 clang++-22 swiftc ld64.lld-19 ld.lld-19 llvm-ar-19 dsymutil-22
fixed_scratch

HERE=$FIXTURES/Llvm22
# On one core it uses one thread, so that every build gives the same bytes.
DSYMUTIL=(taskset --cpu-list 0 dsymutil-22 --linker=parallel)

# ledger_dsym NAME TARGET ARCH OPTION...: the dSYM of the program of DebugMap/Sources.
ledger_dsym() {
  ledger "$1" clang-22 "$2" "$3" darwin "${@:4}"
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

ledger_dsym arm64-dwarf4 arm64-apple-macos13 arm64 -gdwarf-4
ledger_dsym arm64-dwarf5 arm64-apple-macos13 arm64 -gdwarf-5
ledger_dsym x86_64-dwarf5 x86_64-apple-macos13 x86_64 -gdwarf-5
inlines
tally dwarf5 -gdwarf-5
# Rows for stepping follow instructions of their own (-gkey-instructions), and template names leave out
# their parameters.
tally dwarf5-key-instructions -gdwarf-5 -gkey-instructions -gsimple-template-names
