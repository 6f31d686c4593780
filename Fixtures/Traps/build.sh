#!/bin/bash
# Builds Traps.dSYM: C that traps with messages. See ../README.md.
. "$(dirname "$0")/../common.sh"
need clang ld64.lld-19 dsymutil-19
scratch

cp "$FIXTURES/Traps/Sources/traps.c" "$SCRATCH"
cd "$SCRATCH"
clang -target arm64-apple-macos14 -O1 -g -ffreestanding -fsanitize=signed-integer-overflow \
  -fsanitize-trap=all -fdebug-compilation-dir=/Users/builder/Traps -c traps.c -o traps.o
ld64.lld-19 -arch arm64 -platform_version macos 14.0 14.0 -undefined dynamic_lookup -oso_prefix "$SCRATCH/" \
  -o Traps traps.o
collect Traps "$FIXTURES/Traps/Traps.dSYM"
built "$FIXTURES/Traps/Traps.dSYM"
