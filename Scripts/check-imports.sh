#!/usr/bin/env bash
# Checks every import between the project's targets against the table below. The compiler also accepts
# a module that a target reaches only through another one; this script does not.
set -euo pipefail
cd "$(dirname "$0")/.."

# TARGET: the targets that it may import. A target that is not listed may import none.
allowed() {
  case $1 in
    symbolicate) echo SymbolicationModel FileSystem ReportSymbolication CBuildStamp ;;
    Symbolication) echo SymbolicationModel CrashLogParser ReportSymbolication ;;
    ReportSymbolication) echo SymbolicationModel FileSystem PropertyLists Decompression CrashLogParser SymbolStore AddressResolver Demangling FetchProtocol ;;
    SymbolStore) echo SymbolicationModel FileSystem BinaryInput Decompression Archives ObjectFiles PropertyLists SymbolIndex FetchProtocol ;;
    symbolicate-fetch) echo FetchProtocol FileSystem CLibCurl ;;
    AddressResolver) echo SymbolicationModel ObjectFiles DwarfReader LibDwarfReader SymbolIndex BreakpadSymbols Demangling SymbolStore ;;
    ObjectFiles) echo SymbolicationModel FileSystem BinaryInput Decompression CLibElf ;;
    LibDwarfReader) echo SymbolicationModel BinaryInput DwarfReader CLibDwarf ;;
    DwarfReader | SymbolIndex | BreakpadSymbols | PropertyLists) echo SymbolicationModel BinaryInput ;;
    Archives) echo SymbolicationModel FileSystem BinaryInput CLibArchive ;;
    Decompression) echo SymbolicationModel CZlib CZstd CLzma CBzip2 ;;
    Demangling) echo SymbolicationModel CDemangle ;;
    BinaryInput) echo SymbolicationModel FileSystem ;;
    CrashLogParser) echo SymbolicationModel JsonReading ReportModel ReportFormats SampledReports RuntimeReports SdkReports ;;
    SampledReports | RuntimeReports | SdkReports) echo SymbolicationModel JsonReading ReportModel ReportFormats ;;
    ReportFormats) echo SymbolicationModel JsonReading ReportModel ;;
    ReportModel) echo SymbolicationModel JsonReading ;;
    JsonReading) echo SymbolicationModel ;;
    SymbolicationModel) echo CMalloc ;;
    FileSystem) echo CMemoryFile ;;
  esac
}

targets=" $(ls Sources | tr '\n' ' ')"
status=0
while IFS=: read -r file line; do
  target=$(cut -d/ -f2 <<<"$file")
  # In `package import struct Module.Type` the module is the part before the first dot.
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
  echo "Sources must not import Foundation: it makes the program start slowly." >&2
  status=1
fi

# What it reads comes opened from SymbolStore, so that every place of a file is in one list.
if grep -rnE 'ObjectContainer\.|openElf|openMachO|Archive\.open|IndexFile\.open' Sources/AddressResolver >&2; then
  echo "AddressResolver opens no files: it asks SymbolStore for them." >&2
  status=1
fi
exit $status
