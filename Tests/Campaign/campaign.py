#!/usr/bin/env python3
"""Runs the program on mutants of reports and symbol files, and reports every run that ends badly.

    campaign.py PROGRAM [--runs N] [--seed S] [--jobs N] [--keep DIR] [--kind KIND]… [FOLDER…]

Seeds are the files in Fixtures and in the folders given. A mutant follows from the seed number alone,
so the same call makes the same mutants. A run ends badly if

    signal    a signal ends it                       hang      it takes more than 10 seconds
    status    its status is not documented           memory    it takes more than 1 GB
    json      JSON is not valid UTF-8 or not JSON    messages  standard error has raw control
                                                               characters, or a runtime's crash

The inputs of bad runs are kept in DIR, with the command. Exit status 1 if there are any.
"""

import argparse
import collections
import multiprocessing
import os
import random
import shlex
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(os.path.dirname(sys.path[0]), "Scripts"))
import make_shared_cache
import programs
import reports
import symbol_files

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LARGEST_SEED = 1 << 20
# The seeds of each kind. The processes that do the work inherit them.
KINDS = {}
STORY = os.path.join(ROOT, "Fixtures/LetterShuffle")
FORMS = [[], ["--format", "json"], ["--format", "ndjson"], ["--format", "crash"],
         ["--format", "ips"], ["--summary"], ["--explain", "--source-context", "2"],
         ["--threads", "crashed", "--only-user-code"]]


