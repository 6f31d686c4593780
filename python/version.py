"""The version of the package: that of the program, which the repository around this folder states."""

import pathlib
import re

_source = pathlib.Path(__file__).resolve().parents[1] / "Sources" / "symbolicate" / "Version.swift"
if not _source.exists():
    raise FileNotFoundError(
        f"{_source} is not there: the package is built in a checkout of the whole repository. "
        "Install the wheel of a release, or from git with #subdirectory=python")
__version__ = re.search(r'symbolicateVersion = "([^"]+)"', _source.read_text("utf-8"))[1]
