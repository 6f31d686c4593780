"""Answers as objects."""

import json
import subprocess

import pytest

import symbolicate
from test_answers import PLACES, STORY

PATH = STORY / "letter-shuffle.crash"


def places(backtrace):
    return [(frame.function, frame.file, frame.line) for frame in backtrace if frame.file]


def test_open():
    document = symbolicate.open(PATH, [STORY])
    assert places(document.crashed) == PLACES
    assert document.crashed in document.backtraces
    (report,) = document
    assert (report.process, report.event) == ("Letter Shuffle", "crash")
    assert report.date.startswith("2019-07-31")
    assert report.signature.startswith("EXC_BREAKPOINT | GameRound.init")
    assert report.crashed.number == 0
    assert report.json["incident"] == "DAB41DAD-9A48-42B0-9115-7AB25B8FC81F"
    frame = report.crashed.frames[1]
    assert (str(frame), frame.inlined) == (
        "one-time initialization function for rounds (GameData.swift:18)", False)
    # In the report: 1   Letter Shuffle                	0x00000001002474e0 0x100228000 + 128224
    assert (frame.address, frame.image, frame.image_offset) == (0x1002474E0, "Letter Shuffle", 128224)


def test_without_symbols(tmp_path):
    alone = tmp_path / "a.crash"
    alone.write_bytes(PATH.read_bytes())
    frame = symbolicate.open(str(alone)).crashed.frames[1]
    assert frame.function is frame.line is None
    assert str(frame) == "Letter Shuffle + 128224"


def test_errors(tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("nothing")
    with pytest.raises(symbolicate.SymbolicationError, match="has no crash report") as raised:
        symbolicate.open(notes)
    assert raised.value.code == "no-report"
    with pytest.raises(symbolicate.SymbolicationError) as raised:
        symbolicate.open(tmp_path / "absent")
    assert raised.value.code == "unreadable"
    with pytest.raises(ValueError, match="output='json'"):
        symbolicate.document({"ok": True, "report": "text"})


def test_documents_of_the_program():
    """The objects are those of `--format json`, too."""
    output = subprocess.run(
        [symbolicate.program(), PATH, "-s", STORY, "--format", "json", "-q"], capture_output=True,
        check=True).stdout
    assert symbolicate.document(json.loads(output)).reports == symbolicate.open(PATH, [STORY]).reports


def test_names_are_public():
    for name in set(symbolicate.__all__) - {"Answer", "Record"}:  # Aliases of types have none.
        assert getattr(symbolicate, name).__doc__, name
