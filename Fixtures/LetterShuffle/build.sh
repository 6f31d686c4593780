#!/bin/bash
# Builds `Letter Shuffle.app.dSYM`, the symbol file of letter-shuffle.crash. See README.md.
. "$(dirname "$0")/../common.sh"
need clang ld64.lld-19 dsymutil-19 llvm-objdump-19 llvm-otool-19 python3 sed
scratch

HERE=$FIXTURES/LetterShuffle
UUID=a4b1de49-70b3-301d-a644-58d6bc22f513     # the report's "Binary Images", not its slice_uuid
HOME_OF_SOURCES="/Users/builder/Letter Shuffle"
TARGET=(-target arm64-apple-ios12.0)
C=("${TARGET[@]}" -O1 -fno-inline -fno-optimize-sibling-calls -Wno-gnu-line-marker
   -fdebug-compilation-dir="$HOME_OF_SOURCES")

# swift_unit NAME: compiles Sources/NAME.c as if it were NAME.swift. The functions of these files
# have Swift's linkage names and line numbers already; this sets the language, the unit's name
# and the linkage names without the leading underscore, which is how Swift writes them in DWARF.
swift_unit() {
  (cd "$HERE/Sources" && clang "${C[@]}" -g -gdwarf-4 -S -emit-llvm "$1.c" -o "$SCRATCH/$1.c.ll")
  sed -e "s/filename: \"$1\\.c\"/filename: \"$1.swift\"/" \
      -e 's/language: DW_LANG_C[0-9]*/language: DW_LANG_Swift/' \
      -e 's/linkageName: "\\01_/linkageName: "/' "$SCRATCH/$1.c.ll" >"$SCRATCH/$1.ll"
  clang "${TARGET[@]}" -O1 -Xclang -disable-llvm-passes -Wno-override-module -c "$SCRATCH/$1.ll" -o "$SCRATCH/$1.o"
}

c_unit() {
  (cd "$HERE/Sources" && clang "${C[@]}" "${@:2}" -c "$1.c" -o "$SCRATCH/$1.o")
}

for unit in AppDelegate GameViewController GameData GameRound; do swift_unit "$unit"; done
c_unit WordList -g -gdwarf-4
c_unit TileView

cd "$SCRATCH"
clang "${TARGET[@]}" -c "$HERE/Sources/image.s" -o image.o
objects=(AppDelegate.o GameViewController.o GameData.o GameRound.o WordList.o TileView.o image.o)
python3 "$HERE/layout.py" "$HERE/layout.txt" . "${objects[@]}"
clang "${TARGET[@]}" -c filler.s -o filler.o
ld64.lld-19 -arch arm64 -platform_version ios 12.0 12.4 -undefined dynamic_lookup \
  -order_file order.txt -oso_prefix "$SCRATCH/" -o "Letter Shuffle" filler.o "${objects[@]}"
python3 "$HERE/layout.py" --check "$HERE/layout.txt" "Letter Shuffle"
python3 "$FIXTURES/Tools/set_identity.py" "Letter Shuffle" --uuid "$UUID"
collect "Letter Shuffle" "$HERE/Letter Shuffle.app.dSYM"
built "$HERE/Letter Shuffle.app.dSYM"