def kind_of(path, data):
    start = data[:4]
    if start == b"\x7fELF":
        return "ELF"
    if start in (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe"):
        return "Mach-O"
    if start in (b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"):
        return "fat Mach-O"
    if start in (b"MYSG", b"GSYM"):
        return "GSYM"
    if data[:7] == b"dyld_v1":
        return "shared cache"
    if start == b"\x02\xff\x01\xff":
        return ".symbols"
    if data[:8] == b"LearntNm":
        return "learnt names"
    if data[:7] == b"MODULE ":
        return "Breakpad"
    if data[:8] in (b"!<arch>\n", b"!<thin>\n"):
        return "static library"
    if start == b"PK\3\4" or data[257:262] == b"ustar" or start[:2] == b"\x1f\x8b":
        return "zip and tar"
    if data[:6] == b"bplist" or b"<!DOCTYPE plist" in data[:300]:
        return "property list"
    if path.endswith((".swift", ".c", ".cpp", ".h", ".sh", ".py", ".md", ".m", ".rs", ".s")):
        return None
    if start[:1] == b"{":
        return "report, JSON"
    if b"\nBinary Images:" in data or path.endswith((".crash", ".txt", ".log")):
        return "report, text"
    return "report, other" if "/reports/" in path else None


def seeds(folders):
    found = collections.defaultdict(list)
    for folder in [os.path.join(ROOT, "Fixtures"), *folders]:
        for parent, names, files in os.walk(folder):
            names.sort()
            for name in sorted(files):
                path = os.path.join(parent, name)
                if os.path.isfile(path) and 0 < os.path.getsize(path) <= LARGEST_SEED:
                    with open(path, "rb") as file:
                        data = file.read()
                    kind = kind_of(path, data)
                    if kind:
                        found[kind].append((path, data))
    return dict(sorted(found.items()))


def shared_caches(folder):
    """Small dyld shared caches of all kinds, each in a folder of its own."""
    for kind in make_shared_cache.KINDS:
        os.makedirs(os.path.join(folder, kind))
        make_shared_cache.make(os.path.join(folder, kind), kind, 4, 30)
    return folder


def place_for(kind, path, folder):
    """Where the mutant goes, and the file to give: the files of a shared cache lie side by side."""
    if kind != "shared cache":
        mutant = os.path.join(folder, "mutant")
        return mutant, mutant
    cache = os.path.join(folder, "dyld")
    shutil.rmtree(cache, ignore_errors=True)
    os.makedirs(cache)
    name = os.path.basename(path)
    main = name.split(".")[0]
    for other in os.listdir(os.path.dirname(path)):
        if other != name and (other == main or other.startswith(main + ".")):
            shutil.copy(os.path.join(os.path.dirname(path), other), cache)
    return os.path.join(cache, name), os.path.join(cache, main)


def report_about(identity, path):
    """A report with frames in the image of this identity."""
    frames = "".join(f"{index}   Mutant   0x{0x100000000 + 0x1000 * index * index + 0x6f4:016x} "
                     f"0x100000000 + {0x1000 * index * index + 0x6f4}\n" for index in range(12))
    return (f"Process: Mutant [1]\nPath: {path}\nReport Version: 104\n\nThread 0 Crashed:\n{frames}\n"
            f"Binary Images:\n0x100000000 - 0x1ffffffff Mutant arm64 <{identity}> {path}\n").encode()


def commands(chance, kind, mutant, folder, program):
    """One of the commands that read a file of the kind: its name, its words, the form of output."""
    if kind.startswith("report"):
        form = chance.choice(FORMS)
        symbols = ["-d", os.path.join(STORY, "Letter Shuffle.app.dSYM")]
        json = {"json": "json", "ndjson": "ndjson"}.get((form + [""])[1] if form else "")
        return chance.choice(
            [("report", [program, mutant, *form, *symbols], json)] * 6
            + [("uuid", [program, "uuid", "--json", mutant], "json"),
               ("doctor", [program, "doctor", "--json", mutant, *symbols], "json")])
    addresses = [hex(chance.getrandbits(chance.choice([8, 16, 20, 33, 64]))) for _ in range(20)]
    addresses += [hex(base + chance.randrange(1 << 15)) for base in (0, 0x100000000) for _ in range(60)]
    if kind == "property list":
        bundle = os.path.join(folder, "Letter Shuffle.app.dSYM")
        if not os.path.exists(bundle):
            shutil.copytree(os.path.join(STORY, "Letter Shuffle.app.dSYM"), bundle)
        shutil.copy(mutant, os.path.join(bundle, "Contents/Info.plist"))
        report = os.path.join(STORY, "letter-shuffle.crash")
        return chance.choice([("report", [program, report, "-d", bundle], None),
                              ("check", [program, "check", "--json", bundle], "json")])
    report = os.path.join(folder, "report.crash")
    with open(report, "wb") as file:
        file.write(report_about("a4b1de49-70b3-301d-a644-58d6bc22f513", mutant))
    if kind == "shared cache":
        indexes = ["-o", os.path.join(folder, "names")]
        return chance.choice(
            [("index", [program, "index", "--system", mutant, *indexes, "--jobs", "1"], None)] * 4
            + [("index", [program, "index", "--system", os.path.dirname(mutant), *indexes], None),
               ("uuid", [program, "uuid", "--json", mutant], "json"),
               ("report", [program, report, "--format", "json", "-d", mutant], "json"),
               ("doctor", [program, "doctor", "--json", report, "-d", mutant], "json")])
    architecture = chance.choice([[], ["-arch", "arm64"], ["-arch", "x86_64"]])
    return chance.choice(
        [("atos", [program, "atos", "-o", mutant, *architecture, "-i", "-no-index", *addresses], None)] * 3
        + [("report", [program, report, "-d", mutant], None),
           ("report", [program, os.path.join(STORY, "letter-shuffle.crash"), "--format", "json",
                       "-d", mutant], "json"),
           ("index", [program, "index", mutant, "-o", os.path.join(folder, "indexes")], None),
           ("uuid", [program, "uuid", "--json", mutant], "json"),
           ("check", [program, "check", "--json", mutant], "json"),
           ("doctor", [program, "doctor", "--json", report, "-d", mutant], "json")])


def work(job):
    """Makes and runs the mutants FIRST to LAST of the job."""
    program, seed, first, last, keep = job
    kinds = KINDS
    launcher = programs.Launcher()
    counts = collections.Counter()
    peaks = collections.Counter()
    bad = []
    names = list(kinds)
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"),
                           SWIFT_BACKTRACE="enable=no")
        environment.pop("DEBUGINFOD_URLS", None)
        for number in range(first, last):
            chance = random.Random(f"{seed}:{number}")
            kind = names[number % len(names)]
            path, data = chance.choice(kinds[kind])
            other = chance.choice(kinds[kind])[1]
            isText = kind.startswith(("report", "Breakpad", "property"))
            mutate = reports.mutate if isText and chance.randrange(8) else symbol_files.mutate
            mutant, given = place_for(kind, path, folder)
            with open(mutant, "wb") as file:
                file.write(mutate(chance, data, other))
            command, words, form = commands(chance, kind, given, folder, program)
            outcome = programs.run(launcher, folder, command, words, environment, form)
            counts[kind, None] += 1
            peaks[kind] = max(peaks[kind], outcome.megabytes)
            if outcome.fault:
                counts[kind, outcome.fault] += 1
                bad.append((number, kind, path, outcome.fault, outcome.detail, words))
                if keep:
                    kept = os.path.join(keep, f"{number}-{outcome.fault}")
                    shutil.copy(mutant, kept)
                    with open(kept + ".command", "w", encoding="utf-8") as file:
                        shown = [kept if word == mutant else word for word in words]
                        file.write(f"{shlex.join(shown)}\n# {path}\n# {outcome.detail}\n")
    launcher.end()
    return counts, peaks, bad


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--runs", type=int, default=50_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--kind", action="append")
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory(prefix="campaign-caches-") as folder:
        sys.exit(campaign(options, seeds([*options.folders, shared_caches(folder)])))


def campaign(options, kinds):
    if options.kind:
        kinds = {kind: files for kind, files in kinds.items() if kind in options.kind}
    if not kinds:
        sys.exit("campaign.py: no seeds")
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    KINDS.update(kinds)
    program = os.path.abspath(options.program)
    size = max(1, min(250, options.runs // options.jobs))
    end = options.first + options.runs
    jobs = [(program, options.seed, first, min(first + size, end), options.keep)
            for first in range(options.first, end, size)]
    counts, peaks, bad = collections.Counter(), collections.Counter(), []
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        for some, most, wrong in pool.imap_unordered(work, jobs):
            counts.update(some)
            bad += wrong
            for kind, megabytes in most.items():
                peaks[kind] = max(peaks[kind], megabytes)
    faults = ["signal", "hang", "status", "memory", "json", "messages"]
    print("| kind | seeds | runs | " + " | ".join(faults) + " | peak, MB |")
    print("| --- " * (len(faults) + 4) + "|")
    for kind, files in kinds.items():
        row = [kind, len(files), counts[kind, None], *(counts[kind, fault] for fault in faults), peaks[kind]]
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    for number, kind, path, fault, detail, words in sorted(bad)[:50]:
        print(f"{number}: {fault} ({kind}, {os.path.relpath(path, ROOT)}): {detail}", file=sys.stderr)
        print(f"    {shlex.join(words)[:300]}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
