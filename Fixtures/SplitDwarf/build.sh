#!/bin/bash
# Builds programs with split DWARF: with .dwo files beside the program, or with a package of them (.dwp). See
# ../README.md.
. "$(dirname "$0")/../common.sh"
need clang g++ setarch ld.lld-19 llvm-dwp-19 dwp
scratch

HERE=$FIXTURES/SplitDwarf
CLANG=(clang++ -target x86_64-linux-gnu)
# gcc 12 hashes its own addresses into DWO identifiers, so these must be the same in each run.
GCC=(setarch --addr-no-randomize g++ -fcf-protection=none -freorder-blocks-and-partition)
LINK=(ld.lld-19 --build-id=sha1 -z max-page-size=4096 -z noseparate-code)

# program FOLDER COMPILER OPTION...: compiled and linked in the scratch folder.
program() {
  tally_objects "$SCRATCH/$1" "ledger tally" "${@:2}" -gsplit-dwarf
  (cd "$SCRATCH/$1" && "${LINK[@]}" --gc-sections ledger.o tally.o -o ledger.elf)
}

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

# with_objects FOLDER COMPILER OPTION...: the .dwo files beside the program.
with_objects() {
  program "$@"
  keep "$1" ledger.elf ledger.dwo tally.dwo
}

# with_package FOLDER PACKER COMPILER OPTION...: a package beside the program instead.
with_package() {
  program "$1" "${@:3}"
  (cd "$SCRATCH/$1" && "$2" -e ledger.elf -o ledger.elf.dwp)
  keep "$1" ledger.elf ledger.elf.dwp
}

with_objects clang-dwarf4 "${CLANG[@]}" -gdwarf-4 -ffunction-sections
with_objects clang-dwarf5 "${CLANG[@]}" -gdwarf-5 -ffunction-sections
with_objects gcc-dwarf4 "${GCC[@]}" -gdwarf-4
with_objects gcc-dwarf5 "${GCC[@]}" -gdwarf-5
# binutils' dwp only packs version 4; it crashes on version 5.
with_package clang-dwarf4-package dwp "${CLANG[@]}" -gdwarf-4 -ffunction-sections -fdebug-types-section
with_package clang-dwarf5-package llvm-dwp-19 "${CLANG[@]}" -gdwarf-5 -ffunction-sections -fdebug-types-section
with_package gcc-dwarf4-package llvm-dwp-19 "${GCC[@]}" -gdwarf-4 -fdebug-types-section
with_package gcc-dwarf5-package llvm-dwp-19 "${GCC[@]}" -gdwarf-5
