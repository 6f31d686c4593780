"""What the tests share: the program under test, and a report with its symbols."""

import os
import pathlib
import shutil
from collections.abc import Iterator

import pytest

from symbolicate import Symbolicator

STORY = pathlib.Path(__file__).parents[2] / "Fixtures" / "LetterShuffle"


@pytest.fixture(scope="session", autouse=True)
def tested_program() -> None:
    """The tests never run another program than the one they are told to."""
    if not shutil.which(os.environ.get("SYMBOLICATE", "")):
        pytest.exit("SYMBOLICATE must name the program under test; `make test-python` does that", 1)


@pytest.fixture(scope="session")
def story() -> bytes:
    """A report. Three of its frames lie in the image that the dSYM beside it belongs to."""
    return (STORY / "letter-shuffle.crash").read_bytes()


@pytest.fixture
def symbolicator() -> Iterator[Symbolicator]:
    with Symbolicator(search=[STORY], window=16) as symbolicator:
        yield symbolicator
