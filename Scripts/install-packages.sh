#!/usr/bin/env bash
# Installs the system packages that a task needs and that are missing.
#
#   install-packages.sh TASK…      program, build, test, referee, fixtures, bench-peers, bench-inputs,
#                                  bench-scaling, bench-start-up, growth, release, test-packaging, test-packages,
#                                  try-packages, check-page, python, examples, spark
#
# On Debian and Ubuntu it uses apt-get (through sudo, unless it runs as root) and prints apt-get's
# output only if that fails. On other systems it prints what is needed and succeeds: the libraries
# may be installed under other package names.
set -euo pipefail

quietly=$(dirname "$0")/quietly.sh

packages_for() {
  case $1 in
    # The debug program.
    program)
      echo libdwarf-dev libelf-dev zlib1g-dev libzstd-dev liblzma-dev libarchive-dev libbz2-dev
      ;;
    # libarchive needs nettle-dev and liblz4-dev in the static program. Only symbolicate-fetch uses
    # libcurl. Python writes the man pages.
    build)
      packages_for program
      echo nettle-dev liblz4-dev libcurl4-openssl-dev python3
      ;;
    # The tests compare answers with those of llvm's tools, check JSON against
    # docs/report.schema.json with jsonschema, make archives with zip, tar and compressors, and
    # download from a debuginfod and a file server on this machine. strace makes calls of the system
    # fail, and cmark-gfm reads Markdown as GitHub does. Debian 12's default llvm (14) is too old.
    test) echo llvm-19 python3-jsonschema zip zstd xz-utils bzip2 debuginfod libdebuginfod1 strace cmark-gfm ;;
    # Debug files to compare answers for. python3-dbg depends on those of the release's Python
    # (python3.11-dbg in Debian 12).
    referee) echo libc6-dbg python3-dbg ;;
    # The tools that the program is compared with. `symbolic` is only on PyPI.
    bench-peers) echo elfutils binutils llvm-19 python3 ;;
    # It draws the plots.
    bench-scaling) echo python3 python3-matplotlib ;;
    growth) echo python3 ;;
    # They count with valgrind.
    profile) echo python3 valgrind binutils ;;
    bench-start-up) echo python3 valgrind binutils ;;
    check-page) echo chromium python3 python3-html5lib cmark-gfm ;;
    # The packages: dpkg-deb, dpkg-shlibdeps, rpmbuild.
    release) echo dpkg-dev binutils rpm python3 ;;
    test-packaging) echo python3 binutils man-db mandoc bash-completion zsh fish ;;
    # What reads the packages back.
    test-packages) echo lintian skopeo ;;
    # Roots of other distributions, and what tries completions there.
    try-packages) echo debootstrap rpm python3 ;;
    # pip and what it installs come from PyPI.
    python) echo python3-venv ;;
    examples) echo parallel jq ;;
    # Spark runs on Java 17 or newer, without a screen.
    spark) echo default-jre-headless ;;
    bench-inputs) echo lld-19 llvm-19 python3 ;;
    fixtures) echo lld-19 llvm-19 clang-22 llvm-22 gcc g++ binutils dwz python3 xz-utils ;;
    *) echo "install-packages.sh: unknown task: $1" >&2; exit 64 ;;
  esac
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

if ! command -v swift >/dev/null; then
  echo "swift is not on your PATH. Install Swift 6.2 or newer: https://www.swift.org/install" >&2
  exit 1
fi

wanted=()
for task in "$@"; do
  read -ra packages <<<"$(packages_for "$task" | tr '\n' ' ')"
  wanted+=("${packages[@]}")
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "This system is not Debian or Ubuntu. Make sure that these packages are installed" \
    "(the names are Debian's): ${wanted[*]}" >&2
  exit 0
fi

missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=(env DEBIAN_FRONTEND=noninteractive)
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Install these packages as root, then try again: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  # sudo does not pass on the environment.
  as_root=(sudo DEBIAN_FRONTEND=noninteractive)
  # Asks for a password, if one is needed, before output is hidden.
  sudo -n true 2>/dev/null || sudo -v
fi
echo "Installing ${missing[*]}" >&2
install=("${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}")
"${install[@]}" &>/dev/null </dev/null && exit 0
# Package lists are missing or out of date. If one of them cannot be fetched, the packages may still be
# in another, so only the installation decides.
"$quietly" "${as_root[@]}" apt-get update -qq || true
"$quietly" "${install[@]}"
