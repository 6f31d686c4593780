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
# On GitHub (GITHUB_ACTIONS=true), annotations mark the lines of the repository where reports crashed.
# Nothing that is read is changed: FILE may not be a report, a symbol file or an archive, nor a file in a
# folder that is given, other than an earlier summary. No result takes the place of a report.
# SYMBOLICATE names the program (default: symbolicate). Exit status: 0; 1 if the check failed, a report
# could not be read or written, or --strict found something; 64 for wrong usage.
set -euo pipefail
shopt -s globstar nullglob

program=${SYMBOLICATE:-symbolicate}
release= output=symbolicated strict=()
summary=${GITHUB_STEP_SUMMARY:-} is_own_summary=
patterns=() symbols=()
# A page of GitHub may have 1 MiB; more reports are counted only.
shown_reports=50
# Annotations: GitHub shows ten errors of a step.
workspace=${GITHUB_WORKSPACE:-$PWD}
declare -A annotated=()
shown_annotations=10
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
    --summary) summary=$2 is_own_summary=yes ;;
  esac
  shift 2
done
[ -n "$release" ] || [ ${#patterns[@]} -gt 0 ] || usage "nothing to do: give --check or --reports"
command -v "$program" > /dev/null || usage "the program '$program' is not there"

case $output in -*) output=./$output ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$work/page
failed=0

# Names of files and texts of reports come from strangers, and CI systems take commands from what a step
# prints: `::error::…` at the start of a line, `##[…]` and `##vso[…]` anywhere. Names are never part of a
# command or of a sed script.

# one_line NAME: sets `line` to the name without control characters, line ends among them.
one_line() {
  local LC_ALL=C
  line=${1//[[:cntrl:]]/$'\xef\xbf\xbd'}
}
# What is read, for the log: nothing in it is a command.
logged() { LC_ALL=C sed 's/##/# #/g; s/^\([[:space:]]*\)::/\1: :/'; }
# What is read, as Markdown shows it: nothing in it is markup, or a command.
shown() {
  LC_ALL=C sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/##/\&#35;\&#35;/g; s/^\([[:space:]]*\)::/\1\&#58;\&#58;/'
}
code() {
  local line
  one_line "$1"
  printf '<code>%s</code>' "$(printf '%s\n' "$line" | shown)"
}
block() {
  printf '<pre>\n'
  shown < "$1"
  printf '</pre>\n'
}
# with_name NAME FILE: each line of the file, with the name before it.
with_name() {
  local line name
  one_line "$1"
  name=$line
  while IFS= read -r line || [ -n "$line" ]; do printf '%s: %s\n' "$name" "$line"; done < "$2"
}
# path_of NAME: sets `path` to what a program takes for a path, and for no option or command.
path_of() {
  path=$1
  case $path in -*) path=./$path ;; */*) ;; *) path=./$path ;; esac
}
# target_of PATH: sets `target` to the path in the output folder, without leaving it.
target_of() {
  local rest=$1/ part
  target=$output
  while [ -n "$rest" ]; do
    part=${rest%%/*}
    rest=${rest#*/}
    case $part in '' | . | ..) ;; *) target=$target/$part ;; esac
  done
}

