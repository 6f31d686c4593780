#!/usr/bin/env bash
# Makes the Debian package. dpkg-deb does it alone: debhelper would want to build the sources, in
# which Debian's compiler has no part, and adds nothing to a tree that is complete.
#
#   make-deb.sh STAGE FOLDER      prints the path of the package
source "$(dirname "$0")/common.sh"

stage=$1
folder=$2
architecture=$(debian_name "$(machine_of "$stage/bin/symbolicate")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tree=$work/tree
documents=$tree/usr/share/doc/symbolicate
install -d "$tree/DEBIAN" "$tree/usr/bin" "$tree/usr/share/man/man1" "$documents" \
  "$tree"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d} \
  "$tree/usr/share/lintian/overrides"
install -m 755 "$stage/bin/symbolicate" "$stage/bin/symbolicate-fetch" "$tree/usr/bin/"
# bash-completion reads the file, so Debian wants no `#!` in it.
sed '1{/^#!/d}' "$stage/share/bash-completion/completions/symbolicate" \
  > "$tree/usr/share/bash-completion/completions/symbolicate"
install -m 644 "$stage/share/zsh/site-functions/_symbolicate" "$tree/usr/share/zsh/vendor-completions/"
install -m 644 "$stage/share/fish/vendor_completions.d/symbolicate.fish" \
  "$tree/usr/share/fish/vendor_completions.d/"
for page in "$stage"/share/man/man1/*; do
  # `atos` is an alternative: another package may have a page of that name.
  name=$(basename "$page")
  [ "$name" != atos.1 ] || name=symbolicate-atos.1
  gzip -9nc "$page" > "$tree/usr/share/man/man1/$name.gz"
done

gzip -9nc "$root/CHANGELOG.md" > "$documents/changelog.gz"
gzip -9nc > "$documents/changelog.Debian.gz" <<END
symbolicate ($version-$revision) unstable; urgency=medium

  * Version $version; changelog.gz lists what changed.

 -- $maintainer  $(date -R -d "@$SOURCE_DATE_EPOCH")
END
gzip -9nc "$stage/share/doc/symbolicate/THIRD-PARTY-LICENSES.txt" > "$documents/THIRD-PARTY-LICENSES.txt.gz"
install -m 644 "$stage/share/doc/symbolicate/symbols.md" "$documents/"
install -m 644 "$packaging/deb/copyright" "$documents/copyright"
install -m 644 "$packaging/deb/lintian-overrides" "$tree/usr/share/lintian/overrides/symbolicate"
install -m 755 "$packaging/deb/postinst" "$packaging/deb/prerm" "$tree/DEBIAN/"

# Only symbolicate-fetch needs libraries; libcurl it opens if a server is asked.
mkdir -p "$work/debian"
printf 'Source: symbolicate\n\nPackage: symbolicate\nArchitecture: any\n' > "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$tree/usr/bin/symbolicate-fetch" 2>/dev/null |
  sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || die "dpkg-shlibdeps found no libraries for symbolicate-fetch"
cat > "$tree/DEBIAN/control" <<END
Package: symbolicate
Version: $version-$revision
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$tree" | cut -f1)
Depends: $depends
Recommends: libcurl4t64 | libcurl4
Section: devel
Priority: optional
Description: functions, files and lines for Apple and Swift crash reports
 symbolicate replaces the addresses in crash reports with functions, files
 and lines. It reads Apple's crash reports (.ips, .crash), samples,
 spindumps, MetricKit's diagnostics, reports of crash SDKs and sanitizers,
 and the backtraces of Swift programs on Linux, and gets the names from
 dSYM and ELF symbol files, GSYM and Breakpad files.
 .
 It includes atos, which looks up single addresses like Apple's program of
 that name.
END
(cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)

mkdir -p "$folder"
file=$folder/symbolicate_$version-${revision}_$architecture.deb
find "$tree" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
# One thread: the bytes that xz writes depend on their number.
dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$tree" "$file" > /dev/null
echo "$file"
