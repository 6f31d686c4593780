#!/usr/bin/env bash
# Makes the tree that is installed and packaged, from built programs: bin (stripped) and share.
#
#   stage.sh PROGRAMS STAGE [--notices]
#
# PROGRAMS is the folder of symbolicate and symbolicate-fetch. --notices adds the licences of what they
# contain, which go with programs that are passed on.
source "$(dirname "$0")/common.sh"

programs=${1:?usage: stage.sh PROGRAMS STAGE [--notices]}
stage=${2:?usage: stage.sh PROGRAMS STAGE [--notices]}
for program in symbolicate symbolicate-fetch; do
  [ -x "$programs/$program" ] || die "$programs has no $program; run 'make build' first"
done
# Programs for another machine cannot describe themselves: HOST_PROGRAM does it for them.
describer=${HOST_PROGRAM:-$programs/symbolicate}
built=$("$describer" --version)
case "$built " in
  "symbolicate $version "*) ;;
  *) die "$describer is '$built', but Version.swift has $version; run 'make build' first" ;;
esac

rm -rf "$stage"
install -d "$stage/bin" "$stage/share/doc/symbolicate"
for program in symbolicate symbolicate-fetch; do
  install -m 755 "$programs/$program" "$stage/bin/$program"
  if command -v "${STRIP:-strip}" > /dev/null; then
    "${STRIP:-strip}" "$stage/bin/$program"
  else
    echo "stage.sh: strip is not installed, so $program keeps its symbols" >&2
  fi
done

if command -v python3 > /dev/null; then
  "$packaging/man_pages.py" "$describer" "$stage/share/man/man1"
else
  echo "stage.sh: python3 is not installed, so no man pages are made" >&2
fi
completions() {
  install -d "$(dirname "$stage/share/$2")"
  "$describer" --generate-completion-script "$1" > "$stage/share/$2"
}
completions bash bash-completion/completions/symbolicate
completions zsh zsh/site-functions/_symbolicate
completions fish fish/vendor_completions.d/symbolicate.fish

install -m 644 "$root/CHANGELOG.md" "$root/LICENSE" "$stage/share/doc/symbolicate/"
# The doctor names it.
install -m 644 "$root/docs/symbols.md" "$stage/share/doc/symbolicate/"
! command -v python3 > /dev/null || "$packaging/links.py" unlink "$stage/share/doc/symbolicate"
[ "${3:-}" != --notices ] ||
  "$packaging/components.py" notices > "$stage/share/doc/symbolicate/THIRD-PARTY-LICENSES.txt"
