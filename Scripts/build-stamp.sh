#!/usr/bin/env bash
# Prints the commit and its date for `--version`: "4e1695a4b2c1, 2026-11-23", with "modified" between
# them if the checkout has changes. Prints nothing if this folder is not a git checkout.
#
#   build-stamp.sh [--epoch]      --epoch: the time of the commit in seconds instead
set -euo pipefail
cd "$(dirname "$0")/.."

# Sources that lie inside another checkout have no commit of their own.
top=$(git rev-parse --show-toplevel 2>/dev/null) || exit 0
[ "$top" = "$(pwd -P)" ] || exit 0

if [ "${1:-}" = --epoch ]; then
  git show -s --format=%ct HEAD
  exit
fi
modified=
[ -z "$(git --no-optional-locks status --porcelain --untracked-files=no)" ] || modified=", modified"
date=$(TZ=UTC git show -s --date=format-local:%Y-%m-%d --format=%cd HEAD)
printf '%s%s, %s\n' "$(git rev-parse --short=12 HEAD)" "$modified" "$date"
