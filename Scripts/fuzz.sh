#!/usr/bin/env bash
# Runs each fuzz target for some time, or on a number of inputs, and keeps the inputs that make it fail.
#
#   fuzz.sh SECONDS [TARGET…]
#   fuzz.sh INPUTSx [TARGET…]      1000x: 1,000 inputs, however long they take
#   fuzz.sh check                  only compiles the driver, against the debug build
#                                  targets: crash-text, ips, object-files, dwarf-tables, dwarf-reader,
#                                  dwarf-files, gsym, breakpad, name-files, names, property-lists, symbol-maps, archives,
#                                  il2cpp-maps, search-indexes, fetch-lines, bundle-records, outputs, worker-lines,
#                                  stream, group-lines
#
# The seeds are the files in Fixtures and, if SYMBOLICATE_CORPUS is set, the files there. Inputs that
# reach new code stay in .build/fuzz/corpus, where the next run starts. A target stops at its first
# failure; the script then exits with status 1. With SEED=1 the same program tries the same inputs in the
# same order, so on INPUTSx a slow machine finds what a fast one finds.
set -euo pipefail
cd "$(dirname "$0")/.."

extent=${1:?usage: fuzz.sh SECONDS|INPUTSx [TARGET…]}
shift
if [ "$extent" = check ]; then
  maps=()
  for map in Sources/*/module.modulemap .build/checkouts/swift-system/Sources/CSystem/include/module.modulemap; do
    maps+=(-Xcc "-fmodule-map-file=$map")
  done
  exec swiftc -typecheck -parse-as-library -swift-version 6 -strict-memory-safety \
    -package-name "$(basename "$PWD" | tr '[:upper:]' '[:lower:]')" \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
    -warnings-as-errors -I .build/debug/Modules "${maps[@]}" Tests/Fuzz/Driver/*.swift
fi
case $extent in
  *x) limit=-runs=${extent%x} ;;
  *) limit=-max_total_time=$extent ;;
esac
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(crash-text ips object-files dwarf-tables dwarf-reader dwarf-files gsym breakpad name-files names property-lists symbol-maps archives il2cpp-maps search-indexes fetch-lines bundle-records outputs worker-lines stream group-lines)

folder=.build/fuzz
program=$folder/release/symbolicate-fuzz
SYMBOLICATE_FUZZ=1 swift build -c release --scratch-path "$folder" --product symbolicate-fuzz

# The seed files for a target, without the kept failures. Larger files make each run slow and reach no
# more code.
reports() {
  find Fixtures ${SYMBOLICATE_CORPUS:+"$SYMBOLICATE_CORPUS/reports"} -type f -size -64k \
    -not -path 'Fixtures/Malformed/*' \( "$@" \) -print0
}
symbol_files() {
  find Fixtures ${SYMBOLICATE_CORPUS:+"$SYMBOLICATE_CORPUS/symbols"} -type f -size -100k \
    -not -path 'Fixtures/Malformed/*' \
    \( -path '*/DWARF/*' -o -name '*.elf' -o -name '*.dylib' -o -name '*.object' -o -name '*.debug' \
      -o -name '*.[oa]' -o -name ledger \) \
    -print0
}
# The same files, each paired with every file beside it that it may refer to: IMAGE:OTHER.
symbol_files_with_others() {
  local image other any
  while read -r -d '' image; do
    any=
    for other in "$(dirname "$image")"/*.{dwo,dwp,sup} "$(dirname "$image")"/shared.debug; do
      [ -f "$other" ] || continue
      any=1
      printf '%s:%s\0' "$image" "$other"
    done
    [ -n "$any" ] || printf '%s\0' "$image"
  done < <(symbol_files)
}
seeds() {
  case $1 in
    crash-text | outputs | stream) reports -name '*.crash' -o -path '*/reports/*' ;;
    ips) reports -name '*.ips' ;;
    object-files | dwarf-tables | dwarf-files) symbol_files ;;
    dwarf-reader) symbol_files_with_others ;;
    gsym) find Fixtures/Malformed/gsym Fixtures/Gsym -type f -not -name '*.py' -not -name '*.sh' -print0 ;;
    breakpad) find Fixtures/Malformed/breakpad Fixtures/Breakpad -type f -not -name '*.py' -not -name '*.sh' -print0 ;;
    name-files) find Fixtures/Malformed/name-files Fixtures/{CoreSymbolication,Learnt} -type f -not -name '*.py' -print0 ;;
    bundle-records) find Fixtures/Malformed/{property-lists,bundle-records} Fixtures -name '*.plist' -type f -print0 ;;
    names | property-lists | symbol-maps | archives | il2cpp-maps | search-indexes | fetch-lines | worker-lines | group-lines) find "Fixtures/Malformed/$1" -type f -print0 ;;
    *) echo "fuzz.sh: unknown target $1" >&2; exit 64 ;;
  esac
}

failed=()
for target in "${targets[@]}"; do
  seed_folder=$folder/seeds/$target
  corpus=$folder/corpus/$target
  failures=$folder/failures/$target
  rm -rf "$seed_folder"
  mkdir -p "$seed_folder" "$corpus" "$failures"
  mapfile -d '' files < <(seeds "$target" | sort -z)
  options=(-timeout=10)
  case $target in
    dwarf-*) options=(-timeout=5 -dict=Tests/Fuzz/dwarf.dict) ;;
    names) options=(-timeout=5 -dict=Tests/Fuzz/names.dict) ;;
  esac
  if [ "$target" = dwarf-tables ] || [ "$target" = dwarf-reader ]; then
    "$program" seeds "$target" "$seed_folder" "${files[@]}"
  else
    for index in "${!files[@]}"; do
      ln -s "$(realpath "${files[$index]}")" "$seed_folder/$index"
    done
  fi
  echo "$target"
  # Swift's own backtraces take long, and the input tells more.
  if ! SWIFT_BACKTRACE=enable=no "$program" "$target" "$limit" "${options[@]}" \
    ${SEED:+-seed="$SEED"} -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 -artifact_prefix="$failures/" \
    "$corpus" "$seed_folder" "Fixtures/Malformed/$target" >"$folder/$target.log" 2>&1
  then
    failed+=("$target")
    grep -aE '^VIOLATION|ERROR: |Test unit written|^ +#[0-9]' "$folder/$target.log" | head -20 || true
    # A machine that is thrown away keeps no file: an input that is short enough is shown here.
    find "$failures" -type f -newer "$seed_folder" -size -4k -printf '%f in base64:\n' -exec base64 {} \; || true
  fi
  grep -aE 'stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb)|^#.* DONE' "$folder/$target.log" || true
done

[ ${#failed[@]} -eq 0 ] && exit 0
cat >&2 <<END
Failed: ${failed[*]}. The inputs are in $folder/failures/TARGET, the logs are $folder/TARGET.log.
To run one again: $program TARGET FILE
Reduce the input by hand, fix the bug, and put the input into Fixtures/Malformed/TARGET: make test runs it
from then on.
END
exit 1
