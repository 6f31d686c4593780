#!/usr/bin/env bash
# Makes every package from built programs, with checksums and the SBOM.
#
#   release.sh PROGRAMS FOLDER      PROGRAMS: the folder of symbolicate and symbolicate-fetch
#
# The same programs give the same bytes: times are those of the commit (SOURCE_DATE_EPOCH).
source "$(dirname "$0")/common.sh"

programs=${1:?usage: release.sh PROGRAMS FOLDER}
folder=${2:?usage: release.sh PROGRAMS FOLDER}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$packaging/stage.sh" "$programs" "$work/stage" --notices
machine=$(machine_of "$work/stage/bin/symbolicate")
name=symbolicate-$version-linux-$machine
rm -rf "$work/out"
mkdir -p "$work/out" "$folder"

"$packaging/make-tarball.sh" "$work/stage" "$work/out" > /dev/null
"$packaging/make-deb.sh" "$work/stage" "$work/out" > /dev/null
"$packaging/make-rpm.sh" "$work/stage" "$work/out" > /dev/null
# The commit that the program states.
commit=$("${HOST_PROGRAM:-$programs/symbolicate}" --version | sed -n 's/.*(\([0-9a-f]*\),.*/\1/p')
"$packaging/oci_image.py" "$work/stage" "$version" "$(debian_name "$machine")" "$commit" \
  "$work/out/$name.oci.tar"
"$packaging/components.py" sbom "$work/stage" "$name" > "$work/out/$name.spdx.json"
mv "$work/out"/* "$folder/"
# Packages for another machine may be there already.
(cd "$folder" && sha256sum -- "symbolicate-$version-"* "symbolicate_$version-"* > SHA256SUMS)
(cd "$folder" && ls -l -- $(cut -c67- SHA256SUMS) SHA256SUMS)
