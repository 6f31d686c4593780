#!/usr/bin/env bash
# Makes the tarball: programs, man pages, completions, documents, examples and the Python package.
#
#   make-tarball.sh STAGE FOLDER      prints the path of the tarball
source "$(dirname "$0")/common.sh"

stage=$1
folder=$2
name=symbolicate-$version-linux-$(machine_of "$stage/bin/symbolicate")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tree=$work/$name
install -d "$tree/man" "$tree/completions" "$tree/ci"
install -m 755 "$stage/bin/symbolicate" "$stage/bin/symbolicate-fetch" "$tree/"
ln -s symbolicate "$tree/atos"
install -m 644 "$stage"/share/man/man1/* "$tree/man/"
install -m 644 "$stage/share/bash-completion/completions/symbolicate" "$tree/completions/symbolicate.bash"
install -m 644 "$stage/share/zsh/site-functions/_symbolicate" "$tree/completions/"
install -m 644 "$stage/share/fish/vendor_completions.d/symbolicate.fish" "$tree/completions/"
install -m 644 "$root"/{README,CHANGELOG,CONTRIBUTING,SECURITY}.md "$root/LICENSE" \
  "$stage/share/doc/symbolicate/THIRD-PARTY-LICENSES.txt" "$tree/"
install -m 755 "$packaging/ci/symbolicate-ci.sh" "$tree/ci/"
cp -R "$root/docs" "$root/Examples" "$tree/"
install -d "$tree/python/symbolicate"
install -m 644 "$root/python/README.md" "$tree/python/"
install -m 644 "$root"/python/symbolicate/*.py "$root/python/symbolicate/py.typed" \
  "$tree/python/symbolicate/"
# What they say about the sources is true without links too.
"$packaging/links.py" unlink "$tree"

mkdir -p "$folder"
tar_folder "$work" "$name" | gzip -9n > "$folder/$name.tar.gz"
echo "$folder/$name.tar.gz"
