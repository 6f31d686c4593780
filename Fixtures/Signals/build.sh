#!/bin/bash
# Builds images with calls that never return at the end of functions, and with signal trampolines. See
# ../README.md.
. "$(dirname "$0")/../common.sh"
need clang ld64.lld-19 ld.lld-19 dsymutil-19
scratch

HERE=$FIXTURES/Signals
SOURCES=$HERE/Sources

# objects FOLDER COMPILER OPTION...: the C program, where `make` can find it again.
objects() {
  local unit
  mkdir "$SCRATCH/$1"
  for unit in relay last; do
    "${@:2}" -O2 -g -c "$SOURCES/$unit.c" -o "$SCRATCH/$1/$unit.o" -fdebug-prefix-map="$SOURCES=/Users/builder/Signals" \
      -fdebug-compilation-dir=/Users/builder/Signals
  done
}

keep() {
  cp "$SCRATCH/$1" "$HERE/${1##*/}"
  chmod 644 "$HERE/${1##*/}"
  built "$HERE/${1##*/}"
}

# library FOLDER NAME OBJECT...: for macOS on arm64.
library() {
  (cd "$SCRATCH/$1" && ld64.lld-19 -arch arm64 -platform_version macos 13.0 13.0 -undefined dynamic_lookup -oso_prefix "$PWD/" \
    -dylib -install_name "/usr/lib/system/$2" "${@:3}" -o "$2")
}

objects macos clang -target arm64-apple-macos13 -gdwarf-4
library macos librelay.dylib relay.o last.o
collect "$SCRATCH/macos/librelay.dylib" "$HERE/librelay.dSYM"
built "$HERE/librelay.dSYM"

mkdir "$SCRATCH/platform"
clang -target arm64-apple-macos13 -c "$SOURCES/darwin-trampoline.s" -o "$SCRATCH/platform/trampoline.o"
library platform libsystem_platform.dylib trampoline.o
keep platform/libsystem_platform.dylib

objects linux clang -target aarch64-linux-gnu -gdwarf-5 -ffreestanding -fno-asynchronous-unwind-tables -fPIC
clang -target aarch64-linux-gnu -c "$SOURCES/linux-trampoline.s" -o "$SCRATCH/linux/trampoline.o"
(cd "$SCRATCH/linux" && ld.lld-19 --build-id=sha1 -shared -soname librelay.so relay.o last.o trampoline.o -o librelay.elf)
keep linux/librelay.elf
