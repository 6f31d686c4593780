#!/usr/bin/env python3
"""Checks the modules in Sources: what they import, how large they are, and the table in the document.

    check_modules.py [--write]

Package.swift is the only place that says which target may import which. The compiler also accepts a
module that a target reaches only through another one; this script does not. It also reports declared
dependencies that no file of the target imports. docs/design.md shows the declared dependencies as a
table between two marks; `--write` writes it anew.

Prints each problem with its file. Exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources"
DOCUMENT = ROOT / "docs/design.md"

MOST_LINES_OF_MODULE = 6_000
MOST_FILES_OF_FOLDER = 25

TABLE_BEGINS = "<!-- This table is written by Scripts/check_modules.py --write. -->\n"
TABLE_ENDS = "<!-- End of the table. -->\n"

TARGET = re.compile(
    r'(?<![.\w])library\(\s*"(?P<library>[\w-]+)"'
    r'|\.(?:systemLibrary|executableTarget|target)\(\s*name:\s*"(?P<target>[\w-]+)"')
PRODUCT = re.compile(r'\.product\(name:\s*("[\w-]+"),\s*package:\s*"[\w-]+"\)')
C_LIBRARY = re.compile(r"(Glibc|Musl|Darwin)")
# In `package import struct Module.Type` the module is the part before the first dot.
IMPORT = re.compile(
    r"^ *(?:@[\w()]+ +)*(?:(?:public|package|internal|fileprivate|private) +)?import +"
    r"(?:(?:struct|class|enum|protocol|func|typealias|let|var) +)?(\w+)", re.MULTILINE)
# The span of a short text may outlive the text in optimised code (`String.withBytes` says how).
SHORT_LIVED_SPAN = re.compile(r"^(?! *//).*\butf8Span\b", re.MULTILINE)
# AddressResolver gets every file opened from SymbolStore, so all places of files are in one list.
OPENS_FILE = re.compile(r"ObjectContainer\.|openElf|openMachO|Archive\.open|IndexFile\.open")

problems = []


def report(path, text):
    problems.append(f"{path.relative_to(ROOT)}: {text}")


def closing(text, start):
    """The place after the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if depth == 0:
            return place + 1
    raise SystemExit("Package.swift: a bracket is not closed")


def declared_dependencies():
    """The targets in Sources, in the order of Package.swift, each with the modules it may import."""
    manifest = (ROOT / "Package.swift").read_text()
    # `https://` in a string is no comment.
    manifest = re.sub(r"(?<!:)//.*", "", manifest)
    targets = {}
    for match in TARGET.finditer(manifest):
        name = match["library"] or match["target"]
        call = manifest[match.end():closing(manifest, manifest.index("(", match.start())) - 1]
        if re.search(r'\bpath:\s*"Tests/', call):
            continue
        names = []
        begin = re.match(r"\s*,\s*(?:dependencies:\s*)?\[", call)
        words = call if match["library"] or "dependencies:" in call else ""
        if begin:
            words = call[begin.end():closing(call, begin.end() - 1) - 1]
            words = PRODUCT.sub(r"\1", words)
            words = re.sub(r"\bsystemPackage\b", '"SystemPackage"', words)
            names = re.findall(r'"([\w-]+)"', words)
        if re.sub(r'"[\w-]+"|[\s,]', "", words):
            raise SystemExit(f"Package.swift: cannot read the dependencies of {name}: {words}")
        targets[name] = names
    folders = {folder.name for folder in SOURCES.iterdir() if folder.is_dir()}
    for name in folders ^ set(targets):
        report(SOURCES / name, "is either not a target that this script can read, or no folder")
    return targets


def check_imports(targets):
    known = set(targets).union(*targets.values())
    for target, declared in targets.items():
        imported = set()
        for path in sorted((SOURCES / target).rglob("*.swift")):
            text = path.read_text()
            for module in IMPORT.findall(text):
                imported.add(module)
                if module in known and module not in declared:
                    report(path, f"{target} may not import {module}: Package.swift does not declare it")
                if module == "Foundation":
                    report(path, "Sources must not import Foundation: it makes the program start slowly")
            if SHORT_LIVED_SPAN.search(text):
                report(path, "utf8Span may read what else is on the stack: use withBytes")
            if target == "AddressResolver" and OPENS_FILE.search(text):
                report(path, "AddressResolver opens no files: it asks SymbolStore for them")
        for module in declared:
            if module not in imported:
                report(ROOT / "Package.swift", f"no file of {target} imports {module}")


def check_c_library():
    for path in sorted([*SOURCES.rglob("*.swift"), *(ROOT / "Tests").rglob("*.swift")]):
        if path.is_relative_to(SOURCES / "Platform"):
            continue
        for module in IMPORT.findall(path.read_text()):
            if C_LIBRARY.fullmatch(module):
                report(path, "only Platform imports the C library; import Platform")


def check_sizes(targets):
    for target in targets:
        lines = 0
        for path in (SOURCES / target).rglob("*.swift"):
            stripped = (line.strip() for line in path.read_text().splitlines())
            lines += sum(1 for line in stripped if line and not line.startswith("//"))
        if lines > MOST_LINES_OF_MODULE:
            report(
                SOURCES / target,
                f"{lines} lines of code; a module has at most {MOST_LINES_OF_MODULE}")
    for folder in sorted(path for path in SOURCES.rglob("*") if path.is_dir()):
        files = len(list(folder.glob("*.swift")))
        if files > MOST_FILES_OF_FOLDER:
            report(folder, f"{files} files; a folder has at most {MOST_FILES_OF_FOLDER}")


def table(targets):
    """The table for the document. C libraries import nothing and have no row."""
    rows = ["| target | may import |\n", "| --- | --- |\n"]
    for target, declared in targets.items():
        if any((SOURCES / target).rglob("*.swift")):
            names = ", ".join(f"`{name}`" for name in declared)
            rows.append(f"| `{target}` | {names or 'nothing'} |\n")
    return "".join(rows)


def check_document(targets, writes):
    text = DOCUMENT.read_text()
    before, begin, rest = text.partition(TABLE_BEGINS)
    _, end, after = rest.partition(TABLE_ENDS)
    if not begin or not end:
        report(DOCUMENT, "has no marks around the table of imports")
        return
    expected = f"{before}{begin}\n{table(targets)}\n{end}{after}"
    if writes:
        DOCUMENT.write_text(expected)
    elif text != expected:
        report(
            DOCUMENT,
            "the table of imports differs from Package.swift: run Scripts/check_modules.py --write")


def main():
    arguments = sys.argv[1:]
    if arguments not in ([], ["--write"]):
        raise SystemExit("usage: check_modules.py [--write]")
    targets = declared_dependencies()
    check_imports(targets)
    check_c_library()
    check_sizes(targets)
    check_document(targets, writes=bool(arguments))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
