"""One small run of each command, with what it must leave behind."""
import dataclasses
import os
import pathlib
import shutil
import subprocess
import zipfile

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
STORY = FIXTURES / "LetterShuffle"
REPORT = STORY / "letter-shuffle.crash"
BUNDLE = STORY / "Letter Shuffle.app.dSYM"
DWARF = BUNDLE / "Contents/Resources/DWARF/Letter Shuffle"
TIMEOUT = 120


@dataclasses.dataclass
class Result:
    status: int
    output: bytes
    errors: str
    files: dict
    # In the cache: names hold times of change, so runs differ.
    cached: list = dataclasses.field(default_factory=list, compare=False)
    timed_out: bool = False

    def news(self, baseline):
        """The messages on standard error that are not there in the run without faults; the tally of
        frames is no message."""
        known = set(baseline.errors.splitlines())
        if b"DBGError" in self.output and b"DBGError" not in baseline.output:
            # LLDB is told there, and people on standard error.
            return self.output.decode("utf-8", "backslashreplace") + self.errors
        return "\n".join(
            line for line in self.errors.splitlines()
            if line not in known and line.startswith(("symbolicate", "atos")))

    def summary(self, baseline):
        differences = []
        if self.status != baseline.status:
            differences.append(f"status {self.status}")
        if self.output != baseline.output:
            differences.append(f"{len(self.output)} bytes of output, not {len(baseline.output)}")
        changed = [
            name for name in {*self.files, *baseline.files}
            if self.files.get(name) != baseline.files.get(name)
        ]
        if changed:
            differences.append("other files: " + ", ".join(sorted(changed)))
        if self.errors != baseline.errors:
            differences.append("messages " + repr(self.errors[-300:]))
        return "; ".join(differences)


