#!/usr/bin/env bash
# Compares every import between the project's targets with the table of who may import whom. The
# compiler lets through what a target can reach by way of another; this does not.
set -euo pipefail
cd "$(dirname "$0")/.."

# TARGET: the targets it may import. A target that is not listed may import none of them.
allowed() {
  case $1 in
    symbolicate) echo SymbolicationModel ReportSymbolication ;;
    ReportSymbolication) echo SymbolicationModel CrashLogParser SymbolStore AddressResolver ;;
    SymbolStore) echo SymbolicationModel ObjectFiles Decompression ;;
    AddressResolver) echo SymbolicationModel ObjectFiles DwarfReader LibDwarfReader SymbolIndex Demangling ;;
    ObjectFiles) echo SymbolicationModel BinaryInput Decompression CLibElf ;;
    LibDwarfReader) echo SymbolicationModel BinaryInput DwarfReader CLibDwarf ;;
    DwarfReader | SymbolIndex) echo SymbolicationModel BinaryInput ;;
    Decompression) echo SymbolicationModel CZlib CZstd CLzma ;;
    Demangling) echo SymbolicationModel CDemangle ;;
    CrashLogParser | BinaryInput) echo SymbolicationModel ;;
  esac
}

targets=" $(ls Sources | tr '\n' ' ')"
status=0
while IFS=: read -r file line; do
  target=$(cut -d/ -f2 <<<"$file")
  # `package import struct Module.Type` and the like: the module is the part before the first dot.
  module=$(sed -E 's/^.*import +((struct|class|enum|protocol|func|typealias|let|var) +)?([A-Za-z_0-9]+).*/\3/' <<<"$line")
  case $targets in *" $module "*) ;; *) continue ;; esac
  case " $(allowed "$target") " in
    *" $module "*) ;;
    *)
      echo "$file: $target may not import $module" >&2
      status=1
      ;;
  esac
done < <(grep -rE '^ *(@[a-zA-Z_()]+ +)*((public|package|internal|fileprivate|private) +)?import ' Sources --include='*.swift' || true)

if grep -rnE '^ *((public|package|internal) +)?import Foundation' Sources --include='*.swift' >&2; then
  echo "Foundation is not imported in Sources: it costs start-up time." >&2
  status=1
fi
exit $status
