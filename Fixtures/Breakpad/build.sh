#!/bin/bash
# Builds Breakpad symbol files from dSYMs with what LLVM's tools say about them, in the layout of symbol servers:
# NAME/UUID0/NAME.sym. See ../README.md.
. "$(dirname "$0")/../common.sh"
need llvm-symbolizer-19 llvm-dwarfdump-19 llvm-objdump-19 llvm-readobj-19 llvm-nm-19 python3

cd "$FIXTURES/Breakpad"

# convert DSYM NAME
convert() {
  local dwarf="$1/Contents/Resources/DWARF/$2" folder
  folder="$2/$(llvm-dwarfdump-19 --uuid "$dwarf" | sed 's/^UUID: \(\S*\) .*/\1/; s/-//g')0"
  mkdir -p "$folder"
  python3 breakpad.py "$dwarf" "$2" >"$folder/$2.sym"
  built "$FIXTURES/Breakpad/$folder/$2.sym"
}

convert "$FIXTURES/Inlines/Inlines.dSYM" Inlines
convert "$FIXTURES/LetterShuffle/Letter Shuffle.app.dSYM" "Letter Shuffle"