class Case:
    """A command line, and the folder in which it runs anew each time."""

    def __init__(self, name, program, scratch, arguments, statuses, input=None, prepare=None,
                 status=0, cache=False, outputs=(), executable=None, environment=None):
        self.name = name
        self.command = [executable or program] + arguments
        self.statuses = set(statuses)
        self.expected_status = status
        self.input = input
        self.prepare = prepare
        self.folder = scratch / name.replace(" ", "-")
        self.outputs = outputs
        self.environment = {
            key: value for key, value in os.environ.items() if not key.startswith("DEBUGINFOD")
        }
        self.environment |= {"XDG_CACHE_HOME": "cache-home" if not cache else
                             str(self.folder / "cache"), "LC_ALL": "C.UTF-8"}
        self.environment |= environment or {}
        # What a message may call the files of the run.
        self.names = ["letter-shuffle", "Letter Shuffle", "standard input", "standard output",
                      str(self.folder), ".crash", "out", "dSYM", "addresses", "archive.zip",
                      "folder", "tree", "cache", "standard error", "cannot read .:"]

    def reset(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        shutil.copy(REPORT, self.folder / "a.crash")
        if self.prepare:
            self.prepare(self.folder)
        return self.snapshot()

    def snapshot(self):
        """The content of the files, without the cache."""
        return {
            name: (self.folder / name).read_bytes() for name in self.names_of_files()
            if not name.startswith("cache/")
        }

    def names_of_files(self):
        return [
            str(path.relative_to(self.folder)) for path in sorted(self.folder.rglob("*"))
            if path.is_file() and not path.is_symlink()
        ]

    def run(self, wrapper=(), **keywords):
        self.before = self.reset()
        environment = self.environment | keywords.pop("environment", {})
        if self.input is not None and "stdin" not in keywords:
            keywords["input"] = self.input
        elif "stdin" not in keywords:
            keywords["stdin"] = subprocess.DEVNULL
        keywords.setdefault("stdout", subprocess.PIPE)
        keywords.setdefault("stderr", subprocess.PIPE)
        try:
            done = subprocess.run(
                [*wrapper, *self.command], cwd=self.folder, env=environment, timeout=TIMEOUT,
                **keywords)
        except subprocess.TimeoutExpired:
            return Result(0, b"", "", self.snapshot(), self.names_of_files(), timed_out=True)
        return Result(
            done.returncode, done.stdout or b"",
            (done.stderr or b"").decode("utf-8", "backslashreplace"), self.snapshot(),
            self.names_of_files())

    def check_baseline(self, result):
        if result.status != self.expected_status or result.timed_out:
            raise SystemExit(f"{self.name} fails without faults: {result}")

    def problem(self, result, baseline):
        """What is wrong with a run, whatever failed; None if nothing is."""
        if result.timed_out:
            return "it hangs"
        if result.status < 0 or result.status > 128:
            return f"ended by a signal: {result.status}"
        if result.status == 1 and "/proc/self/maps" in result.errors:
            return None
        if result.status not in self.statuses:
            return f"status {result.status} is not documented: {result.errors[-300:]!r}"
        for name in result.cached:
            if ".partial" in name:
                return f"{name} is left behind"
        for name, content in result.files.items():
            if content == self.before.get(name) or content == baseline.files.get(name):
                continue
            # An output without symbols is whole, too: the report as it went in.
            if name in self.outputs and content == REPORT.read_bytes():
                continue
            if self.is_whole(name, content):
                continue
            return f"{name} is neither what it was nor complete ({len(content)} bytes)"
        for name in self.before:
            if name not in result.files:
                return f"{name} is gone"
        return None

    def is_whole(self, name, content):
        """Whether a report with fewer answers is complete, or a JUnit file that says what failed."""
        if content.startswith(b"<?xml") and content.endswith(b"</testsuites>\n"):
            return any(said in content for said in (b"<error ", b"<failure "))
        return content.endswith(REPORT.read_bytes()[-60:])


REPORT_STATUSES = [0, 2, 3, 64, 65, 66, 73, 74]


def cases(program, scratch):
    scratch = scratch / "runs"

    def case(name, arguments, statuses=REPORT_STATUSES, **keywords):
        return Case(name, program, scratch, arguments, statuses, **keywords)

    def link_bundle(folder):
        os.symlink(BUNDLE, folder / "Letter Shuffle.app.dSYM")

    def two(folder):
        shutil.copy(REPORT, folder / "b.crash")

    def archive(folder):
        with zipfile.ZipFile(folder / "archive.zip", "w", zipfile.ZIP_DEFLATED) as zip_file:
            zip_file.write(DWARF, "App.dSYM/Contents/Resources/DWARF/Letter Shuffle")

    def tree(folder):
        (folder / "tree/deep").mkdir(parents=True)
        os.symlink(BUNDLE, folder / "tree/deep/x.dSYM")
        shutil.copytree(BUNDLE, folder / "tree/App.dSYM")
        for number in range(3):
            (folder / f"tree/deep/{number}").write_text("text")

    bundle = str(BUNDLE)
    jobs = ["--jobs", "1"]
    address = ["-l", "100228000"]
    return [
        case("report to stdout", ["a.crash", "-d", bundle, *jobs]),
        case("report to file", ["a.crash", "-d", bundle, "-o", "out", *jobs], outputs=["out"]),
        case("report over file", ["a.crash", "-d", bundle, "-o", "out", *jobs], outputs=["out"],
             prepare=lambda folder: (folder / "out").write_text("old")),
        case("reports to folder",
             ["a.crash", "b.crash", "-d", bundle, "--output-dir", "folder", *jobs],
             prepare=two, outputs=["folder/a.crash", "folder/b.crash"]),
        case("in place", ["a.crash", "b.crash", "-d", bundle, "--in-place", *jobs], prepare=two),
        case("summary", ["a.crash", "-d", bundle, "--summary", *jobs]),
        case("json", ["a.crash", "-d", bundle, "--format", "json", *jobs]),
        case("standard input", ["-d", bundle, *jobs], input=REPORT.read_bytes()),
        case("beside the report", ["a.crash", *jobs], prepare=link_bundle),
        case("archive", ["a.crash", "-d", "archive.zip", *jobs], prepare=archive, cache=True),
        case("search with cache", ["a.crash", "-d", "tree", *jobs], prepare=tree, cache=True),
        case("atos", ["atos", "-o", bundle, *address, "10022d010"], [0, 1]),
        case("atos list", ["atos", "-o", bundle, *address], [0, 1],
             input=b"10022d010\n1002453f4\nnonsense\n"),
        case("atos file", ["atos", "-o", bundle, *address, "-f", "addresses"], [0, 1],
             prepare=lambda folder: (folder / "addresses").write_text("10022d010 1002453f4\n")),
        case("index", ["index", bundle, *jobs], [0, 64, 65, 66, 73, 74], cache=True),
        case("index to folder", ["index", bundle, "-o", "out", *jobs],
             [0, 64, 65, 66, 73, 74]),
        case("uuid", ["uuid", bundle, "a.crash"], [0, 64, 65, 66, 74]),
        case("check", ["check", "tree", "--junit", "out"], [0, 2, 64, 65, 66, 73, 74],
             prepare=tree),
        case("doctor", ["doctor", "a.crash", "-d", bundle], [0, 2, 64, 65, 66, 74]),
        case("dsym-for-uuid", ["dsym-for-uuid", "A4B1DE49-70B3-301D-A644-58D6BC22F513", "-s",
             "tree", "--no-search-index"], [0, 64, 66, 74], prepare=tree),
    ]
