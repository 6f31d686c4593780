#!/usr/bin/env bash
# Runs the benchmarks in Tests/Benchmarks.
#
#   bench.sh [options of `swift package benchmark`, such as --filter 'Report.*']
set -euo pipefail
cd "$(dirname "$0")/.."

# The versions of the benchmark package and its dependencies are noted in a list that every build would
# fetch: the list is put back.
saved=$(mktemp)
if [ -f Package.resolved ]; then cp Package.resolved "$saved"; else rm "$saved"; fi
restore() {
  if [ -f "$saved" ]; then mv "$saved" Package.resolved; else rm -f Package.resolved; fi
}
trap restore EXIT

# The benchmarks are started by a plugin of that package, which builds them first.
# One arena of malloc: the memory is measured anew each time, which needs that all free memory can be given
# back to the system.
MALLOC_ARENA_MAX=1 SYMBOLICATE_BENCHMARKS=1 swift package --scratch-path .build/benchmarks --disable-sandbox \
  benchmark --target SymbolicateBenchmarks --no-progress "$@"
