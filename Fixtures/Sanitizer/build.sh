#!/bin/bash
# Builds the programs whose reports are in Reports. See README.md.
. "$(dirname "$0")/../common.sh"
need clang ld.lld
scratch

HERE=$FIXTURES/Sanitizer

# program NAME SANITIZER: with the sanitizer's library beside it, or the file would have megabytes.
program() {
  clang -g -O1 -fno-optimize-sibling-calls -fno-omit-frame-pointer -fsanitize="$2" -shared-libsan -fuse-ld=lld \
    -Wl,--build-id=sha1 -fdebug-prefix-map="$HERE/Sources=/home/builder/Sanitizer" \
    -fdebug-compilation-dir=/home/builder/Sanitizer "$HERE/Sources/$1.c" -o "$SCRATCH/$1"
  cp "$SCRATCH/$1" "$HERE/$1.elf"
  chmod 644 "$HERE/$1.elf"
  built "$HERE/$1.elf"
}

program freed address
program race thread
