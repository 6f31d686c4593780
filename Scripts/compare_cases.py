"""The runs that `compare_outputs.py` compares: every command, over every file."""
import gzip
import io
import json
import pathlib
import random
import re
import shlex
import subprocess
import zipfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "Fixtures"
STORY = FIXTURES / "LetterShuffle"

COMMANDS = ["atos", "index", "uuid", "check", "doctor", "group", "dsym-for-uuid", "worker"]
FORMATS = ["auto", "crash", "text", "ips", "json", "ndjson", "summary", "html"]
# Options that change what is looked up, how it is written, or what is said about it. Each runs in
# the formats of OPTION_FORMATS.
OPTIONS = [
    ["--no-inlines"],
    ["--resymbolicate", "--full-path"],
    ["--explain", "--demangle", "full"],
    ["--threads", "crashed", "--demangle", "none"],
    ["--threads", "0,2", "--only-user-code"],
    ["--source-context", "1", "--map-path", f"/={FIXTURES}/"],
    ["--strip-prefix", "/Users", "--user-code", "Letter*", "--library-code", "lib*"],
    ["--rules", "rules"],
    ["--strict", "--verbose"],
    ["--strict=all", "--no-index", "--quiet"],
    ["--dwarf-reader", "libdwarf", "--jobs", "1"],
    ["--color", "always", "--hyperlinks", "always"],
    ["--process", "1"],
    ["--limit", "frames=20", "--limit", "report-size=100K"],
    ["--memory", "64M", "--il2cpp-map", FIXTURES / "Malformed/il2cpp-maps/map"],
]
OPTION_FORMATS = ["auto", "json", "summary"]
RULES = b"drop objc_*\napp Letter*\nsystem lib*\n"


@dataclass(frozen=True)
class Step:
    """One run of the program."""
    arguments: tuple
    # The name by which the program is called: `symbolicate`, `atos` or `dsymForUUID`.
    name: str = "symbolicate"
    # Standard input: bytes, or a file of that content, or a file that an earlier step wrote.
    input: object = b""
    input_file: str = ""
    # Where standard output is put for a later step.
    output_file: str = ""
    # The variable COLUMNS.
    columns: int = 0
    on_terminal: bool = False
    shows_version: bool = False

    @property
    def title(self):
        words = [self.name, *map(str, self.arguments)]
        line = shlex.join(word.replace(f"{ROOT}/", "") for word in words)
        if isinstance(self.input, pathlib.Path):
            line += f" < {str(self.input).replace(f'{ROOT}/', '')}"
        line += f" < {self.input_file}" if self.input_file else ""
        line += f" > {self.output_file}" if self.output_file else ""
        line = f"COLUMNS={self.columns} {line}" if self.columns else line
        return line + (" (on a terminal)" if self.on_terminal else "")


@dataclass(frozen=True)
class Case:
    """Runs in one folder, one after the other."""
    kind: str
    steps: tuple
    # (name in the folder, file or bytes): what is there before the first run.
    copies: tuple = ()
    note: str = ""

    @property
    def title(self):
        line = "; ".join(step.title for step in self.steps)
        return line if len(line) < 300 and not self.note else f"{line[:300]} {self.note}".strip()


def case(kind, *arguments, copies=(), note="", **step):
    return Case(kind, (Step(tuple(arguments), **step),), tuple(copies), note)


def files(directory):
    return sorted(
        path for path in directory.rglob("*") if path.is_file() and not path.is_symlink())


class Place:
    """A folder of reports and symbol files."""

    def __init__(self, program, path):
        self.path = path
        self.files = files(path)
        self.reports, self.symbol_files, self.others = [], [], []
        # Each slice: its UUID, and the name of its image.
        self.images = []
        for file in self.files:
            uuids = run(program, "uuid", file)
            if run(program, file, "--format", "json", "--quiet").returncode in (0, 2, 3):
                self.reports.append(file)
            elif uuids.returncode == 0:
                self.symbol_files.append(file)
                for line in uuids.stdout.decode(errors="replace").splitlines():
                    if match := re.match(r"(?:UUID: )?([0-9A-Fa-f-]{16,}) \(?([^) ]+)", line):
                        self.images.append((match[1], match[2], file.name))
            else:
                self.others.append(file)


def stamps(directory):
    """The size and the time of change of each file: no run may change an input."""
    return {path: (path.stat().st_size, path.stat().st_ctime_ns) for path in files(directory)}


