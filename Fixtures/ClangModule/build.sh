#!/bin/bash
# Builds ClangModule.dSYM: a Swift module that imports a clang module. See ../README.md.
. "$(dirname "$0")/../common.sh"
need swiftc ld64.lld-19 dsymutil-19
fixed_scratch

cp -R "$FIXTURES/ClangModule/Sources/." "$SCRATCH"
cd "$SCRATCH"
find . -type f -exec touch -d 2020-01-01T00:00:00Z {} +   # the module's signature depends on it
SWIFT_MORE=(-Xcc "-fmodule-map-file=CTiles/module.modulemap" -I CTiles)
swift_module Rack Rack.swift
ld64.lld-19 -arch arm64 -platform_version ios 18.0 18.0 -undefined dynamic_lookup -oso_prefix "$SCRATCH/" -o Rack Rack.o
collect Rack "$FIXTURES/ClangModule/ClangModule.dSYM"
built "$FIXTURES/ClangModule/ClangModule.dSYM"
