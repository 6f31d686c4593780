#!/bin/bash
# Builds GSYM files from Inlines.dSYM: version 1 with llvm-gsymutil, and the same as version 2, which
# llvm-gsymutil 19 does not write. See ../README.md.
. "$(dirname "$0")/../common.sh"
need llvm-gsymutil-19 python3

cd "$FIXTURES/Gsym"
# It makes the same file only on one thread.
llvm-gsymutil-19 --convert "$FIXTURES/Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines" \
  --out-file inlines-version1.gsym --num-threads 1 --quiet >/dev/null
python3 version2.py inlines-version1.gsym inlines-version2.gsym
python3 version2.py inlines-version1.gsym inlines-version2-reversed.gsym --big-endian --address-size 8 --reversed
for file in inlines-*.gsym; do built "$FIXTURES/Gsym/$file"; done
