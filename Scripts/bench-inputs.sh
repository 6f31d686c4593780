#!/usr/bin/env bash
# Makes the large symbol files for `make bench-peers` in .build/bench-inputs. Files that exist are kept.
#
#   bench-inputs.sh [kernel] [swift]      without arguments: both
#
# kernel      the kernel of Debian's cloud images with debug information, from its package (amd64)
# kernel.dSYM the same debug information as a dSYM
# swift.dSYM  a large program of generated Swift
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$PWD/.build/bench-inputs
generators=$PWD/Tests/Benchmarks/Inputs
mkdir -p "$folder"

# The newest package of the kernel version that the published figures are for, else apt's newest.
kernel_package() {
  local names
  names=$(apt-cache --names-only search '^linux-image-[0-9].*-cloud-amd64-dbg$' | cut -d' ' -f1 | sort -V)
  { grep '^linux-image-6\.1\.' <<<"$names" || grep . <<<"$names"; } | tail -n 1
}

kernel() {
  [ -e "$folder/kernel" ] || fetch_kernel
  [ -e "$folder/kernel.dSYM" ] || python3 "$generators/elf_to_dsym.py" "$folder/kernel" "$folder/kernel.dSYM"
}

fetch_kernel() {
  command -v apt-get >/dev/null || { echo "bench-inputs.sh: skipping the kernel: apt-get is not installed" >&2; return; }
  local package
  package=$(kernel_package)
  [ -n "$package" ] || { echo "bench-inputs.sh: apt has no linux-image-…-cloud-amd64-dbg; try apt-get update" >&2; return 1; }
  echo "Fetching $package (about 0.3 GB)" >&2
  rm -rf "$folder/download"
  mkdir "$folder/download"
  (
    cd "$folder/download"
    apt-get download -q "$package" >&2
    # The package also holds all modules; only this file is needed.
    dpkg-deb --fsys-tarfile ./*.deb | tar -x --wildcards --transform 's,.*/,,' './usr/lib/debug/boot/vmlinux-*'
    mv vmlinux-* ../kernel
  )
  rm -rf "$folder/download"
}

swift_dsym() {
  [ -e "$folder/swift.dSYM" ] || python3 "$generators/swift_modules.py" "$folder"
}

[ $# -gt 0 ] || set -- kernel swift
for input in "$@"; do
  case $input in
    kernel) kernel ;;
    swift) swift_dsym ;;
    *) echo "bench-inputs.sh: unknown input: $input" >&2; exit 64 ;;
  esac
done
