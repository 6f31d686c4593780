#!/usr/bin/env bash
# Runs `swift test`, then repeats what failed: nobody finds it among thousands of lines.
#
#   run-tests.sh OPTION…      options of `swift test`
set -uo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT
swift test "$@" 2>&1 | tee "$log"
status=$?
if [ $status -ne 0 ]; then
  echo
  echo "What failed:"
  grep -E -A 4 '✘ Test .* recorded an issue|error:|Fatal error|unexpected signal' "$log" | grep -v '^◇' | head -200
fi
exit $status
