#!/usr/bin/env bash
# Checks that comment lines have at most 100 columns, which swift-format does not do.
set -euo pipefail
cd "$(dirname "$0")/.."

# Columns are characters, not bytes.
export LC_ALL=C.UTF-8
if grep -rnE '^.{101,}$' Sources Tests Package.swift --include='*.swift' | grep -E '^[^:]+:[0-9]+: *//' >&2; then
  echo "Comment lines have at most 100 columns." >&2
  exit 1
fi
