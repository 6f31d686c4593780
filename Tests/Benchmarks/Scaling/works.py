"""The kinds of work that grow."""
import os
import shutil
import subprocess
import sys

import addresses
import reports
from measuring import Invocation

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
INPUTS = os.path.join(os.path.dirname(HERE), "Inputs")
XCODE_IN_CORPUS = "symbols/CrashLibiOS-arm64-5DB9DD67.dSYM/Contents/Resources/DWARF/CrashLibiOS"
STORY_DWARF = os.path.join(reports.APP_DSYM, "Contents/Resources/DWARF", reports.APP)
FRAME_BYTES = 75


class Work:
    """`make(size)` returns the arguments of a run, and makes its inputs."""

    def __init__(self, title, sizes, make, unit):
        self.title = title
        self.sizes = sizes
        self.unit = unit
        self._make = make

    def invocation(self, size):
        return self._make(size)


def powers(first, last):
    """1, 3, 10, 30 … from `first` to `last`, both included."""
    sizes = []
    size = first
    while size < last:
        sizes.append(size)
        size = size * 3 if str(size)[0] == "1" else size // 3 * 10
    return [*sizes, last]


def all_works(program, scratch):
    maker = Maker(program, scratch)
    return [
        Work("addresses (atos -i)", powers(1, 1_000_000), maker.addresses, "addresses"),
        Work("symbol files in -d DIRECTORY", powers(1, 3_000), maker.symbol_files, "dSYMs"),
        Work("images in a report", powers(10, 5_000), maker.images, "images"),
        Work("frames in a report", powers(10, 1_000_000), maker.frames, "frames"),
        Work("frames in a report, as JSON", powers(10, 300_000), maker.frames_as_json, "frames"),
        Work("bytes of a report", powers(100_000, 200_000_000), maker.report_bytes, "bytes"),
        Work("reports in a directory", powers(1, 10_000), maker.report_count, "reports"),
    ]


class Maker:
    def __init__(self, program, scratch):
        self.program = program
        self.scratch = scratch
        self.symbol_file = self._symbol_file()
        os.makedirs(scratch, exist_ok=True)

    @staticmethod
    def _symbol_file():
        """A dSYM of Xcode from the collection, else the example's."""
        corpus = os.environ.get("SYMBOLICATE_CORPUS")
        path = corpus and os.path.join(corpus, XCODE_IN_CORPUS)
        return path if path and os.path.exists(path) else STORY_DWARF

    def addresses(self, count):
        path = self._path("addresses")
        lists = addresses.address_lists(self.symbol_file, 1, max(count // 10, 1))
        with open(path, "w") as file:
            file.writelines(f"{address:#x}\n" for address in lists["most"][:count])
        return self._invocation(["atos", "-i", "-f", path, "-o", self.symbol_file])

    def symbol_files(self, count):
        folder = self._path("dsyms")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        subprocess.run(
            [sys.executable, os.path.join(INPUTS, "dsym_tree.py"), folder, "--count", str(count)], check=True)
        return self._invocation(["symbolicate", reports.STORY, "-d", folder, "--no-search-index"])

    def images(self, count):
        return self._symbolicate(self._report(frames=20_000, images=count))

    def frames(self, count):
        return self._symbolicate(self._report(frames=count))

    def frames_as_json(self, count):
        return self._symbolicate(self._report(frames=count), "--format", "json")

    def report_bytes(self, count):
        return self._symbolicate(self._report(frames=max(count // FRAME_BYTES, 1), images=2))

    def report_count(self, count):
        # One report is written to a file, several to a folder.
        folder, output = self._path("reports"), self._path("result" if count == 1 else "results")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        first = self._report(frames=1_000)
        paths = [os.path.join(folder, f"{number}.crash") for number in range(count)]
        for path in paths:
            shutil.copyfile(first, path)
        return self._invocation(
            ["symbolicate", *paths, "-d", reports.APP_DSYM, "--output-dir", output], fresh_folder=output)

    def _report(self, **parts):
        path = self._path("report.crash")
        reports.write(path, **parts)
        return path

    def _symbolicate(self, report, *options):
        return self._invocation(["symbolicate", report, "-d", reports.APP_DSYM, *options])

    def _invocation(self, arguments, **others):
        cache = self._path("no-cache")
        return Invocation(
            self.program, arguments, self._path("output"),
            environment={"HOME": cache, "XDG_CACHE_HOME": cache, "SYMBOLICATE_SYMBOL_PATH": ""}, **others)

    def _path(self, name):
        return os.path.join(self.scratch, name)
