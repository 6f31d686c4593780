#!/usr/bin/env bash
# Runs the tests, and the program that they start, under a sanitizer.
#
#   sanitize.sh address|thread [--build | FILTER]
#
# --build only builds. Each sanitizer has a build folder of its own, because everything is built anew
# (10 minutes and more). docs/testing.md says what the sanitizers cannot see here.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:?usage: sanitize.sh address|thread [--build | FILTER]}
filter=${2:-}
case $kind in
  address)
    # What the Swift runtime allocates for types and never frees would be a leak. A program in which
    # a signal handler of Swift runs first reports no address. Allocations that fail return null, as
    # without the sanitizer: the code handles that.
    export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:handle_segv=1
    ;;
  thread)
    export TSAN_OPTIONS="suppressions=$PWD/Scripts/tsan-suppressions.txt:halt_on_error=0:exitcode=66"
    ;;
  *) echo "sanitize.sh: unknown sanitizer: $kind" >&2; exit 64 ;;
esac

folder=.build/$kind
swift build --explicit-target-dependency-import-check error --build-tests --sanitize="$kind" \
  --scratch-path "$folder"
[ "$filter" = --build ] && exit 0
# A crash handler of Swift would replace the sanitizer's.
SWIFT_BACKTRACE=enable=no "$folder/debug/symbolicatePackageTests.xctest" \
  --testing-library swift-testing ${filter:+--filter "$filter"}
