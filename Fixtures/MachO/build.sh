#!/bin/bash
# Builds Mach-O images without DWARF, and 32-bit ones. See ../README.md.
. "$(dirname "$0")/../common.sh"
need clang ld64.lld-19 dsymutil-19 llvm-strip-19
scratch

# image NAME TARGET ARCH PLATFORM VERSION OPTION...: a linked image.
image() {
  shapes_macho "$2" "$3" "$4" "$5" "$SCRATCH/$1" "${@:6}"
}

# keep NAME [COMMITTED-NAME]
keep() {
  cp "$SCRATCH/$1" "$FIXTURES/MachO/${2:-$1}"
  chmod 644 "$FIXTURES/MachO/${2:-$1}"
  built "$FIXTURES/MachO/${2:-$1}"
}

image shapes arm64-apple-ios16.0 arm64 ios 16.0
keep shapes shapes-arm64
image libshapes.dylib arm64-apple-ios16.0 arm64 ios 16.0
keep libshapes.dylib
llvm-strip-19 -x "$SCRATCH/shapes" -o "$SCRATCH/stripped"
keep stripped shapes-arm64-stripped

# An image with symbol stubs, and with no symbols except the header and the imports: what stripping leaves.
mkdir "$SCRATCH/calls"
(cd "$FIXTURES/MachO" && clang -target arm64-apple-ios16.0 -O1 -c calls.c -o "$SCRATCH/calls/calls.o")
(cd "$SCRATCH/calls" && ld64.lld-19 -arch arm64 -platform_version ios 16.0 16.0 calls.o "$SCRATCH/libshapes.dylib" -o calls)
llvm-strip-19 "$SCRATCH/calls/calls"
keep calls/calls calls-arm64-stripped

# 32 bits: ld64.lld supports neither armv7 nor i386, but arm64_32 (Apple Watch).
mkdir "$SCRATCH/watch"
image watch/Shapes arm64_32-apple-watchos7.0 arm64_32 watchos 7.0 -g -gdwarf-4
collect "$SCRATCH/watch/Shapes" "$FIXTURES/MachO/arm64_32.dSYM" "$SCRATCH/watch/Shapes.objects"
built "$FIXTURES/MachO/arm64_32.dSYM"

# Object files, as they come from the compiler: DWARF with relocations, no UUID.
shapes_objects "$SCRATCH/armv7" clang -target armv7-apple-ios9.0 -O2 -g -gdwarf-4 -fdebug-compilation-dir=/Users/builder/Shapes
keep armv7/stats.o stats-armv7.object
shapes_objects "$SCRATCH/arm64" clang -target arm64-apple-ios16.0 -O2 -g -gdwarf-5 -fdebug-compilation-dir=/Users/builder/Shapes
keep arm64/shapes.o shapes-arm64.object
