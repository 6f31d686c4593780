#!/usr/bin/env bash
# Compares the ids of records with those of their answers. Prints each id without an answer, and after
# a tab each id that was answered more often than it was asked. The exit status is 1 if there are any.
#
#   check.sh records.ndjson answers.ndjson
set -euo pipefail

ids() {
  jq --raw-input --compact-output 'try (fromjson | .id) catch null' "$1" | LC_ALL=C sort
}

LC_ALL=C comm -3 <(ids "$1") <(ids "$2") | { ! grep .; }
