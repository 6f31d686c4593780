#!/usr/bin/env bash
# Builds the programs for aarch64 on an x86_64 machine, with Debian's packages alone.
#
#   aarch64.sh build               .build/aarch64/release: symbolicate and symbolicate-fetch
#   aarch64.sh packages            makes the packages from them, in dist
#   aarch64.sh test [OPTION…]      builds the tests and runs them, with the options of swift-testing
#   aarch64.sh run COMMAND…        runs a command where programs for aarch64 can run
#
# Needs root and debootstrap. The first call downloads Debian sid with its Swift compiler, the C
# libraries for aarch64 and qemu (1.6 GB, from MIRROR or Debian's default archive) to .build/roots;
# SYMBOLICATE_ROOTS is another folder for it. Everything else happens in that system, in which this
# checkout lies at its own path: the compiler runs as it is, and what it makes runs with qemu. The kernel
# starts qemu for such programs if it is told to, here only for the processes of this script; that
# needs Linux 6.7 or newer, or a handler `qemu-aarch64` in /proc/sys/fs/binfmt_misc.
set -euo pipefail

cd "$(dirname "$0")/.."
checkout=$(pwd -P)
system=${SYMBOLICATE_ROOTS:-$checkout/.build/roots}/sid-aarch64
build=.build/aarch64
# The compiler, and the folder that is the root for what it compiles: Swift's libraries for aarch64 are
# there, and links to the other ones.
compiler=/usr/libexec/swift
target=/usr/lib/swift-aarch64

die() {
  echo "aarch64.sh: $*" >&2
  exit 1
}

# Makes the system, if it is not there yet.
prepare() {
  [ ! -f "$system/.complete" ] || return 0
  [ "$(id -u)" = 0 ] || die "run it as root: it uses debootstrap and chroot"
  command -v debootstrap > /dev/null || die "debootstrap is not installed"
  echo "Downloading Debian sid with Swift (1.6 GB) …" >&2
  rm -rf --one-file-system "$system"
  mkdir -p "$system"
  # Without a mirror, debootstrap takes Debian's archive.
  Scripts/quietly.sh debootstrap --variant=minbase sid "$system" ${MIRROR:+"$MIRROR"}
  Scripts/quietly.sh chroot "$system" /usr/bin/env DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -eu -c '
      # A mirror may have an older state of sid.
      echo "Acquire::Check-Valid-Until \"false\";" > /etc/apt/apt.conf.d/01older
      install="apt-get install -y -qq --no-install-recommends"
      dpkg --add-architecture arm64
      apt-get update -qq
      # The compiler, and what makes packages.
      $install swiftlang swiftlang-dev libc6-dev libstdc++-15-dev ca-certificates git make \
        python3 qemu-user binutils binutils-aarch64-linux-gnu llvm dpkg-dev rpm
      # What the programs are made of. The compiler cannot be installed a second time, so the part
      # for the other processor is unpacked beside it.
      $install libc6-dev:arm64 libstdc++-15-dev:arm64 libdwarf-dev:arm64 libelf-dev:arm64 \
        zlib1g-dev:arm64 libzstd-dev:arm64 liblzma-dev:arm64 libarchive-dev:arm64 \
        nettle-dev:arm64 libbz2-dev:arm64 liblz4-dev:arm64 libcurl4-openssl-dev:arm64
      mkdir -p "$0/usr/lib"
      cd "$0"
      ln -s usr/lib lib
      ln -s /usr/include usr
      ln -s /usr/lib/aarch64-linux-gnu /usr/lib/gcc /usr/lib/ld-linux-aarch64.so.1 \
        ../libexec/swift/lib/swift ../libexec/swift/lib/swift_static usr/lib
      apt-get download -qq swiftlang:arm64 libswiftlang:arm64
      # Together: tar wants a member for each pattern, and not every package has one.
      for package in *.deb; do dpkg-deb --fsys-tarfile "$package"; done |
        tar -x --ignore-zeros --wildcards \
          "./usr/libexec/swift/lib/swift*" "./usr/libexec/swift/lib/clang*"
      rm *.deb
      apt-get clean' "$target"
  touch "$system/.complete"
}

