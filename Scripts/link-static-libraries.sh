#!/usr/bin/env bash
# Fills a folder with links to the archives of the C libraries, so that a linker that searches it first
# takes those.
#
#   link-static-libraries.sh FOLDER
set -euo pipefail

folder=$1
mkdir -p "$folder"
for library in dwarf elf z zstd lzma stdc++; do
  archive=$(${CC:-clang} -print-file-name="lib$library.a")
  # A name that comes back without a folder was not found.
  case $archive in
    */*) ln -sf "$(realpath "$archive")" "$folder/lib$library.a" ;;
    *)
      echo "lib$library.a is not installed: the program will need lib$library.so where it runs." >&2
      rm -f "$folder/lib$library.a"
      ;;
  esac
done
