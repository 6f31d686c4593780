"""Cases with reports, which no peer can run: throughput against a bar."""
import os
import shutil
import statistics
from dataclasses import dataclass

import cases
import reports
from measuring import Failure, Invocation, memory, run

# The reports of the collection are copied this many times, with other names.
COPIES = 12
JSON_FRAMES = 100_000
NO_REPORT = 65


@dataclass
class Throughput:
    """Whole processes that print `title`, and the least that is wanted of the bytes in `what` each second."""
    title: str
    what: str
    bar: float


REPORTS = Throughput("a directory of reports, -o DIR", "read", 150)
JSON = Throughput("100,000 frames as JSON, 1 job", "written", 100)


class ReportBench:
    def __init__(self, bench):
        self.bench = bench
        self.ours = bench.ours

    def run(self):
        for case, measure in ((REPORTS, self.reports), (JSON, self.json)):
            if self.bench.options.only not in case.title:
                continue
            try:
                measure(case)
            except Failure as failure:
                self.bench.report.fail(f"{case.title}: {failure}")

    def reports(self, case):
        corpus = os.environ.get("SYMBOLICATE_CORPUS")
        if not corpus:
            self.bench.report.skip(f"{case.title}: SYMBOLICATE_CORPUS is not set")
            return
        paths = self.copies(os.path.join(corpus, "reports"), 1 if self.bench.options.smoke else COPIES)
        size = sum(os.path.getsize(path) for path in paths)
        results = self.folder("results")
        shutil.rmtree(results, ignore_errors=True)
        os.makedirs(results)

        # Each run gets a new folder: a file system may be slow for some seconds after many files were removed.
        def writing(*options):
            folder = os.path.join(results, str(len(os.listdir(results))))
            return self.invocation(
                [*paths, "-s", os.path.join(corpus, "symbols"), "--output-dir", folder, *options], "reports",
                # Some files of a collection hold no report, and get no result.
                accepted_statuses=(0, NO_REPORT))

        run(writing())
        run(writing("--jobs", "1"))
        if content(os.path.join(results, "0")) != content(os.path.join(results, "1")):
            raise Failure("the output depends on the number of jobs")
        self.judge(case, writing, size, f"{len(paths)} reports")
        seconds = statistics.median(self.times(lambda: writing("--jobs", "1")))
        self.bench.report.note(f"with 1 job {size / seconds / 1e6:.0f} MB/s")
        shutil.rmtree(results)

    def json(self, case):
        path = self.folder("frames.crash")
        reports.write(path, frames=1000 if self.bench.options.smoke else JSON_FRAMES)
        invocation = self.invocation(
            [path, "-d", reports.APP_DSYM, "--format", "json", "--jobs", "1"], "frames.json")
        run(invocation)
        self.judge(case, lambda: invocation, os.path.getsize(invocation.output), "the report read included")

    def judge(self, case, invocation, byte_count, remark):
        """`invocation` makes one for each run."""
        seconds = statistics.median(self.times(invocation))
        rate = byte_count / seconds / 1e6
        peak = memory(invocation())
        self.bench.report.add_throughput(
            case.title, f"{rate:.0f} MB/s {case.what}", case.bar, rate >= case.bar,
            f"{byte_count / 1e6:.1f} MB, {seconds:.2f} s, {peak.resident / 1e6:.1f} MB resident, "
            f"{peak.anonymous / 1e6:.1f} anonymous; {remark}")

    def times(self, invocation):
        return [run(invocation()) for _ in range(1 if self.bench.options.smoke else 5)]

    def invocation(self, arguments, name, **others):
        return Invocation(
            self.ours.program, ["symbolicate", *arguments], self.bench.output(name),
            environment={**self.ours.environment, "SYMBOLICATE_SYMBOL_PATH": ""}, **others)

    def folder(self, name):
        return os.path.join(self.bench.scratch, name)

    def copies(self, folder, count):
        """The files below `folder`, `count` times, in one folder."""
        target = self.folder("reports")
        shutil.rmtree(target, ignore_errors=True)
        os.makedirs(target)
        paths = []
        originals = sorted(
            os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names)
        for copy in range(count):
            for number, original in enumerate(originals):
                path = os.path.join(target, f"{copy:02}-{number:04}-{os.path.basename(original)}")
                shutil.copyfile(original, path)
                paths.append(path)
        return paths


def content(folder):
    """{name: bytes} of the files in a folder."""
    result = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            result[name] = file.read()
    return result
