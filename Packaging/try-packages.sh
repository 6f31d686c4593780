#!/usr/bin/env bash
# Installs each package in a clean system, runs what it installed, and removes it again.
#
#   try-packages.sh FOLDER [SUITE…]      FOLDER: where the packages are
#                                        SUITE: bookworm, trixie, noble (default: all three)
#
# Needs root (chroot) and Debian's and Ubuntu's archives. Clean roots are kept in .build/roots, so only
# the first run downloads them. The RPM goes into an empty database: no archive of a distribution that
# uses RPM can be expected here.
source "$(dirname "$0")/common.sh"

folder=$(realpath "${1:?usage: try-packages.sh FOLDER [SUITE…]}")
shift
[ $# -gt 0 ] || set -- bookworm trixie noble
[ "$(id -u)" = 0 ] || die "run it as root: it uses chroot"
roots=${SYMBOLICATE_ROOTS:-$root/.build/roots}
mkdir -p "$roots"
work=$(mktemp -d)
# What is mounted below the work folder, innermost first.
clean_up() {
  local place
  for place in $(grep -F " $work/" /proc/mounts | cut -d' ' -f2 | sort -r); do umount "$place"; done
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT

# Programs find /proc in every system and container.
mount_proc() {
  mkdir -p "$1/proc"
  mount -t proc proc "$1/proc"
}

# A root of the suite, with shells whose completions are tried.
make_root() {
  local suite=$1 archive=http://deb.debian.org/debian options=()
  [ ! -f "$roots/$suite/.complete" ] || return 0
  if [ "$suite" = noble ]; then
    archive=http://archive.ubuntu.com/ubuntu
    options=(--components=main,universe)
    if [ -f /usr/share/keyrings/ubuntu-archive-keyring.gpg ]; then
      options+=(--keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg)
    else
      echo "$suite: ubuntu-keyring is not installed, so signatures are not checked" >&2
      options+=(--no-check-gpg)
    fi
  fi
  # Ubuntu's suites all use the script of the oldest one.
  local script=/usr/share/debootstrap/scripts/$suite
  [ -e "$script" ] || script=/usr/share/debootstrap/scripts/gutsy
  rm -rf "${roots:?}/$suite"
  "$root/Scripts/quietly.sh" debootstrap --variant=minbase "${options[@]}" \
    --include=man-db,bash-completion,zsh,fish "$suite" "$roots/$suite" "$archive" "$script"
  touch "$roots/$suite/.complete"
}

# Runs a script in a root: in_root ROOT SCRIPT
in_root() {
  chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
    LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive /bin/bash -eu -o pipefail -c "$2"
}

# What every installation must do. The expected answers are those of the fixture's README.
readonly answers='
  cd /try
  [ "$(symbolicate --version | cut -d" " -f1,2)" = "symbolicate $VERSION" ]
  symbolicate letter-shuffle.crash -d "Letter Shuffle.app.dSYM" > out.crash 2> messages
  grep -q "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) + 164" out.crash
  grep -q "^6 of 11 frames resolved" messages
  [ "$(atos -arch arm64 -o "Letter Shuffle.app.dSYM" -l 0x100228000 0x1002474e0)" = \
    "one-time initialization function for rounds (in Letter Shuffle) (GameData.swift:18)" ]
'

try_deb() {
  local suite=$1 package system=$work/$1
  package=$(ls "$folder"/symbolicate_*_"$(dpkg --print-architecture)".deb)
  make_root "$suite"
  mkdir "$system" "$work/$suite.upper" "$work/$suite.work"
  mount -t overlay overlay -o \
    "lowerdir=$roots/$suite,upperdir=$work/$suite.upper,workdir=$work/$suite.work" "$system"
  mount_proc "$system"
  mkdir "$system/try"
  cp -R "$root/Fixtures/LetterShuffle/." "$package" "$system/try/"

  local before after
  before=$(cd "$system" && find . -xdev \( -path ./var -o -path ./try \) -prune -o -print | sort)
  in_root "$system" "dpkg --unpack /try/*.deb > /dev/null
    apt-get -qq -f install --no-install-recommends > /dev/null 2>&1 || true
    dpkg --configure -a > /dev/null; [ \"\$(dpkg-query -W -f='\${db:Status-Status}' symbolicate)\" = installed ]"
  in_root "$system" "VERSION=$version; $answers"
  # symbolicate-fetch: its libraries are there.
  in_root "$system" 'symbolicate-fetch < /dev/null | grep -q "^symbolicate-fetch "'
  in_root "$system" 'for page in symbolicate symbolicate-index atos; do
      man -w "$page" > /dev/null; [ "$(man "$page" 2> warnings | wc -l)" -gt 20 ]; [ ! -s warnings ]; done'
  # bash-completion renamed its loader.
  in_root "$system" 'bash -ec "source /usr/share/bash-completion/bash_completion
      for name in symbolicate atos; do
        if declare -F _comp_load; then _comp_load \$name; else _completion_loader \$name || true; fi
        complete -p \$name | grep -q \" -F _symbolicate\"
      done" > /dev/null
    zsh -fc "autoload -Uz compinit; compinit -u -D
      [[ \${_comps[symbolicate]} == _symbolicate && \${_comps[atos]} == _symbolicate ]]"
    fish -c "complete -C \"symbolicate ind\"" | grep -q "^index"
    fish -c "complete -C \"atos -arc\"" | grep -q "^-arch"'
  # Another atos is not overwritten, and wins if its priority is higher.
  in_root "$system" 'printf "#!/bin/sh\necho other\n" > /usr/local/other-atos; chmod 755 /usr/local/other-atos
    update-alternatives --install /usr/bin/atos atos /usr/local/other-atos 90 > /dev/null
    [ "$(atos)" = other ]
    update-alternatives --remove atos /usr/local/other-atos > /dev/null; rm /usr/local/other-atos
    atos -h | grep -q "^Usage: atos"'
  in_root "$system" 'dpkg --purge symbolicate > /dev/null; ! command -v atos symbolicate'
  after=$(cd "$system" && find . -xdev \( -path ./var -o -path ./try \) -prune -o -print | sort)
  # What dependencies and the programs that were run left behind does not count.
  local left
  left=$(comm -13 <(echo "$before") <(echo "$after") | grep -iE 'symbolicate|atos' || true)
  [ -z "$left" ] || { echo "$suite: left behind: $left" >&2; return 1; }
  echo "$suite: installed, run and removed ($(basename "$package"))"
}

try_rpm() {
  local package system=$work/rpm
  package=$(ls "$folder"/symbolicate-*."$(uname -m)".rpm)
  mkdir -p "$system"
  # Neither dependencies nor scripts: the system is empty. Both are looked at instead.
  local options=(--root "$system" --dbpath /var/lib/rpm)
  rpm "${options[@]}" --initdb
  rpm "${options[@]}" --nodeps --noscripts --install "$package"
  rpm "${options[@]}" --verify --nodeps --noscripts symbolicate | grep -v '^missing.*/usr/bin/atos' && return 1
  ln -s symbolicate "$system/usr/bin/atos"
  mkdir "$system/try"
  cp -R "$root/Fixtures/LetterShuffle/." "$system/try/"
  run_alone "$system"
  rpm --query --package --requires "$package" | grep -q '/usr/sbin/update-alternatives'
  rpm --query --package --recommends "$package" | grep -q 'libcurl.so.4'
  rm "$system/usr/bin/atos"
  rpm "${options[@]}" --nodeps --noscripts --erase symbolicate
  [ -z "$(find "$system/usr" -iname '*symbolicate*')" ] || { echo "RPM: files are left behind" >&2; return 1; }
  echo "RPM: installed in an empty root, run and removed ($(basename "$package"))"
}

# The programs in a root that has nothing else: no shell, no C library.
run_alone() {
  local in=(chroot "$1") output
  [ -d "$1/proc/self" ] || mount_proc "$1"
  output=$("${in[@]}" /usr/bin/symbolicate /try/letter-shuffle.crash -d "/try/Letter Shuffle.app.dSYM" 2> "$work/messages")
  grep -q 'GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) + 164' <<< "$output"
  grep -q '^6 of 11 frames resolved' "$work/messages"
  [ "$("${in[@]}" /usr/bin/atos -arch arm64 -o "/try/Letter Shuffle.app.dSYM" -l 0x100228000 0x1002474e0)" = \
    "one-time initialization function for rounds (in Letter Shuffle) (GameData.swift:18)" ]
}

try_image() {
  local image system=$work/image digest
  image=$(ls "$folder"/symbolicate-*-"$(uname -m)".oci.tar)
  mkdir -p "$work/layout" "$system"
  tar -C "$work/layout" -xf "$image"
  digest=$(python3 - "$work/layout" <<'END'
import json, sys
def read(digest): return json.load(open(f"{sys.argv[1]}/blobs/" + digest.replace(":", "/")))
manifest = read(json.load(open(f"{sys.argv[1]}/index.json"))["manifests"][0]["digest"])
assert read(manifest["config"]["digest"])["config"]["Entrypoint"] == ["/usr/bin/symbolicate"]
print(manifest["layers"][0]["digest"].replace(":", "/"))
END
  )
  tar -C "$system" -xzf "$work/layout/blobs/$digest"
  mkdir "$system/try"
  cp -R "$root/Fixtures/LetterShuffle/." "$system/try/"
  run_alone "$system"
  echo "OCI image: its layer runs alone ($(basename "$image"))"
}

try_tarball() {
  local tarball tree
  tarball=$(ls "$folder"/symbolicate-*-"$(uname -m)".tar.gz)
  mkdir -p "$work/tarball"
  tar -C "$work/tarball" -xzf "$tarball"
  tree=$(echo "$work"/tarball/*)
  "$packaging/links.py" check "$tree"
  mkdir "$work/try"
  cp -R "$root/Fixtures/LetterShuffle/." "$work/try/"
  (cd "$work" && PATH=$tree:$PATH VERSION=$version bash -eu -o pipefail -c "${answers/cd \/try/cd try}")
  echo "Tarball: unpacked and run ($(basename "$tarball"))"
}

(cd "$folder" && sha256sum --quiet -c SHA256SUMS)
# A subshell that is part of no condition: only there does `set -e` end it at the first failure.
status=0
try() {
  set +e
  (
    trap - EXIT
    set -e
    "$@"
  )
  [ $? -eq 0 ] || {
    echo "$* failed" >&2
    status=1
  }
  set -e
}
try try_tarball
try try_image
try try_rpm
for suite in "$@"; do try try_deb "$suite"; done
exit $status
