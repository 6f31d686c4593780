#!/usr/bin/env bash
# The reducer of a Hadoop Streaming job: reads the lines of mapper.sh, sorted, and prints a line for
# each signature: `hash TAB count TAB signature`. Memory does not grow with the number of lines.
set -euo pipefail

awk -F '\t' '
  function show() { if (count) print key "\t" count "\t" value }
  $1 != key { show(); key = $1; value = $2; count = 0 }
  { count++ }
  END { show() }'
