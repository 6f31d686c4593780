#!/usr/bin/env bash
# Makes the RPM package, with rpmbuild from the tree that is complete.
#
#   make-rpm.sh STAGE FOLDER      prints the path of the package
source "$(dirname "$0")/common.sh"

stage=$(realpath "$1")
folder=$2
machine=$(machine_of "$stage/bin/symbolicate")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

install -d "$work/tree/usr"
cp -a "$stage/." "$work/tree/usr/"
mv "$work/tree/usr/share/man/man1/atos.1" "$work/tree/usr/share/man/man1/symbolicate-atos.1"
gzip -9n "$work"/tree/usr/share/man/man1/*
find "$work/tree" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
sed -e "s,@VERSION@,$version," -e "s,@REVISION@,$revision," -e "s,@TREE@,$work/tree," \
  "$packaging/rpm/symbolicate.spec.in" > "$work/symbolicate.spec"

"$root/Scripts/quietly.sh" rpmbuild -bb --target "$machine-linux" \
  --define "_topdir $work/rpm" --define "_rpmdir $work/out" --define "_dbpath $work/database" \
  "$work/symbolicate.spec"
mkdir -p "$folder"
name=symbolicate-$version-$revision.$machine.rpm
mv "$work/out/$machine/$name" "$folder/$name"
echo "$folder/$name"
