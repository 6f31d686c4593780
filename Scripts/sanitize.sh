#!/usr/bin/env bash
# Runs the tests, and the program that they start, under a sanitizer.
#
#   sanitize.sh address|thread [--build | FILTER]
#
# --build only builds. Each sanitizer has a build folder of its own, because everything is built anew.
# docs/testing.md says what the sanitizers cannot see here.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:?usage: sanitize.sh address|thread [--build | FILTER]}
filter=${2:-}
case $kind in address | thread) ;; *) echo "sanitize.sh: unknown sanitizer: $kind" >&2; exit 64 ;; esac

folder=.build/$kind
swift build --explicit-target-dependency-import-check error --build-tests --sanitize="$kind" \
  --scratch-path "$folder"
[ "$filter" = --build ] && exit 0

if [ "$kind" = address ]; then
  # The Swift runtime never frees what it allocates for types: those would be leaks. An allocation
  # that fails returns null, as without the sanitizer.
  export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
else
  clang -O1 -fPIC -shared Tests/Sanitizers/visible_mutex.c -o "$folder/libvisible_mutex.so"
  export LD_PRELOAD=$PWD/$folder/libvisible_mutex.so TSAN_OPTIONS=exitcode=66
fi
# FaultTests let calls of the system fail, limit the size of files and cut mapped files: the sanitizer
# itself does not survive that. aBombIsNotUnpacked limits the address space, which a sanitizer fills.
#
# A crash handler of Swift would replace the sanitizer's.
SWIFT_BACKTRACE=enable=no "$folder/debug/symbolicatePackageTests.xctest" \
  --testing-library swift-testing --skip FaultTests --skip aBombIsNotUnpacked ${filter:+--filter "$filter"}
