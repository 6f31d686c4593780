#!/usr/bin/env bash
# Installs the tree that `make build` made, or removes what was installed. Nothing is built.
#
#   install.sh install STAGE PREFIX DESTDIR
#   install.sh uninstall PREFIX DESTDIR
#
# The list of installed files and new folders, share/doc/symbolicate/installed.txt, says what to remove.
set -euo pipefail
export LC_ALL=C
umask 022

list=share/doc/symbolicate/installed.txt

die() {
  echo "install.sh: $*" >&2
  exit 1
}

# Folders are listed before what is in them, and only if they are new.
make_folder() {
  local folder=$1
  [ ! -d "$target/$folder" ] || return 0
  if [ "$folder" != . ]; then make_folder "$(dirname "$folder")"; fi
  mkdir "$target/$folder"
  [ "$folder" = . ] || made+=("$folder/")
}

install_tree() {
  local stage=$1 file folder
  [ -x "$stage/bin/symbolicate" ] || die "nothing is built; run 'make build' first (not as root)"
  # The files of an earlier version go first, so that none of them stays behind.
  local previous=()
  if [ -f "$target/$list" ]; then
    mapfile -t previous < <(grep '/$' "$target/$list" || true)
    uninstall_tree
  fi
  mkdir -p "$target"
  made=()
  while IFS= read -r file; do
    make_folder "$(dirname "$file")"
    install -m "$(stat -c %a "$stage/$file")" "$stage/$file" "$target/$file"
    made+=("$file")
  done < <(cd "$stage" && find . -type f -printf '%P\n' | sort)

  # A program of this name may be somebody else's.
  link atos bin/atos symbolicate
  if [ "$linked" = yes ]; then
    link atos share/bash-completion/completions/atos symbolicate
    link atos share/fish/vendor_completions.d/atos.fish symbolicate.fish
  fi
  made+=("$list")
  printf '%s\n' "${made[@]}" "${previous[@]+"${previous[@]}"}" | sort -u > "$target/$list"
  chmod 644 "$target/$list"
  echo "symbolicate is in $prefix/bin"
}

# link NAME PATH DESTINATION
link() {
  linked=no
  if [ -e "$target/$2" ] || [ -L "$target/$2" ]; then
    [ "$(readlink "$target/$2" || true)" = "$3" ] || {
      echo "install.sh: $prefix/$2 belongs to another program and stays;" \
        "'symbolicate atos' does the same" >&2
      return 0
    }
  else
    ln -s "$3" "$target/$2"
  fi
  linked=yes
  made+=("$2")
}

uninstall_tree() {
  [ -f "$target/$list" ] || die "$prefix/$list is missing: 'make install' did not install there"
  local entries=() entry
  # Folders come after what is in them.
  mapfile -t entries < <(sort -r "$target/$list")
  for entry in "${entries[@]}"; do
    case "/$entry/" in *//[!/]* | */../*) die "$prefix/$list names '$entry', which is not below $prefix" ;; esac
    case $entry in
      */) rmdir --ignore-fail-on-non-empty "$target/$entry" 2>/dev/null || true ;;
      *) rm -f "$target/$entry" ;;
    esac
  done
}

case ${1:-} in
  install)
    prefix=$3
    target=${4:-}$3
    install_tree "$2"
    ;;
  uninstall)
    prefix=$2
    target=${3:-}$2
    uninstall_tree
    ;;
  *) die "usage: install.sh install STAGE PREFIX DESTDIR | uninstall PREFIX DESTDIR" ;;
esac
