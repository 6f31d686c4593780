#!/usr/bin/env bash
# Runs a command and prints its output only if it fails. Exits with the command's status.
#
#   quietly.sh COMMAND…
set -uo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" >"$log" 2>&1 </dev/null
status=$?
[ $status -eq 0 ] || cat "$log" >&2
exit $status
