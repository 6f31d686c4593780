"""What the tests of packaging share."""

import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGING = os.path.join(ROOT, "Packaging")
PROGRAMS = os.path.join(ROOT, os.environ.get("PROGRAMS", ".build/release"))
PROGRAM = os.path.join(PROGRAMS, "symbolicate")
STORY = os.path.join(ROOT, "Fixtures/LetterShuffle")
REPORT = os.path.join(STORY, "letter-shuffle.crash")
BUNDLE = os.path.join(STORY, "Letter Shuffle.app.dSYM")
# The commit's time stands for any.
EPOCH = "1750000000"


def run(*command, status=0, **options):
    """The finished process, with its output as text; fails if its status is another."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": EPOCH,
                   **options.pop("env", {})}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, env=environment, **options)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def script(name):
    return os.path.join(PACKAGING, name)


def version():
    with open(os.path.join(ROOT, "Sources/symbolicate/Version.swift"), encoding="utf-8") as file:
        return re.search(r'^let symbolicateVersion = "(.*)"', file.read(), re.MULTILINE).group(1)


def subcommands():
    """The names that the help of the program lists below Commands."""
    text = run(PROGRAM, "--help", env={"COLUMNS": "100"}).stdout
    listed = text.split("\nCommands:\n")[1].split("\nExit status:\n")[0]
    return re.findall(r"^  ([a-z][a-z-]+) {2,}", listed, re.MULTILINE)


class FolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.folder = os.path.realpath(work.name)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path
