#!/usr/bin/env bash
# The step of action.yml: gets the program and passes the inputs, which are in the environment, on.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
version=$(sed -n 's/^let symbolicateVersion = "\(.*\)"/\1/p' "$here/../../Sources/symbolicate/Version.swift")
name=symbolicate-$version-linux-$(uname -m).tar.gz
programs=$("$here/get-symbolicate.sh" \
  "${TARBALL:-${SERVER:-}/${REPOSITORY:-}/releases/download/v$version/$name}" \
  "$(mktemp -d "${RUNNER_TEMP:-/tmp}/symbolicate.XXXXXX")")
# Later steps of the job can use the programs too.
[ -z "${GITHUB_PATH:-}" ] || echo "$programs" >> "$GITHUB_PATH"

arguments=()
# lines OPTION TEXT: the option for each line that is not empty
lines() {
  local line
  while IFS= read -r line; do
    [ -z "$line" ] || arguments+=("$1" "$line")
  done <<< "$2"
}
lines --check "${CHECK:-}"
lines --reports "${REPORTS:-}"
lines -d "${SYMBOLS:-}"
lines -s "${SEARCH:-}"
lines --output "${OUTPUT:-}"
[ "${STRICT:-}" != true ] || arguments+=(--strict)
SYMBOLICATE=$programs/symbolicate exec "$here/symbolicate-ci.sh" "${arguments[@]}"
