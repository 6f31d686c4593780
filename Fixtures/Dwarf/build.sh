#!/bin/bash
# Builds the dSYMs of one C program in each version of DWARF. See ../README.md.
. "$(dirname "$0")/../common.sh"
need clang ld64.lld-19 dsymutil-19
scratch

# dsym NAME ARCH DWARF-VERSION
dsym() {
  local linked=$SCRATCH/$1/Shapes
  mkdir -p "$SCRATCH/$1"
  shapes_macho "$2-apple-macos12.0" "$2" macos 12.0 "$linked" -g -gdwarf-"$3"
  collect "$linked" "$FIXTURES/Dwarf/$1.dSYM" "$linked.objects"
  built "$FIXTURES/Dwarf/$1.dSYM"
}

for version in 2 3 4 5; do
  dsym "arm64-dwarf$version" arm64 "$version"
done
for version in 4 5; do
  dsym "x86_64-dwarf$version" x86_64 "$version"
done