def zipped(paths):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, path in enumerate(paths):
            archive.writestr(zipfile.ZipInfo(f"{number}/{path.name}"), path.read_bytes())
    return buffer.getvalue()


def run(program, *arguments):
    return subprocess.run(
        [program, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, cwd="/",
        env={"HOME": "/nonexistent", "TZ": "UTC"}, check=False)


def all_cases(program, corpus):
    """- program: says which files are reports and which are symbol files."""
    yield from help_cases()
    yield from usage_cases()
    for path in [FIXTURES] + ([corpus] if corpus else []):
        place = Place(program, path)
        yield from report_cases(place)
        yield from directory_cases(place)
        yield from doctor_cases(place)
        yield from group_cases(place)
        yield from worker_cases(place)
        yield from symbol_file_cases(place)
        yield from atos_cases(place)
        yield from check_cases(place)
        yield from uuid_search_cases(place)


# Help and usage


def help_cases():
    for arguments in (
            ["--help"], ["-h"], ["help"], ["help", "help"], ["help", "nothing"], ["help", "idnex"],
            ["-qh"], ["--help", "x"], ["--experimental-dump-help"], ["-v", "--help"],
            *(["--generate-completion-script", shell] for shell in ("bash", "zsh", "fish", "csh")),
            ["--generate-completion-script=fish"], ["--generate-completion-script"],
            *([command, option] for command in COMMANDS for option in ("--help", "-h")),
            *(["help", command] for command in COMMANDS)):
        for columns in (0, 40, 79, 132):
            yield case("help", *arguments, columns=columns)
        yield case("help", *arguments, on_terminal=True)
    for arguments in (["--version"], ["-V"], *([command, "--version"] for command in COMMANDS)):
        yield case("help", *arguments, shows_version=True)
    for command in COMMANDS:
        yield case("help", command, "--generate-completion-script", "zsh")
        yield case("help", command, "--experimental-dump-help")
    for arguments in (["-h"], ["-help"], ["--help"], []):
        yield case("help", *arguments, name="atos")
        yield case("help", *arguments, name="dsymForUUID")
    yield case("help", "-V", name="atos", shows_version=True)


def usage_cases():
    # A copy, because some of these replace it.
    report, dsym = "report.crash", STORY / "Letter Shuffle.app.dSYM"
    copies = [("report.crash", STORY / "letter-shuffle.crash")]
    of_reports = [
        [], ["-d"], ["-d", ""], ["-s", ""], ["-o", ""], ["-o"], [""], ["-dx"], ["-o=x"], ["--output=x"],
        ["--in-place", "-o", "x"], ["--in-place", "--output-dir", "x"], ["--in-place", "--summary"],
        ["--in-place", "--format", "json"], ["-o", "x", "--output-dir", "y"], ["--skip-existing"],
        ["--output-dir", ""], ["--summary", "--format", "json"], ["--format", "xml"], ["--format", ""],
        ["--format", "html", report], ["--format=json"], ["--color", "red"], ["--color=always"],
        ["--hyperlinks", ""], ["--jobs", "0"], ["--jobs", "x"], ["--jobs", "-1"], ["--sumary"],
        ["--no-such-thing"], ["-q", "-v"], ["-qv"], ["-x"], ["--threads", "main"], ["--threads", ""],
        ["--process", ""], ["--strict=some"], ["--strict=all"], ["--strict", "all"], ["--strict-all"],
        ["--cache-dir", ""], ["--index-dir", ""], ["--memory", ""], ["--memory", "1K"], ["--limit", "x"],
        ["--limit", "frames=x"], ["--limit", "x=1"], ["--user-code", ""], ["--library-code", ""],
        ["--rules", "nothing"], ["--rules", report], ["--demangle", "no"], ["--dwarf-reader", "x"],
        ["--map-path", "x"], ["--map-path", "=x"], ["--strip-prefix", ""], ["--source-context", "-1"],
        ["--source-context", "1000"], ["--source-root", "/"], ["--source-context", "1", "--format", "ips"],
        ["--il2cpp-map", "nothing"], ["--symbol-server", "ftp://x"], ["--symbol-server", "x y"],
        ["--symbol-server", "https://u:p@h,none"], ["--symbol-server", "https://h", "--offline"],
        ["--stream"], ["--stream", "--in-place"], ["--stream", "--format", "json"], ["-o", "."],
        ["-o", report], ["-o", dsym / "Contents/Resources/DWARF/Letter Shuffle"], ["-o", "no/such/folder"],
        ["--output-dir", "no/such/folder"], ["nothing.crash"], ["--", "-x"], ["--summary", "--summary"],
        ["-d", "nothing.dSYM"], ["-s", "nothing"], [dsym], ["--offline"], ["--no-search-index"],
        ["-d", dsym, "--verbose"], ["-d", FIXTURES / "Inlines/Inlines.dSYM"], ["index"], ["."],
    ]
    for arguments in of_reports:
        yield case("usage", report, *arguments, copies=copies)
        yield case("usage", *arguments, copies=copies, input=copies[0][1])
    general = [
        [], ["--no-such-thing"], ["-x"], ["nothing"], [""], ["-q"], ["-d"], ["-d", ""], ["-s", ""], ["--jobs", "0"],
        ["--jobs", "x"], ["--memory", "x"], ["--limit", "x"], ["--color", "x"], ["--json"], ["--format", "x"],
        ["--symbol-server", "x"], ["--cache-dir", ""], ["--index-dir", ""], ["-o", ""], ["--quiet", "--verbose"],
        [report], [dsym], [report, report], ["-", "-"], ["-"],
    ]
    of_commands = {
        "index": [
            ["--clean", "x"], ["--clean"], ["--uuids", ""], ["--uuids", "-", "--from", "-"], ["--from"],
            [dsym, "-o", report], [dsym, "--from"], ["-d", dsym, dsym], ["--uuids", report]],
        "uuid": [["--json", report, dsym], [dsym, "nothing"]],
        "check": [["--allow", "", "."], [FIXTURES, "--junit", ""], [FIXTURES, "--junit", "no/such"]],
        "doctor": [[report, "-d", "nothing"], [report, "-d", report]],
        "group": [
            ["--by", "x", report], ["--top", "0", report], ["--top", "x", report], ["--merge"],
            ["--merge", report], ["--merge", "--by", "line", report], ["--output-dir", "x", report],
            ["--format", "html", "--output-dir", "", report], ["--rules", "nothing", report]],
        "dsym-for-uuid": [["--copyExecutable", "x"], ["00000000-0000-0000-0000-000000000000"]],
        "worker": [
            ["--output", "x"], ["--window", "0"], ["--timeout", "-1"], ["--retry", "-1"], ["--stats", ""],
            ["--max-record", "x"], ["--stats", "no/such/file"], ["x"], ["--max-record", "10"]],
    }
    for command in COMMANDS[1:]:
        for arguments in general + of_commands[command]:
            yield case(
                "usage", command, *arguments, copies=copies, input=b'{"id": 1, "path": "report.crash"}\n')
    for arguments in (
            [], ["-o"], ["-o", "nothing"], ["-o", dsym, "-l"], ["-o", dsym, "-l", "x", "1"], ["-o", dsym, "-x"],
            ["-o", dsym, "-s", "1", "-l", "2", "3"], ["-o", dsym, "-p", "1"], ["-o", dsym, "-arch", "x", "1"],
            ["-o", dsym, "-jobs", "0"], ["-o", dsym, "-f", "nothing"], ["-o", dsym, "-dwarf-reader", "x"],
            ["-o", report, "1"], ["-o", dsym, "-i=x"], ["-o", dsym, "--", "-1"], ["-o", dsym, "-s", "-0x10", "0x1"],
            ["-o", dsym, "-dedup", "zzz", "0x100002000"], [f"-o{dsym}", "-l0x1000", "0x2000"]):
        yield case("usage", *arguments, name="atos", copies=copies)
        yield case("usage", "atos", *arguments, copies=copies)
    for word in ("idnex", "wroker", "gruop", "chek", "uuids", "atso", "index2", "help2"):
        yield case("usage", word)


# Reports


def report_cases(place):
    symbols = ["-d", place.path]
    for report in place.others:
        for form in ("auto", "json", "summary"):
            yield case("no report", report, "--format", form)
        yield case("no report", "doctor", report)
    for report in place.reports:
        for form in FORMATS:
            yield case("report", report, "--format", form)
            yield case("report with symbols", report, "--format", form, *symbols)
        for options in OPTIONS:
            for form in OPTION_FORMATS:
                yield case(
                    "report with options", report, "--format", form, *options, *symbols,
                    copies=[("rules", RULES)])
        yield case("report with options", report, "--summary", "-s", place.path)
        yield case("standard input", "-", *symbols, input=report)
        yield case("standard input", "--stream", *symbols, input=report)
        yield case("terminal", report, *symbols, on_terminal=True)
        yield case("terminal", report, "--summary", *symbols, on_terminal=True)
        yield case(
            "compressed", "report.gz", "--format", "auto", *symbols, note=report.name,
            copies=[("report.gz", gzip.compress(report.read_bytes(), mtime=0))])
        yield case("output file", report, "-o", "out", "--format", "ndjson", *symbols)
        yield case(
            "output file", "copy" + report.suffix, "--in-place", *symbols,
            copies=[("copy" + report.suffix, report)], note=report.name)


def directory_cases(place):
    symbols = ["-d", place.path]
    folders = sorted({report.parent for report in place.reports})
    for folder in [place.path, *folders]:
        for form in FORMATS:
            yield case("directory", folder, "--format", form, "--output-dir", "out", *symbols)
        for form in ("auto", "json", "ndjson", "summary", "crash"):
            yield case("directory", folder, "--format", form, *symbols)
        yield case("directory", folder, "--jobs", "1", "--explain", "--verbose", *symbols)
        yield case("directory", folder, "--strict", "-o", "out", *symbols)
        resumed = Step((folder, "--output-dir", "out", "--skip-existing", *symbols))
        yield Case("directory", (Step((folder, "--output-dir", "out")), resumed))
        reports = [report for report in place.reports if report.parent == folder]
        yield case("directory", *reports, *symbols, note="(its reports)")
        yield case(
            "directory", "copies", "--in-place", *symbols, note=str(folder),
            copies=[(f"copies/{report.name}", report) for report in reports])
    for options in (["--output-dir", "out"], ["--format", "json"]):
        yield case(
            "directory", "reports.zip", *options, *symbols, note=f"(all of {place.path})",
            copies=[("reports.zip", zipped(place.reports))])
    everything = b"".join(b"a line of a log\n" + report.read_bytes() + b"\n" for report in place.reports)
    for options in ([], ["--jobs", "1"], ["--color", "always"]):
        yield case("stream", "--stream", *options, *symbols, input=everything, note=f"(all of {place.path})")
        yield case("stream", "-", *options, *symbols, input=everything, note=f"(all of {place.path})")


def doctor_cases(place):
    for report in place.reports:
        for options in (
                [], ["-d", place.path], ["--json", "-d", place.path], ["-s", place.path], ["--color", "always"]):
            yield case("doctor", "doctor", report, *options)
        yield case("doctor", "doctor", "-", "-d", place.path, input=report)
        yield case("doctor", "doctor", report, "-d", place.path, on_terminal=True)


def group_cases(place):
    symbols = ["-d", place.path]
    folders = sorted({report.parent for report in place.reports})
    for folder in [place.path, *folders]:
        for key in ("signature", "line", "exception", "version"):
            for form in ("text", "json", "ndjson", "csv", "html"):
                yield case("group", "group", folder, "--by", key, "--format", form, *symbols)
        yield case("group", "group", folder, "--top", "3", "--color", "always", "--jobs", "1")
        yield case("group", "group", folder, "--format", "html", "--output-dir", "pages", *symbols)
        yield case("group", "group", folder, "--rules", "rules", *symbols, copies=[("rules", RULES)])
        yield case("group", "group", folder, *symbols, on_terminal=True)
        partial = [
            Step(("group", folder, "--format", "ndjson", *options), output_file=name)
            for options, name in ((symbols, "a.ndjson"), (["--user-code", "*"], "b.ndjson"))]
        for form in ("text", "json", "ndjson", "csv", "html"):
            merge = Step(("group", "--merge", "a.ndjson", "b.ndjson", "--format", form))
            yield Case("group", (*partial, merge))
        completed = Step((folder, "--format", "ndjson", *symbols), output_file="completed")
        yield Case("group", (completed, Step(("group", "-"), input_file="completed")))


def worker_cases(place):
    records = []
    for number, report in enumerate(place.files):
        records.append({"id": number, "path": str(report)})
        data = report.read_bytes()
        if report in place.reports and len(data) < 1 << 20:
            records.append({"id": str(report), "report": data.decode(errors="replace")})
    generator = random.Random(7)
    for uuid, architecture, name in place.images:
        offsets = [hex(generator.randrange(1 << 16)) for _ in range(20)]
        records.append({"frames": [{"image": name, "uuid": uuid, "offset": offset} for offset in offsets]})
        records.append({"frames": [
            {"uuid": uuid, "arch": architecture, "load": "0x100000", "address": hex(0x100000 + int(offset, 16))}
            for offset in offsets]})
    lines = [json.dumps(record).encode() for record in records]
    lines += [b"", b"{}", b"[]", b"\"text\"", b"{\"id\": 1, \"frames\": []}", b"{\"id\": \"\\ud800\"}", b"\xff"]
    for start in range(0, len(lines), 100):
        text = b"\n".join(lines[start:start + 100]) + b"\n"
        note = f"(records {start + 1} to {start + 100} of {place.path})"
        for content in ("json", "report", "summary"):
            yield case("worker", "worker", "--output", content, "-d", place.path, input=text, note=note)
        for options in (
                ["--jobs", "2", "--full-path"], ["--no-inlines", "--demangle", "full", "--max-record", "20K"]):
            yield case("worker", "worker", *options, "-d", place.path, input=text, note=note)


# Symbol files


def symbol_file_cases(place):
    for file in place.files:
        yield case("uuid", "uuid", file)
        yield case("uuid", "uuid", "--json", file)
    for file in place.symbol_files + place.others:
        yield case("index", "index", file, "-o", "indexes")
    for folder in (place.path, *sorted({file.parent for file in place.symbol_files})):
        yield case("uuid", "uuid", folder)
        yield case("uuid", "uuid", "--json", folder)
    yield case("index", "index", place.path, "--jobs", "1")
    clean = Step(("index", "--clean"))
    again = Step(("index", place.path))
    yield Case("index", (again, again, clean))
    needed = Step(("index", "--from", *place.reports, "-d", place.path))
    yield Case("index", (needed, Step((place.path, "--format", "json", "-d", place.path))))
    uuids = "".join(f"{uuid} {architecture} {name}\n" for uuid, architecture, name in place.images)
    yield case(
        "index", "index", "--uuids", "-", "-d", place.path, "-o", "indexes", input=uuids.encode(),
        note=f"(all of {place.path})")
    for report in place.reports:
        with_index = Step((report, "--explain", "-d", place.path))
        yield Case("indexed report", (Step(("index", "--from", report, "-d", place.path)), with_index))


def atos_cases(place):
    generator = random.Random(11)
    for file in place.symbol_files:
        size = file.stat().st_size
        addresses = [base + generator.randrange(size) for base in (0, 0x100000000) for _ in range(100)]
        text = "".join(f"{address:#x}\n" for address in addresses).encode()
        moved = "".join(f"{address + 0x3000:x} " for address in addresses).encode()
        for options in (
                [], ["-i"], ["-i", "-fullPath", "-no-index"], ["-i", "-d", " | "], ["-dwarf-reader", "libdwarf", "-i"],
                ["-offset"], ["-arch", "arm64"], ["-arch", "x86_64"], ["-l", "0x100003000"], ["-s", "0x3000", "-i"],
                ["-textExecAddress", "0x3000"]):
            given = moved if {"-s", "-l"} & {*options} else text
            yield case("atos", "-o", file, *options, name="atos", input=given)
        few = [f"{address:#x}" for address in addresses[:3] + addresses[-3:]]
        yield case("atos", "atos", "-o", file, "-i", *few, "nonsense")
        yield case("atos", "-o", file, "-f", "addresses", name="atos", copies=[("addresses", moved)])
        steps = (Step(("index", file)), Step(("-o", file, "-i", "-fullPath"), name="atos", input=text))
        yield Case("indexed atos", steps)


def check_cases(place):
    archives = {".zip", ".tar", ".ipa", ".gz", ".xz", ".zst"}
    found = {place.path, *(file for file in place.files if file.suffix in archives)}
    for file in place.symbol_files:
        found |= {folder for folder in file.parents if place.path in folder.parents}
    for path in sorted(found):
        for options in ([], ["--json"], ["--junit", "out.xml"], ["-d", place.path, "--color", "always"]):
            yield case("check", "check", path, *options)
    yield case("check", "check", place.path, "--allow", "Inlines", on_terminal=True)


def uuid_search_cases(place):
    uuids = [uuid for uuid, _, _ in place.images]
    for start in range(0, len(uuids), 20):
        some = uuids[start:start + 20]
        yield case("dsym-for-uuid", "dsym-for-uuid", *some, "-d", place.path)
        yield case("dsym-for-uuid", *some, "-s", place.path, name="dsymForUUID")
        yield case("dsym-for-uuid", "dsym-for-uuid", some[0].lower().replace("-", ""), "-s", place.path)
    for file in place.symbol_files:
        yield case("dsym-for-uuid", "dsym-for-uuid", file, "-s", place.path, "--no-search-index")
