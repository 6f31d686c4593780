#!/bin/bash
# Rebuilds all built fixtures in place, and prints what it built: `make fixtures`.
# With the versions of the tools that README.md lists, every run gives the same bytes, in any folder.
. "$(dirname "$0")/common.sh"
need clang clang-22 clang++-22 taskset swiftc gcc g++ setarch ld dwz dwp objcopy ld64.lld-19 ld.lld-19 dsymutil-19 dsymutil-22 \
  llvm-objdump-19 llvm-ar-19 llvm-otool-19 llvm-lipo-19 llvm-objcopy-19 llvm-strip-19 llvm-dwp-19 llvm-gsymutil-19 llvm-symbolizer-19 \
  llvm-dwarfdump-19 llvm-readobj-19 llvm-nm-19 python3 sed xz

for folder in LetterShuffle Inlines ClangModule Dwarf Fat MachO Signals Elf ElfDwarf Dwz SplitDwarf DebugMap Llvm22 Traps SwiftBacktrace Gsym Breakpad Bitcode Sanitizer; do
  bash "$FIXTURES/$folder/build.sh"
done
python3 "$FIXTURES/CoreSymbolication/symbols.py" "$FIXTURES/CoreSymbolication"
python3 "$FIXTURES/Learnt/learnt.py" "$FIXTURES/Learnt"
