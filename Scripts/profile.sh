#!/usr/bin/env bash
# Which code of the release program runs most, for `make build` to optimise.
#
#   profile.sh count PROFILE OPTION…   builds the program with counters (with these options of
#                                      `swift build`), lets it work on Fixtures and on itself, and
#                                      writes PROFILE: 6 minutes
#   profile.sh data PROFILE DATA       writes PROFILE as the compiler reads it
#
# PROFILE is text: the functions that run often, with how often each of their branches was taken (LLVM's
# instrumentation profile, https://llvm.org/docs/CommandGuide/llvm-profdata.html). Count anew after
# changes to code that runs often: a function that was changed is optimised as if it had no profile.
set -euo pipefail

# Swift's own: the formats belong to a version of LLVM.
profdata=$(dirname "$(realpath "$(command -v swiftc)")")/llvm-profdata
command=$1
profile=$2
shift 2

if [ "$command" = data ]; then
  [ ! -f "$1" ] || exit 0
  # SwiftPM does not compile anew because a profile is another one.
  rm -rf "$(dirname "$1")"/*/release/*.build
  "$profdata" merge "$profile" -o "$1"
  exit
fi

build=.build/profile
counts=$build/counts
program=$build/release/symbolicate
story=Fixtures/LetterShuffle

rm -rf $build/*/release
# The second option links what writes the counts at the end of a run.
swift build --quiet --scratch-path $build -Xswiftc -Xfrontend -Xswiftc -ir-profile-generate \
  -Xswiftc -Xclang-linker -Xswiftc -fprofile-generate "$@" --product symbolicate
rm -rf $counts
mkdir -p $counts
export LLVM_PROFILE_FILE=$counts/%p.profraw

# Workers: stories of 3 KB, .ips of 100 KB, and bare frames. Then addresses for `atos`.
/usr/bin/python3 - "$program" $build <<'PYTHON'
import pathlib
import random
import sys

sys.path.insert(0, "Tests/Benchmarks/Workers")
import inputs

program, folder = map(pathlib.Path, sys.argv[1:])
counts = {"story": 2000, "story, others": 500, "ips": 40, "ips, others": 10, "frames": 500,
          "frames, others": 200}
for kind, count in counts.items():
    inputs.write_records(folder / f"{kind}.ndjson", kind, count, program)
_, code = inputs.elf_text(program)
numbers = random.Random(7)
(folder / "addresses").write_text("".join(f"{numbers.choice(code):#x}\n" for _ in range(20000)))
PYTHON
"$program" index $story "$program" --output $build/indexes > /dev/null
for records in $build/*.ndjson; do
  for output in json report summary; do
    "$program" worker --search $story --index-dir $build/indexes --output $output \
      < "$records" > /dev/null 2>&1
  done
done
# Addresses in a large file with DWARF, without an index and with one.
"$program" atos -o "$program" -i -no-index < $build/addresses > /dev/null
"$program" atos -o "$program" -index-dir $build/indexes < $build/addresses > /dev/null
# Reports of all formats. Some are damaged, so the status is not 0.
for format in report json summary crash; do
  "$program" Fixtures --search $story --format $format > /dev/null 2>&1 || true
done

"$profdata" merge --text $counts/*.profraw -o $build/whole.proftext
/usr/bin/python3 Scripts/prune_profile.py $build/whole.proftext > "$profile"
