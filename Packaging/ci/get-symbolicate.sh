#!/usr/bin/env bash
# Unpacks a release of symbolicate for a CI job, and prints the folder of the programs.
#
#   get-symbolicate.sh SOURCE FOLDER
#
# SOURCE is a tarball, or the URL of one. Beside a URL there must be SHA256SUMS, which is compared.
set -euo pipefail

source=${1:?usage: get-symbolicate.sh SOURCE FOLDER}
folder=${2:?usage: get-symbolicate.sh SOURCE FOLDER}
mkdir -p "$folder"

die() {
  echo "get-symbolicate.sh: $*" >&2
  exit 1
}

case $source in
  *://*)
    name=${source##*/}
    for file in "$name" SHA256SUMS; do
      curl --fail --silent --show-error --location --retry 3 -o "$folder/$file" "${source%/*}/$file" ||
        die "cannot download ${source%/*}/$file"
    done
    grep -F "  $name" "$folder/SHA256SUMS" > "$folder/expected" || die "SHA256SUMS does not list $name"
    (cd "$folder" && sha256sum --quiet --check expected >&2) ||
      die "$name is not what SHA256SUMS says; the download is damaged or was replaced"
    tarball=$folder/$name
    ;;
  *)
    [ -f "$source" ] || die "$source is not a file; give a release tarball or its URL"
    tarball=$source
    ;;
esac
tar -xzf "$tarball" -C "$folder"
programs=$(ls -d "$folder"/symbolicate-*-linux-*/)
[ -x "${programs}symbolicate" ] || die "$tarball has no program 'symbolicate'"
echo "${programs%/}"
