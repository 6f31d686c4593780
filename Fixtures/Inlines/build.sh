#!/bin/bash
# Builds Inlines.dSYM: three modules of embedded Swift, optimised. See ../README.md.
. "$(dirname "$0")/../common.sh"
need swiftc ld64.lld-19 dsymutil-19
fixed_scratch

cp -R "$FIXTURES/Inlines/Sources/." "$SCRATCH"
cd "$SCRATCH"
swift_module Core Core/*.swift
swift_module Tiles Tiles/*.swift
swift_module App App/*.swift
ld64.lld-19 -arch arm64 -platform_version ios 18.0 18.0 -undefined dynamic_lookup -oso_prefix "$SCRATCH/" \
  -o Inlines App.o Core.o Tiles.o
collect Inlines "$FIXTURES/Inlines/Inlines.dSYM"
built "$FIXTURES/Inlines/Inlines.dSYM"