# Runs a command in the system, in a namespace of its own: the mounts and the handler end with it.
run() {
  unshare --user --map-root-user --mount bash -eu -c '
    system=$1 checkout=$2
    shift 2
    for folder in /proc /dev /sys; do mount --rbind "$folder" "$system$folder"; done
    mkdir -p "$system$checkout"
    mount --rbind "$checkout" "$system$checkout"
    handlers=$system/proc/sys/fs/binfmt_misc
    if [ ! -e "$handlers/qemu-aarch64" ]; then
      mount -t binfmt_misc binfmt_misc "$handlers"
      # The first bytes of an ELF program for aarch64 and which of their bits count; F: open qemu now,
      # P: pass on the first argument.
      printf %s ":qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00" \
        ":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff" \
        ":$system/usr/bin/qemu-aarch64:PF" > "$handlers/register"
    fi
    exec chroot "$system" "$@"' - "$system" "$checkout" \
    /usr/bin/env -C "$checkout" -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
    PATH="$compiler/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
    CC="clang --target=aarch64-linux-gnu" STRIP=llvm-strip DEB_HOST_ARCH=arm64 \
    SYMBOLICATE_BUILD="$checkout/$build" SYMBOLICATE_BUILD_STAMP="$(Scripts/build-stamp.sh)" \
    SOURCE_DATE_EPOCH="$(Scripts/build-stamp.sh --epoch)" "$@"
}

# Says to `swift build` what it builds for: destination FILE FOLDER, that of the libraries of Swift.
destination() {
  mkdir -p "$build"
  cat > "$1" <<END
{
  "version": 1,
  "target": "aarch64-unknown-linux-gnu",
  "sdk": "$target",
  "toolchain-bin-dir": "$compiler/bin",
  "extra-cc-flags": ["-fPIC"],
  "extra-cpp-flags": [],
  "extra-swiftc-flags": ["-use-ld=lld", "-sdk", "$target",
    "-resource-dir", "$target/usr/libexec/swift/lib/$2"]
}
END
}

command=${1:-}
[ $# -eq 0 ] || shift
prepare
case $command in
  build)
    destination "$build/static.json" swift_static
    # sid's libm has new versions of functions that older systems have too, so it becomes a part of
    # symbolicate-fetch, which then needs glibc 2.38 only.
    mkdir -p "$build/static-math"
    ln -sf /usr/lib/aarch64-linux-gnu/libm.a "$build/static-math/"
    # Debian's compiler may be older than the profile.
    run make build BUILD="$build" PROFILE= \
      TARGET_FLAGS="--destination $build/static.json -Xswiftc -L$build/static-math"
    ;;
  packages)
    run make packages BUILD="$build" PROGRAMS="$build/release"
    ;;
  test)
    destination "$build/dynamic.json" swift
    # The compiler asks for a library that Debian's package lacks. The tests use nothing of it.
    mkdir -p "$build/no-overlay"
    run ar rc "$build/no-overlay/lib_Testing_Foundation.a"
    run swift build --build-tests --explicit-target-dependency-import-check error --jobs "${JOBS:-2}" \
      --scratch-path "$build" --destination "$build/dynamic.json" \
      -Xlinker -L"$build/no-overlay"
    run env LD_LIBRARY_PATH="$target/usr/libexec/swift/lib/swift/linux" SYMBOLICATE_CORPUS= \
      "$build/debug/symbolicatePackageTests.xctest" --testing-library swift-testing "$@"
    ;;
  run) run "$@" ;;
  *)
    sed -n 's/^# \{0,1\}//; 2,6p' "$0" >&2
    exit 64
    ;;
esac
