#!/bin/bash
# Lets the programs crash and keeps what the Swift runtime prints, in Reports. Not part of `make fixtures`:
# the addresses of libraries, the registers and the times are those of one run on one machine.
# Run it as root, on Linux with the Swift toolchain. The programs are put into /srv/crash, and their sources,
# which the format for people shows, into /home/builder/crash. See ../README.md.
. "$(dirname "$0")/../common.sh"
need swiftc setarch

HERE=$FIXTURES/SwiftBacktrace
PLACE=/srv/crash
SOURCES=/home/builder/crash
LIBRARIES=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")/lib/swift/linux
mkdir -p "$PLACE" "$SOURCES" "$HERE/Reports"
trap 'rm -rf "$PLACE" "$SOURCES"' EXIT
cp "$HERE"/Sources/*.swift "$SOURCES"
for program in bank workers ladder; do install "$HERE/$program.elf" "$PLACE/$program"; done

# record REPORT PROGRAM SETTINGS
record() {
  (cd "$PLACE" && LD_LIBRARY_PATH=$LIBRARIES setarch -R env -u SWIFT_ROOT \
    "SWIFT_BACKTRACE=enable=yes,interactive=no,color=no,sanitize=no,$3" "./$2" 2>&1 || true) \
    | grep -v '^swift-runtime: failed to suspend thread' >"$HERE/Reports/$1"
  built "$HERE/Reports/$1"
}

crashed=preset=full,threads=crashed,registers=none
for program in bank ladder; do
  for mode in off full; do
    record "$program-$mode.log" "$program" "$crashed,images=mentioned,limit=12,top=4,symbolicate=$mode"
  done
done
record bank-fast.log bank "$crashed,images=mentioned,symbolicate=fast"
record bank-no-images.log bank "$crashed,images=none,symbolicate=off"
record ladder-colour.log ladder "$crashed,images=all,limit=12,top=4,symbolicate=off,color=yes"
record bank-friendly.log bank "preset=friendly,color=yes"
record bank-medium.log bank "preset=medium"
for mode in off full; do
  record "workers-$mode.log" workers "preset=full,registers=all,images=all,symbolicate=$mode"
  record "bank-$mode.json" bank "$crashed,images=mentioned,format=json,symbolicate=$mode"
done
