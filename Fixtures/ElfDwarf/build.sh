#!/bin/bash
# Builds ELF programs with variants of DWARF that compilers and linkers write only on request, or for other
# processors. See ../README.md.
. "$(dirname "$0")/../common.sh"
need clang gcc g++ ld objcopy ld.lld-19
scratch

HERE=$FIXTURES/ElfDwarf
CLANG=(clang -target x86_64-linux-gnu)
CLANGXX=(clang++ -target x86_64-linux-gnu)
GCC=(gcc -fcf-protection=none)
GXX=(g++ -fcf-protection=none)
PACKED=(--build-id=sha1 -z max-page-size=4096 -z noseparate-code -e _start)
LLD=(ld.lld-19 "${PACKED[@]}")
BFD=(ld "${PACKED[@]}")

keep() {
  cp "$SCRATCH/$1" "$HERE/$1"
  chmod 644 "$HERE/$1"
  built "$HERE/$1"
}

# shapes NAME COMPILER OPTION...: the C program.
shapes() {
  shapes_objects "$SCRATCH/$1.objects" "${@:2}" "${FREESTANDING[@]}" -DFREESTANDING -fno-pie \
    -fdebug-prefix-map="$FIXTURES/Shapes/Sources=/home/builder/shapes"
  (cd "$SCRATCH/$1.objects" && "${LLD[@]}" "${SHAPES[@]/%/.o}" -o "../$1.elf")
  keep "$1.elf"
}

# tally NAME COMPILER OPTION...: the C++ program.
tally() {
  tally_objects "$SCRATCH/$1.objects" "ledger tally" "${@:2}"
  (cd "$SCRATCH/$1.objects" && "${LLD[@]}" ledger.o tally.o -o "../$1.elf")
  keep "$1.elf"
}

# collected NAME OBJECTS LINKER OPTION...: links what `tally` compiled before, without functions that nothing calls.
collected() {
  (cd "$SCRATCH/$2.objects" && "${@:3}" --gc-sections ledger.o tally.o -o "../$1.elf")
  keep "$1.elf"
}

shapes gcc-dwarf3 "${GCC[@]}" -gdwarf-3 -gstrict-dwarf
shapes clang-dwarf2 "${CLANG[@]}" -gdwarf-2

shapes dwarf64-dwarf4 "${GCC[@]}" -gdwarf-4 -gdwarf64
shapes dwarf64-dwarf5 "${CLANG[@]}" -gdwarf-5 -gdwarf64

shapes lines-clang-dwarf4 "${CLANG[@]}" -gdwarf-4 -gline-tables-only
shapes lines-clang-dwarf5 "${CLANG[@]}" -gdwarf-5 -gline-tables-only
shapes lines-gcc-dwarf5 "${GCC[@]}" -gdwarf-5 -g1

shapes s390x-dwarf5 clang -target s390x-linux-gnu -gdwarf-5
shapes powerpc64-dwarf4 clang -target powerpc64-linux-gnu -mabi=elfv2 -gdwarf-4
shapes mips-dwarf4 clang -target mips-linux-gnu -fno-pic -gdwarf-4
shapes i386-dwarf4 clang -target i386-linux-gnu -gdwarf-4
shapes armv7-dwarf5 clang -target armv7-linux-gnueabihf -gdwarf-5

# Every basic block in a section of its own: functions with many ranges.
shapes blocks-dwarf4 "${CLANG[@]}" -gdwarf-4 -fbasic-block-sections=all
shapes blocks-dwarf5 "${CLANG[@]}" -gdwarf-5 -fbasic-block-sections=all

tally types-gcc-dwarf4 "${GXX[@]}" -gdwarf-4 -fdebug-types-section
tally types-gcc-dwarf5 "${GXX[@]}" -gdwarf-5 -fdebug-types-section
tally types-clang-dwarf5 "${CLANGXX[@]}" -gdwarf-5 -fdebug-types-section

# Functions that the linker leaves out keep their debug information, at an address that means "none". GNU ld
# writes 0, and 1 in ranges and locations; lld writes 0, or the number in its option.
tally sections-gcc-dwarf4 "${GXX[@]}" -gdwarf-4 -ffunction-sections
tally sections-clang-dwarf5 "${CLANGXX[@]}" -gdwarf-5 -ffunction-sections
collected dropped-bfd-dwarf4 sections-gcc-dwarf4 "${BFD[@]}"
collected dropped-bfd-dwarf5 sections-clang-dwarf5 "${BFD[@]}"
collected dropped-lld-dwarf4 sections-gcc-dwarf4 "${LLD[@]}" -z 'dead-reloc-in-nonalloc=.debug_*=0xffffffffffffffff' \
  -z dead-reloc-in-nonalloc=.debug_ranges=0xfffffffffffffffe -z dead-reloc-in-nonalloc=.debug_loc=0xfffffffffffffffe
collected dropped-lld-dwarf5 sections-clang-dwarf5 "${LLD[@]}" -z 'dead-reloc-in-nonalloc=.debug_*=0xffffffffffffffff'
collected dropped-minus2-dwarf5 sections-clang-dwarf5 "${LLD[@]}" -z 'dead-reloc-in-nonalloc=.debug_*=0xfffffffffffffffe'

# Link-time optimisation inlines across units: their DIEs refer to each other. The linker must come
# from the same LLVM as the compiler.
tally_objects "$SCRATCH/lto-clang" "ledger tally" "${CLANGXX[@]}" -gdwarf-5 -flto
(cd "$SCRATCH/lto-clang" && "$(dirname "$(readlink -f "$(command -v clang)")")/ld.lld" "${PACKED[@]}" ledger.o tally.o -o ../lto-clang-dwarf5.elf)
keep lto-clang-dwarf5.elf
tally_objects "$SCRATCH/lto-gcc" "ledger tally" "${GXX[@]}" -gdwarf-5 -flto -frandom-seed=tally
(cd "$SCRATCH/lto-gcc" && g++ -flto -O2 -gdwarf-5 -fdebug-prefix-map="$PWD=/home/builder/tally" -frandom-seed=tally -nostdlib -static -no-pie \
  -Wl,--build-id=sha1,-z,max-page-size=4096,-z,noseparate-code ledger.o tally.o -o ../lto-gcc-dwarf5.elf)
keep lto-gcc-dwarf5.elf

objcopy --compress-debug-sections=zlib-gnu "$SCRATCH/gcc-dwarf3.elf" "$SCRATCH/zdebug-dwarf3.elf"
keep zdebug-dwarf3.elf
