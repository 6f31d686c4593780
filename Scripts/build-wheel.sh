#!/usr/bin/env bash
# Builds the wheel of the Python package, with the program in it, twice: the bytes must be the same.
# Then installs it in a fresh environment, with no other program at hand, and asks it something.
#
#   build-wheel.sh PROGRAM FOLDER      the wheel goes to FOLDER; its path is printed
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
program=$1
folder=$2
environment=$here/.build/python
quietly=$here/Scripts/quietly.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$here/Scripts/python-venv.sh" "$environment" "$here/python/requirements-dev.txt"
install -s -m 755 "$program" "$work/symbolicate"
# All times in the archive are that of the commit.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || echo 0)}
[ "$SOURCE_DATE_EPOCH" -ge 315532800 ] || SOURCE_DATE_EPOCH=315532800 # A zip begins in 1980.
export SOURCE_DATE_EPOCH SYMBOLICATE_WHEEL_PROGRAM=$work/symbolicate
for run in first second; do
  "$quietly" "$environment/bin/python" -m build --wheel --no-isolation --outdir "$work/$run" \
    "$here/python"
done
wheel=$(cd "$work/first" && echo symbolicate-*.whl)
cmp "$work/first/$wheel" "$work/second/$wheel"
# What is tagged for all Linux systems from 2014 on must run there: on no newer ones alone.
"$environment/bin/python" -m auditwheel show --json "$work/first/$wheel" 2> /dev/null |
  grep -Eq '"overall_tag": "manylinux_2_(5|12|17)_' || {
  echo "$wheel needs newer systems than its tags say" >&2
  exit 1
}

/usr/bin/python3 -m venv "$work/fresh"
"$quietly" "$work/fresh/bin/pip" install --no-index --no-cache-dir "$work/first/$wheel"
env -i "$work/fresh/bin/symbolicate" --version > "$work/version"
env -i "$work/fresh/bin/python" -I - "$here/Fixtures/LetterShuffle" <<'END'
import pathlib, sys, symbolicate
story = pathlib.Path(sys.argv[1])
with symbolicate.Symbolicator(search=[story]) as symbolicator:
    answer = symbolicator.symbolicate((story / "letter-shuffle.crash").read_bytes())
assert symbolicate.program() == f"{sys.prefix}/bin/symbolicate", symbolicate.program()
crashed = symbolicate.open(story / "letter-shuffle.crash", [story]).crashed
assert crashed.frames[1].line == 18, crashed
assert answer["reports"][0]["crash"]["frame"]["line"] == 18, answer
END
install -d "$folder"
cp "$work/first/$wheel" "$folder/"
echo "$folder/$wheel"
