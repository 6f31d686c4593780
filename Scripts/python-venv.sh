#!/usr/bin/env bash
# Makes a virtual environment for Python with the packages that a requirements file lists, unless it
# is there with the same list. Nothing outside of it is changed.
#
#   python-venv.sh FOLDER REQUIREMENTS
set -euo pipefail

quietly=$(dirname "$0")/quietly.sh
folder=$1
requirements=$2
if cmp --silent "$requirements" "$folder/requirements.txt"; then exit 0; fi
echo "Installing the packages of $requirements in $folder …" >&2
rm -rf "$folder"
# The system's Python: with another one on PATH, its packages might be missing.
/usr/bin/python3 -m venv "$folder"
"$quietly" "$folder/bin/pip" install --requirement "$requirements"
# The list is the mark of a complete environment, so it comes last.
cp "$requirements" "$folder/requirements.txt"