# text_of JSON: sets `text` to the string that the JSON stands for; empty for null.
text_of() {
  text=
  [ "$1" != null ] || return 0
  text=${1#\"}
  text=${text%\"}
  text=${text//\\\"/\"}
  printf -v text %b "$text"
}
# escaped TEXT: sets `text` to what stands for it in a command of GitHub, whatever is in it.
escaped() {
  local line
  one_line "$1"
  line=${line//%/%25}
  line=${line//:/%3A}
  line=${line//,/%2C}
  text=${line//##/# #}
}
# source_of PATH: prints the path of a file of the repository that was at PATH when the app was built. The
# repository may have been in another folder, and the app in a folder of the repository: one of the two
# paths is the end of the other. More than one such file is none.
source_of() {
  if [ ! -e "$work/sources" ]; then
    git -C "$workspace" -c core.quotePath=off ls-files > "$work/sources" 2> /dev/null ||
      (cd "$workspace" && find . -name '.?*' -prune -o -type f -print | sed 's|^\./||') > "$work/sources"
  fi
  BUILT=$1 awk -F/ '
    BEGIN {
      count = split(ENVIRON["BUILT"], parts, "/")
      for (i = 1; i <= count; i++) if (parts[i] != "" && parts[i] != ".") built[++length_] = parts[i]
    }
    $NF == built[length_] {
      same = 0
      while (same < NF && same < length_ && $(NF - same) == built[length_ - same]) same++
      if (same < NF && same < length_) next
      if (same > best) { best = same; file = $0; ties = 0 }
      if (same == best) ties++
    }
    END { if (ties == 1) print file }' "$work/sources"
}
# annotate REPORT: marks the line in the repository where each report of the file crashed.
annotate() {
  local reason function path number text file place message
  # The strings of the JSON have no quotation mark that is not escaped, so the keys are found for certain.
  local string='"(\\.|[^"\\])*"'
  sed -nE 's/,"backtraces":\[.*//
    s/^.*"crash":\{"reason":(null|'"$string"'),.*"frame":\{.*"function":(null|'"$string"'),.*"path":('"$string"'),"line":([1-9][0-9]*),.*/\1\n\3\n\5\n\7/p' \
    "$work/json" > "$work/places"
  while IFS= read -r reason && IFS= read -r function && IFS= read -r path && IFS= read -r number; do
    text_of "$path"
    path=$text
    text_of "$function"
    function=$text
    text_of "$reason"
    message="${text:-crash}${function:+ in $function} ($1)"
    file=$(source_of "$path")
    one_line "${file:-$path}:$number"
    printf '%s\n' "$line" >> "$work/where"
    [ -n "$file" ] || continue
    escaped "$file"
    place="file=$text,line=$number"
    escaped "$message"
    # One annotation for each line.
    [ -z "${annotated["$place"]-}" ] && [ ${#annotated[@]} -lt $shown_annotations ] || continue
    annotated["$place"]=yes
    printf '::error %s,title=Crash::%s\n' "$place" "$text" >&2
  done < "$work/places"
}

check_release() {
  local status=0 path
  path_of "$release"
  "$program" check "$path" "${symbols[@]+"${symbols[@]}"}" > "$work/check" 2> "$work/messages" || status=$?
  cat "$work/check" "$work/messages" | logged >&2
  case $status in
    0) printf '### Symbols: complete\n\n' ;;
    2) printf '### Symbols: incomplete\n\n'; failed=1 ;;
    *) printf '### Symbols: not checked (status %s)\n\n' "$status"; failed=1 ;;
  esac
  # In a block of HTML, so that the name is no Markdown.
  printf '<p>%s</p>\n\n' "$(code "$release")"
  cat "$work/messages" >> "$work/check"
  block "$work/check"
}

find_reports() {
  local pattern matches
  # Names may have spaces: a pattern is not split into words.
  local IFS=
  for pattern in "${patterns[@]+"${patterns[@]}"}"; do
    # shellcheck disable=SC2206
    matches=($pattern)
    reports+=("${matches[@]+"${matches[@]}"}")
  done
}

# refuse PATH: ends the script, because PATH is read.
refuse() {
  local line
  one_line "$1"
  printf '%s\n' "symbolicate-ci.sh: $line is an input and will not be changed; choose another $2" | logged >&2
  exit 64
}
# check_outputs: nothing that is read may be written to. To be called before anything is written.
check_outputs() {
  local report input real folder start=
  if [ -n "$summary" ] && [ -f "$summary" ]; then
    real=$(realpath -- "$summary")
    IFS= read -r start < <(head -c 100 -- "$summary" | tr -d '\000') || true
    for input in "${inputs[@]+"${inputs[@]}"}"; do
      if [ "$summary" -ef "$input" ]; then refuse "$summary" --summary; fi
      # GitHub keeps the page of a step where it likes.
      if [ -z "$is_own_summary" ] || [ ! -d "$input" ]; then continue; fi
      case $start in '' | '### Symbols: '* | '### Crash reports: '*) continue ;; esac
      folder=$(realpath -- "$input")
      case $real in "${folder%/}"/*) refuse "$summary" --summary ;; esac
    done
    for report in "${reports[@]+"${reports[@]}"}"; do
      if [ "$summary" -ef "$report" ]; then refuse "$summary" --summary; fi
    done
  fi
  # Results lie in the output folder as reports lie in the working directory, so one can take the place of
  # any report only if there is something already.
  for input in "${reports[@]+"${reports[@]}"}"; do
    target_of "$input"
    [ -e "$target" ] || continue
    for report in "${reports[@]}"; do
      if [ "$target" -ef "$report" ]; then refuse "$report" --output; fi
    done
  done
}

symbolicate_reports() {
  local report path target status count=0 bad=0
  printf '### Crash reports: %s\n\n' "${#reports[@]}"
  for report in "${reports[@]+"${reports[@]}"}"; do
    if [ ! -f "$report" ]; then continue; fi
    # `index` would be a command.
    path_of "$report"
    report=$path
    target_of "$report"
    mkdir -p -- "${target%/*}"
    status=0
    "$program" "$report" "${symbols[@]+"${symbols[@]}"}" "${strict[@]+"${strict[@]}"}" -o "$target" \
      2> "$work/messages" || status=$?
    with_name "$report" "$work/messages" | logged >&2
    case $status in
      0) ;;
      # Also 2, a frame without symbols, and 3, symbols of another build.
      *) bad=$((bad + 1)) ;;
    esac
    count=$((count + 1))
    [ $count -le $shown_reports ] || continue
    "$program" "$report" "${symbols[@]+"${symbols[@]}"}" --summary > "$work/summary" 2> /dev/null || true
    cat "$work/messages" >> "$work/summary"
    : > "$work/where"
    if [ "${GITHUB_ACTIONS:-}" = true ]; then
      "$program" "$report" "${symbols[@]+"${symbols[@]}"}" --format ndjson > "$work/json" 2> /dev/null || true
      annotate "$report"
    fi
    printf '<details open><summary>%s</summary>\n\n' "$(code "$report")"
    while IFS= read -r path; do printf '<p>at %s</p>\n' "$(code "$path")"; done < "$work/where"
    block "$work/summary"
    printf '\n</details>\n\n'
  done
  [ $count -le $shown_reports ] || printf '<p>And %s more in %s.</p>\n\n' $((count - shown_reports)) "$(code "$output")"
  if [ $bad -gt 0 ]; then
    printf '%s of %s reports were not completed; the log says why.\n' "$bad" "$count"
    failed=1
  fi
}

reports=() inputs=()
[ -z "$release" ] || inputs+=("$release")
for ((i = 1; i < ${#symbols[@]}; i += 2)); do inputs+=("${symbols[i]}"); done
find_reports
check_outputs
{
  [ -z "$release" ] || check_release
  [ ${#patterns[@]} -eq 0 ] || symbolicate_reports
} > "$page"
if [ -n "$summary" ]; then cat "$page" >> "$summary"; else cat "$page"; fi
exit $failed
