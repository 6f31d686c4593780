#!/usr/bin/env bash
# Installs the system packages that a purpose needs and that are not there yet.
#
#   install-packages.sh PURPOSE…      build, test, referee, fixtures, bench-peers, bench-inputs
#
# On Debian and Ubuntu it uses apt-get, through sudo where it is not run by root. Elsewhere it says what
# is needed and goes on: the libraries may be there under other package names.
set -euo pipefail

packages_for() {
  case $1 in
    build) echo libdwarf-dev libelf-dev zlib1g-dev libzstd-dev liblzma-dev ;;
    # llvm: llvm-symbolizer and llvm-dwarfdump, which the answers are compared with; jsonschema: JSON is
    # checked against docs/report.schema.json.
    test) echo llvm python3-jsonschema ;;
    # Debug files to compare answers on: python3-dbg brings those of the release (python3.11-dbg on
    # Debian 12).
    referee) echo libc6-dbg python3-dbg ;;
    # Those that the program is compared with; `symbolic` is on PyPI only.
    bench-peers) echo elfutils binutils llvm-19 python3 ;;
    bench-inputs) echo lld-19 llvm-19 python3 ;;
    fixtures) echo lld-19 llvm-19 gcc g++ binutils dwz python3 xz-utils ;;
    *) echo "install-packages.sh: unknown purpose $1" >&2; exit 64 ;;
  esac
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

if ! command -v swift >/dev/null; then
  echo "The Swift toolchain is not on PATH: install Swift 6.2 or newer (https://www.swift.org/install)." >&2
  exit 1
fi

wanted=()
for purpose in "$@"; do
  read -ra packages <<<"$(packages_for "$purpose")"
  wanted+=("${packages[@]}")
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "This is neither Debian nor Ubuntu: make sure that these are installed: ${wanted[*]} (Debian's names)." >&2
  exit 0
fi

missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Install these as root, then try again: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  # sudo passes no environment on by itself.
  as_root=(sudo DEBIAN_FRONTEND=noninteractive)
fi
echo "Installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
# Package lists may be missing or old; an unreachable list that is not needed must not stop the rest.
"${as_root[@]}" apt-get update -qq >&2 || true
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
