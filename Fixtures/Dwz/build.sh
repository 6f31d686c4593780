#!/bin/bash
# Builds programs whose DWARF was compressed by dwz: the shared parts are in a file of their own, or in
# partial units. See ../README.md.
. "$(dirname "$0")/../common.sh"
need g++ dwz python3
scratch

HERE=$FIXTURES/Dwz
CXX=(g++ -fcf-protection=none -freorder-blocks-and-partition)
LINK=(g++ -nostdlib -static -no-pie -Wl,--build-id=sha1 -Wl,-z,max-page-size=4096 -Wl,-z,noseparate-code)

keep() {
  mkdir -p "$(dirname "$HERE/$1")"
  cp "$SCRATCH/$1" "$HERE/$1"
  chmod 644 "$HERE/$1"
  built "$HERE/$1"
}

# two_programs FOLDER DWARF-VERSION SHARED-FILE OPTION-OF-DWZ...: both name SHARED-FILE, which is beside them.
two_programs() {
  local program
  tally_objects "$SCRATCH/$1" "tally ledger audit" "${CXX[@]}" "-gdwarf-$2"
  cd "$SCRATCH/$1"
  for program in ledger audit; do
    "${LINK[@]}" $program.o tally.o -o $program.elf
  done
  dwz "${@:4}" -m "$3" -M "$3" ledger.elf audit.elf
  [ "$3" = shared.debug ] || python3 "$FIXTURES/Tools/settle_checksum.py" "$3" ledger.elf audit.elf
  for program in ledger.elf audit.elf "$3"; do keep "$1/$program"; done
}

# one_program NAME DWARF-VERSION: partial units in the program itself.
one_program() {
  tally_objects "$SCRATCH/$1" "tally ledger" "${CXX[@]}" "-gdwarf-$2"
  tally_objects "$SCRATCH/$1" audit "${CXX[@]}" "-gdwarf-$2" -Dmain=auditMain -D_start=auditStart
  cd "$SCRATCH/$1"
  "${LINK[@]}" ledger.o tally.o audit.o -o "../$1.elf"
  dwz "../$1.elf"
  keep "$1.elf"
}

two_programs dwarf4 4 shared.debug
two_programs dwarf5 5 shared.debug
two_programs supplementary 5 shared.sup --dwarf-5
one_program partial-dwarf4 4
one_program partial-dwarf5 5
