"""What the tests share: the program under test, reports, and scripts that stand in front of it."""

import json
import os
import pathlib
import shutil
import stat
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[2]
STORY = ROOT / "Fixtures" / "LetterShuffle"


def lines_of(output):
    """The answers of a worker."""
    return [json.loads(line) for line in output.splitlines()]


@pytest.fixture(scope="session")
def program():
    """The program that SYMBOLICATE names; the tests never run another one."""
    found = shutil.which(os.environ.get("SYMBOLICATE", ""))
    if not found:
        pytest.exit("SYMBOLICATE must name the program under test; the Makefile does that", 1)
    return os.path.abspath(found)


@pytest.fixture(scope="session")
def signs(program, story):
    """Whether answers have signatures. Without them, counts are checked, but not groups."""
    record = json.dumps({"id": 1, "report": story}).encode()
    answer = subprocess.run([program, "worker"], input=record, capture_output=True, check=True)
    return "signature" in json.loads(answer.stdout)["reports"][0]


@pytest.fixture(scope="session")
def indexes_for_reports(program):
    """Whether `index` makes what reports need. Without that, workers read the symbols."""
    words = subprocess.run([program, "index", "--help"], capture_output=True, check=True).stdout
    return b"--from" in words


@pytest.fixture(scope="session")
def story():
    """A report of 2019. Its dSYM lies beside it."""
    return (STORY / "letter-shuffle.crash").read_text()


@pytest.fixture
def indexes(program, tmp_path):
    """A directory with the index of the report's image."""
    folder = tmp_path / "indexes"
    subprocess.run([program, "index", STORY, "--output", folder], check=True, capture_output=True)
    assert len(list(folder.iterdir())) == 1
    return folder


@pytest.fixture
def wrapper(program, tmp_path):
    """Makes a script that stands in front of the program: `REAL` in it is the program."""
    def make(text):
        path = tmp_path / "wrapper"
        path.write_text(text.replace("REAL", f"'{program}'").replace("FOLDER", str(tmp_path)))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path
    return make
