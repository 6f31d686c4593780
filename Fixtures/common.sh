# Functions for the build scripts of the fixtures. Sourced, not run.
# Everything is built in a scratch folder, with names that do not depend on where that folder is, so every
# build gives the same bytes.

set -euo pipefail
export LC_ALL=C TZ=UTC ZERO_AR_DATE=1
umask 022

FIXTURES=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Names every missing tool and the Debian package that contains it, then stops.
need() {
  local tool missing=0
  for tool in "$@"; do
    command -v "$tool" >/dev/null && continue
    missing=1
    case $tool in
      ld64.lld-19 | ld.lld-19) echo "missing: $tool (Debian package lld-19)" >&2 ;;
      *-19) echo "missing: $tool (Debian package llvm-19)" >&2 ;;
      clang-22 | clang++-22) echo "missing: $tool (Debian package clang-22)" >&2 ;;
      *-22) echo "missing: $tool (Debian package llvm-22)" >&2 ;;
      ld | nm | objcopy | dwp) echo "missing: $tool (Debian package binutils)" >&2 ;;
      swiftc | clang) echo "missing: $tool (the Swift toolchain)" >&2 ;;
      setarch | taskset) echo "missing: $tool (Debian package util-linux)" >&2 ;;
      xz) echo "missing: xz (Debian package xz-utils)" >&2 ;;
      *) echo "missing: $tool (Debian package $tool)" >&2 ;;
    esac
  done
  [ "$missing" = 0 ] || exit 1
}

# Sets $SCRATCH to a new scratch folder, which is removed when the script ends.
scratch() {
  SCRATCH=$(mktemp -d)
  trap 'rm -rf "$SCRATCH"' EXIT
}

# The same, but always in one place: the signature of a precompiled clang module, which is in DWARF as
# DW_AT_GNU_dwo_id, depends on where the module was built (and on where the toolchain is).
fixed_scratch() {
  local place=/tmp/symbolicate-fixtures
  mkdir "$place" || { echo "another build is using $place; if it was killed, remove that folder" >&2; exit 1; }
  SCRATCH=$place
  trap 'rm -rf "$SCRATCH"' EXIT
}

# collect LINKED OUTPUT.dSYM [OBJECTS-FOLDER]: makes the dSYM with dsymutil, without the relocation map (it
# contains the scratch folder's path, and nothing here reads it). Without a folder, the objects are beside
# LINKED. A missing object is an error. The array DSYMUTIL has the command.
DSYMUTIL=(dsymutil-19)
collect() {
  local objects=${3:-$(dirname "$1")} log=$SCRATCH/dsymutil.log
  rm -rf "$2"
  "${DSYMUTIL[@]}" -oso-prepend-path "$(realpath "$objects")" "$1" -o "$2" 2>"$log" || { cat "$log" >&2; exit 1; }
  if grep . "$log" >&2; then exit 1; fi
  rm -rf "$2/Contents/Resources/Relocations"
}

# built PATH: prints what was built.
built() {
  echo "${1#"$FIXTURES"/}"
}

# swift_module NAME FILE...: compiles an embedded-Swift module in the current folder for arm64 iOS, to
# NAME.o and NAME.swiftmodule. The paths in DWARF are in /Users/builder and /Toolchain.
# The array SWIFT_MORE has more options for swiftc.
swift_module() {
  local toolchain
  toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
  swiftc -target arm64-apple-ios18.0 -module-cache-path "$SCRATCH/cache" -enable-experimental-feature Embedded -wmo -parse-as-library -O -g \
    -Xfrontend -disable-stack-protector -I . "${SWIFT_MORE[@]}" \
    -file-compilation-dir /Users/builder \
    -debug-prefix-map "$PWD=/Users/builder" -debug-prefix-map "$toolchain=/Toolchain" \
    -module-name "$1" -emit-module -emit-module-path "$1.swiftmodule" -c "${@:2}" -o "$1.o"
  # dsymutil puts this folder before each path when it looks for the precompiled clang modules.
  mkdir -p Users && ln -sfn .. Users/builder
}
SWIFT_MORE=()

# Compiler options for ELF images: no system headers, no libraries, DWARF for optimised code.
FREESTANDING=(-O2 -g -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables)

# tally_objects FOLDER UNITS COMPILER OPTION...: compiles units of Tally/Sources ("ledger tally") in FOLDER, to
# ledger.o and so on. The sources are copied there, because split DWARF contains the output's name as it
# is given.
tally_objects() {
  local unit
  mkdir -p "$1"
  cp "$FIXTURES"/Tally/Sources/* "$1"
  for unit in $2; do
    (cd "$1" && "${@:3}" "${FREESTANDING[@]}" -fno-exceptions -fno-rtti -fno-pie -c "$unit.cpp" -o "$unit.o" \
      -fdebug-prefix-map="$PWD=/home/builder/tally")
  done
}

# ledger FOLDER COMPILER TARGET ARCH FORMAT OPTION...: the program of DebugMap/Sources: two object files, and
# two archives with one member each, the second in FORMAT ("gnu" or "darwin").
ledger() {
  local unit
  mkdir "$SCRATCH/$1"
  for unit in main.c early.c statement.cpp interest-of-the-year.cpp; do
    (cd "$FIXTURES/DebugMap/Sources" && "$2" -target "$3" "${@:6}" -O2 -g -ffreestanding -fno-stack-protector \
      -fno-exceptions -fno-asynchronous-unwind-tables -fdebug-compilation-dir=/Users/builder/Ledger -c "$unit" \
      -o "$SCRATCH/$1/${unit%.c*}.o")
  done
  cd "$SCRATCH/$1"
  llvm-ar-19 --format=darwin rcD libearly.a early.o
  llvm-ar-19 --format="$5" rcD libinterest.a interest-of-the-year.o
  ld64.lld-19 -arch "$4" -platform_version macos 13.0 13.0 -undefined dynamic_lookup -dead_strip -oso_prefix "$PWD/" \
    -o ledger main.o statement.o libearly.a libinterest.a
}

# The units of the C program in Shapes/Sources, which several scripts build.
SHAPES=(main stats shapes)

# shapes_objects FOLDER COMPILER OPTION...: compiles it to FOLDER/main.o and so on.
shapes_objects() {
  local unit
  mkdir -p "$1"
  for unit in "${SHAPES[@]}"; do
    (cd "$FIXTURES/Shapes/Sources" && "${@:2}" -c "$unit.c" -o "$1/$unit.o")
  done
}

# shapes_macho TARGET ARCH PLATFORM VERSION OUTPUT OPTION...: compiles and links it as a Mach-O
# executable, or as a dylib if OUTPUT ends in .dylib. The options are for the compiler.
shapes_macho() {
  local target=$1 arch=$2 platform=$3 version=$4 output=$5 kind=()
  local objects=$output.objects
  shift 5
  shapes_objects "$objects" clang -target "$target" -O2 -mllvm -hot-cold-split=true \
    -mllvm -hotcoldsplit-threshold=0 -fdebug-compilation-dir=/Users/builder/Shapes "$@"
  [ "${output%.dylib}" = "$output" ] || kind=(-dylib -install_name "@rpath/${output##*/}")
  (cd "$objects" && ld64.lld-19 -arch "$arch" -platform_version "$platform" "$version" "$version" \
    -undefined dynamic_lookup -oso_prefix "$objects/" "${kind[@]}" -o "$output" "${SHAPES[@]/%/.o}" 2>lld.log) ||
    { cat "$objects/lld.log" >&2; exit 1; }
}
