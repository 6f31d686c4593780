#!/bin/bash
# Builds dSYMs with several slices, and one with only arm64e. See ../README.md.
. "$(dirname "$0")/../common.sh"
need clang ld64.lld-19 dsymutil-19 llvm-lipo-19 python3
scratch

# slice ARCH: leaves the slice's dSYM in the scratch folder.
slice() {
  local linked=$SCRATCH/$1/Shapes
  mkdir -p "$SCRATCH/$1"
  shapes_macho "$1-apple-macos12.0" "$1" macos 12.0 "$linked" -g -gdwarf-4
  # dsymutil looks for objects of the architecture that the linked file names.
  [ "$1" != arm64e ] || python3 "$FIXTURES/Tools/set_identity.py" "$linked" --arm64e
  collect "$linked" "$SCRATCH/$1.dSYM" "$linked.objects"
}

# fat NAME OPTION...: joins the slices.
fat() {
  local bundle=$FIXTURES/Fat/$1.dSYM inner=Contents/Resources/DWARF/Shapes
  rm -rf "$bundle"
  cp -R "$SCRATCH/arm64.dSYM" "$bundle"
  llvm-lipo-19 -create "${@:2}" "$SCRATCH/x86_64.dSYM/$inner" "$SCRATCH/arm64.dSYM/$inner" \
    "$SCRATCH/arm64e.dSYM/$inner" -output "$bundle/$inner"
  chmod 644 "$bundle/$inner"
  built "$bundle"
}

for arch in x86_64 arm64 arm64e; do slice "$arch"; done
fat fat
fat fat64 -fat64
rm -rf "$FIXTURES/Fat/arm64e.dSYM"
cp -R "$SCRATCH/arm64e.dSYM" "$FIXTURES/Fat/arm64e.dSYM"
built "$FIXTURES/Fat/arm64e.dSYM"
