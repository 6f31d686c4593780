#!/usr/bin/env bash
# Fills a folder with links to the static C libraries. A linker that searches this folder first uses
# them and not the shared libraries.
#
#   link-static-libraries.sh FOLDER
set -euo pipefail

folder=$1
mkdir -p "$folder"
# nettle, bz2 and lz4 are what libarchive needs.
for library in dwarf elf archive z zstd lzma nettle bz2 lz4 stdc++; do
  archive=$(${CC:-clang} -print-file-name="lib$library.a")
  # The compiler prints the bare name if it does not find the file.
  case $archive in
    */*) ln -sf "$(realpath "$archive")" "$folder/lib$library.a" ;;
    *)
      echo "lib$library.a is not installed: the program will need lib$library.so at run time." >&2
      rm -f "$folder/lib$library.a"
      ;;
  esac
done
