#!/usr/bin/env bash
# Checks a release, symbolicates the crash reports of a CI run, and writes a summary of both.
#
#   symbolicate-ci.sh [--check RELEASE] [--reports PATTERN]… [-d SYMBOLS]… [-s DIRECTORY]…
#                     [--output FOLDER] [--summary FILE] [--strict]
#
#   --check RELEASE     an .xcarchive, .ipa, app or folder: each image must have its dSYM
#   --reports PATTERN   crash reports, such as 'crashes/**/*.ips'; no match is no error
#   --output FOLDER     where symbolicated reports go (default: symbolicated)
#   --summary FILE      Markdown is added to this file (default: $GITHUB_STEP_SUMMARY, or standard output)
#   --strict            fail if a frame of the app is unresolved
#
# SYMBOLICATE names the program (default: symbolicate). Exit status: 0; 1 if the check failed, a report
# could not be read or written, or --strict found something; 64 for wrong usage.
set -euo pipefail
shopt -s globstar nullglob

program=${SYMBOLICATE:-symbolicate}
release= output=symbolicated strict=()
summary=${GITHUB_STEP_SUMMARY:-}
patterns=() symbols=()
# A page of GitHub may have 1 MiB; more reports are counted only.
shown_reports=50
# What is written goes into Markdown, even if the CI system forces colours.
export NO_COLOR=1

usage() {
  echo "symbolicate-ci.sh: $*; see the first lines of the script" >&2
  exit 64
}

while [ $# -gt 0 ]; do
  case $1 in
    --strict) strict=(--strict); shift; continue ;;
    --check | --reports | -d | -s | --output | --summary) [ $# -gt 1 ] || usage "$1 needs a value" ;;
    *) usage "unknown option '$1'" ;;
  esac
  case $1 in
    --check) release=$2 ;;
    --reports) patterns+=("$2") ;;
    -d | -s) symbols+=("$1" "$2") ;;
    --output) output=$2 ;;
    --summary) summary=$2 ;;
  esac
  shift 2
done
[ -n "$release" ] || [ ${#patterns[@]} -gt 0 ] || usage "nothing to do: give --check or --reports"
command -v "$program" > /dev/null || usage "the program '$program' is not there"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$work/page
failed=0

# Text from reports as Markdown shows it: nothing in it is markup.
shown() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$1"; }
block() {
  printf '<pre>\n'
  shown "$1"
  printf '</pre>\n'
}

check_release() {
  local status=0
  "$program" check "$release" "${symbols[@]+"${symbols[@]}"}" > "$work/check" 2> "$work/messages" || status=$?
  cat "$work/check" "$work/messages" >&2
  printf '%s' "$release" > "$work/name"
  case $status in
    0) printf '### Symbols: complete\n\n' ;;
    2) printf '### Symbols: incomplete\n\n'; failed=1 ;;
    *) printf '### Symbols: not checked (status %s)\n\n' "$status"; failed=1 ;;
  esac
  printf '<code>%s</code>\n\n' "$(shown "$work/name")"
  cat "$work/messages" >> "$work/check"
  block "$work/check"
}

symbolicate_reports() {
  local reports=() pattern report matches target status count=0 bad=0
  # Names may have spaces: a pattern is not split into words.
  local IFS=
  for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2206
    matches=($pattern)
    reports+=("${matches[@]+"${matches[@]}"}")
  done
  printf '### Crash reports: %s\n\n' "${#reports[@]}"
  for report in "${reports[@]+"${reports[@]}"}"; do
    if [ ! -f "$report" ]; then continue; fi
    # `index` would be a command.
    case $report in */*) ;; *) report=./$report ;; esac
    target=${report#./}
    target=$output/${target//..\//}
    target=${target//\/\//\/}
    mkdir -p "$(dirname "$target")"
    status=0
    "$program" "$report" "${symbols[@]+"${symbols[@]}"}" "${strict[@]+"${strict[@]}"}" -o "$target" \
      2> "$work/messages" || status=$?
    sed "s|^|$(printf '%s' "$report" | sed 's/[|\\&]/\\&/g'): |" "$work/messages" >&2
    case $status in
      0) ;;
      # Also 2, a frame without symbols, and 3, symbols of another build.
      *) bad=$((bad + 1)) ;;
    esac
    count=$((count + 1))
    [ $count -le $shown_reports ] || continue
    "$program" "$report" "${symbols[@]+"${symbols[@]}"}" --summary > "$work/summary" 2> /dev/null || true
    cat "$work/messages" >> "$work/summary"
    printf '%s' "$report" > "$work/name"
    printf '<details open><summary><code>%s</code></summary>\n\n' "$(shown "$work/name")"
    block "$work/summary"
    printf '\n</details>\n\n'
  done
  [ $count -le $shown_reports ] || printf 'And %s more in `%s`.\n' $((count - shown_reports)) "$output"
  if [ $bad -gt 0 ]; then
    printf '%s of %s reports were not completed; the log says why.\n' "$bad" "$count"
    failed=1
  fi
}

{
  [ -z "$release" ] || check_release
  [ ${#patterns[@]} -eq 0 ] || symbolicate_reports
} > "$page"
if [ -n "$summary" ]; then cat "$page" >> "$summary"; else cat "$page"; fi
exit $failed
