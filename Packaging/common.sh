# shellcheck shell=bash disable=SC2034
# For the scripts in this folder: names, versions and times. To be read with `source`.
set -euo pipefail
export LC_ALL=C.UTF-8 TZ=UTC
umask 022

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
packaging=$root/Packaging
version=$(sed -n 's/^let symbolicateVersion = "\(.*\)"/\1/p' "$root/Sources/symbolicate/Version.swift")
# Packages of one version that differ only in how they are packaged count this up.
revision=1
maintainer=${PACKAGE_MAINTAINER:-The symbolicate maintainers <symbolicate@users.noreply.github.com>}

# Every time in a package is that of the commit; without git, that of the newest release.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$("$root/Scripts/build-stamp.sh" --epoch)
  [ -n "$SOURCE_DATE_EPOCH" ] || SOURCE_DATE_EPOCH=$(date +%s -d \
    "$(sed -n 's/^## [0-9.]* - \([0-9-]*\)$/\1/p' "$root/CHANGELOG.md" | head -n 1)")
fi
export SOURCE_DATE_EPOCH

die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# The machine that a program is for, in the words of uname, Debian and OCI.
machine_of() {
  case $(readelf -h "$1" | sed -n 's/^ *Machine: *//p') in
    *X86-64*) echo x86_64 ;;
    AArch64) echo aarch64 ;;
    *) die "$1 is for a machine that has no package here" ;;
  esac
}
debian_name() { case $1 in x86_64) echo amd64 ;; aarch64) echo arm64 ;; esac; }

# An archive whose bytes depend on names, modes and contents only: tar_folder PARENT NAME
tar_folder() {
  tar -C "$1" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --mode=go=u,go-w --format=gnu -cf - "$2"
}
