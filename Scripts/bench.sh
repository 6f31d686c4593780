#!/usr/bin/env bash
# Runs the benchmarks in Tests/Benchmarks.
#
#   bench.sh [options of `swift package benchmark`, such as --filter 'Report.*']
set -euo pipefail
cd "$(dirname "$0")/.."

# The benchmark package adds itself and its dependencies to Package.resolved, and every later build
# would fetch them. So the file is restored at the end.
saved=$(mktemp)
if [ -f Package.resolved ]; then cp Package.resolved "$saved"; else rm "$saved"; fi
restore() {
  if [ -f "$saved" ]; then mv "$saved" Package.resolved; else rm -f Package.resolved; fi
}
trap restore EXIT

# A plugin of that package builds and starts the benchmarks.
# With one malloc arena all free memory can be returned to the system, so each measurement of memory
# starts anew.
MALLOC_ARENA_MAX=1 SYMBOLICATE_BENCHMARKS=1 swift package --scratch-path .build/benchmarks --disable-sandbox \
  benchmark --target SymbolicateBenchmarks --no-progress "$@"
