#!/usr/bin/env python3
"""Compares the output of two builds of `symbolicate`, byte for byte.

    compare_outputs.py OLD NEW [--corpus DIRECTORY] [--only TEXT]

OLD and NEW are programs. Each report of Fixtures, and of DIRECTORY/reports, is symbolicated by both in every
output form and with every option that changes the output; each symbol file of Fixtures and DIRECTORY/symbols
answers a sample of addresses as `atos` and is indexed. Standard output, files written, and exit statuses must
be the same. Wording on standard error may differ: how many runs it differs in is printed, with --stderr the
differences themselves.

Exits with 1 if an output differs. Takes about ten minutes on two cores with a corpus of 300 reports.
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FORMS = ["auto", "crash", "ips", "json", "ndjson"]
# Options that change what is looked up or how it is written.
OPTIONS = [
    [],
    ["--no-inlines"],
    ["--resymbolicate", "--full-path"],
    ["--explain", "--demangle", "full"],
    ["--threads", "crashed", "--demangle", "none"],
    ["--only-user-code"],
    ["--source-context", "1", "--map-path", "/=Fixtures/"],
]


def is_symbol_file(path):
    with open(path, "rb") as file:
        magic = file.read(4)
    return magic in (
        b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf",
        b"GSYM", b"MYSG")


def files(directory):
    return sorted(path for path in pathlib.Path(directory).rglob("*") if path.is_file() and not path.is_symlink())


def reports(corpus):
    found = [path for path in files(ROOT / "Fixtures")
             if path.suffix in {".crash", ".ips", ".txt", ".log", ".json"} or "Malformed" in path.parts
             and path.parent.name in {"crash-text", "ips"}]
    if corpus:
        found += files(corpus / "reports")
    return found


def symbol_files(corpus):
    roots = [ROOT / "Fixtures"] + ([corpus / "symbols"] if corpus else [])
    return [path for root in roots for path in files(root) if is_symbol_file(path)]


def run(program, arguments, standard_input=None, cache="/nonexistent"):
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "TZ": "UTC"}
    done = subprocess.run(
        [program, *map(str, arguments)], input=standard_input, capture_output=True, cwd=ROOT, env=environment,
        timeout=600, check=False)
    return done.returncode, done.stdout, done.stderr


def cases(corpus):
    """(name, arguments, standard input)"""
    for report in reports(corpus):
        given = ["-d", ROOT / "Fixtures" if ROOT in report.parents else corpus / "symbols"]
        for symbols in ([], given):
            yield f"{report} --summary {bool(symbols)}", [report, "--summary", *symbols], None
            for form in FORMS if symbols else ["auto", "json"]:
                for options in OPTIONS if symbols else [[]]:
                    name = f"{report} --format {form} {' '.join(options)} {'with' if symbols else 'without'} symbols"
                    yield name, [report, "--format", form, *options, *symbols], None
        yield f"{report} from standard input", ["-", *given], report.read_bytes()
    generator = random.Random(11)
    for file in symbol_files(corpus):
        base = 0 if file.suffix in {".elf", ".debug"} else 0x100000000
        size = file.stat().st_size
        addresses = "\n".join(hex(base + generator.randrange(size)) for _ in range(200)) + "\n"
        for options in ([], ["-i"], ["-fullPath", "-i"], ["-inlineFrames", "-printHeader"]):
            for load in ([], ["-l", "0x200000000"]):
                moved = addresses if not load else "\n".join(
                    hex(int(line, 16) + 0x100000000) for line in addresses.split()) + "\n"
                yield f"atos {file} {' '.join(options + load)}", ["atos", "-o", file, *load, *options], moved.encode()


def index_bytes(program, file):
    with tempfile.TemporaryDirectory() as directory:
        status, output, _ = run(program, ["index", file, "-o", directory])
        digests = [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files(directory)]
        return status, output.replace(directory.encode(), b"DIRECTORY"), digests


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--corpus", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--stderr", action="store_true", help="print how standard error differs")
    arguments = parser.parse_args()
    old, new = os.path.abspath(arguments.old), os.path.abspath(arguments.new)
    corpus = arguments.corpus

    def compare(case):
        name, options, standard_input = case
        return name, run(old, options, standard_input), run(new, options, standard_input)

    def compare_indexes(file):
        return f"index {file}", index_bytes(old, file) + (b"",), index_bytes(new, file) + (b"",)

    different, counted, wordings = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        selected = [case for case in cases(corpus) if arguments.only in case[0]]
        results = pool.map(compare, selected)
        indexes = pool.map(compare_indexes, [file for file in symbol_files(corpus) if arguments.only in f"index {file}"])
        for results_of_kind in (results, indexes):
            for name, before, after in results_of_kind:
                counted += 1
                if before[:-1] != after[:-1]:
                    different.append(name)
                    print(f"DIFFERENT {name}: status {before[0]} and {after[0]}, "
                          f"{len(before[1])} and {len(after[1])} bytes", flush=True)
                elif before[-1] != after[-1]:
                    wordings += 1
                    if arguments.stderr:
                        print(f"--- {name}\n{before[-1].decode(errors='replace')}+++\n"
                              f"{after[-1].decode(errors='replace')}", flush=True)
    print(f"{counted} runs compared, {len(different)} different, {wordings} with another wording on standard error")
    sys.exit(1 if different else 0)


main()
