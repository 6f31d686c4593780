#!/bin/bash
# Builds the programs whose crashes are in Reports. See ../README.md.
. "$(dirname "$0")/../common.sh"
need swiftc ld.lld-19 llvm-objcopy-19
scratch

HERE=$FIXTURES/SwiftBacktrace

# program NAME SOURCE OPTION...: with frame pointers, which the Swift runtime follows from frame to frame.
program() {
  local toolchain
  toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
  mkdir "$SCRATCH/$1"
  cp "$HERE/Sources/$2.swift" "$SCRATCH/$1"
  cd "$SCRATCH/$1"
  swiftc -O -g "${@:3}" -module-name "$2" -c "$2.swift" -o "$1.o" -file-compilation-dir /home/builder/crash \
    -debug-prefix-map "$PWD=/home/builder/crash" -debug-prefix-map "$toolchain=/toolchain" \
    -module-cache-path "$SCRATCH/cache" -Xfrontend -no-clang-module-breadcrumbs -Xcc -fno-omit-frame-pointer
  llvm-objcopy-19 --remove-section=.swift_modhash "$1.o"   # a hash of the compiler's arguments too
  swiftc "$1.o" -o "$1" -no-toolchain-stdlib-rpath -use-ld=lld -Xlinker --build-id=sha1
  cp "$1" "$HERE/$1.elf"
  chmod 644 "$HERE/$1.elf"
  built "$HERE/$1.elf"
}

program bank Bank -parse-as-library
program workers Workers
program ladder Ladder
