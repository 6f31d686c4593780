#!/usr/bin/env bash
# The reducer of a Hadoop Streaming job: reads the lines of mapper.sh, sorted, and prints a line of
# `symbolicate group --format ndjson` for each signature. Lines with the key `-`, which a sort by bytes
# puts before those with a signature, are passed on. Memory grows with the number of signatures only.
set -euo pipefail

# The shell reads a byte at a time from a pipe, so the lines after the first others are still there.
while IFS= read -r line; do
  if [[ $line == -$'\t'* ]]; then
    printf '%s\n' "$line"
  else
    { printf '%s\n' "$line"; cat; } | cut -f 2- | symbolicate group --quiet --format ndjson -
    break
  fi
done
