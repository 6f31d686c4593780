#!/usr/bin/env bash
# Prints a record for `symbolicate worker` for each file below a directory, in the order of the paths.
# Any name that is UTF-8 is possible, with newlines too.
#
#   records.sh DIRECTORY > records.ndjson
set -euo pipefail

find "$1" -type f -print0 | LC_ALL=C sort -z |
  jq --raw-input --slurp --compact-output 'split("\u0000")[] | select(. != "") | {id: ., path: .}'
