"""One record, one answer."""

import json
import pathlib
import threading

import pytest

from symbolicate import Symbolicator, WorkerEnded, program

STORY = pathlib.Path(__file__).parents[2] / "Fixtures" / "LetterShuffle"

# From llvm-symbolizer: Fixtures/LetterShuffle/README.md.
PLACES = [
    ("GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)", "<compiler-generated>", 0),
    ("one-time initialization function for rounds", "GameData.swift", 18),
    ("GameData.rounds.unsafeMutableAddressor", "GameData.swift", 14),
    ("GameViewController.loadRound(_:)", "GameViewController.swift", 60),
    ("GameViewController.startRound()", "GameViewController.swift", 51),
    ("GameViewController.viewDidLoad()", "GameViewController.swift", 37),
    ("@objc GameViewController.viewDidLoad()", "<compiler-generated>", 0),
]


def places(answer):
    """The functions, files and lines of the thread that crashed."""
    assert answer["ok"], answer
    frames = [
        frame for backtrace in answer["reports"][0]["backtraces"] if backtrace["crashed"]
        for frame in backtrace["frames"]
    ]
    return [(f["function"], f["file"], f["line"]) for f in frames if f["file"]]


def test_bytes(symbolicator, story):
    answer = symbolicator.symbolicate(story)
    assert (answer["id"], places(answer)) == (0, PLACES)


def test_text(symbolicator, story):
    assert places(symbolicator.symbolicate(story.decode())) == PLACES


def test_path_is_its_own_id(symbolicator):
    path = STORY / "letter-shuffle.crash"
    answer = symbolicator.symbolicate(path)
    assert (answer["id"], places(answer)) == (str(path), PLACES)


def test_record_of_the_worker_keeps_its_id(symbolicator, story):
    for identifier in ["a", 7, None, {"bucket": ["b", 1.5]}, "\u2028\n\t\"\\ \U0001f41b"]:
        answer = symbolicator.symbolicate({"id": identifier, "report": story.decode()})
        assert (answer["id"], places(answer)) == (identifier, PLACES)


def test_bytes_that_are_not_utf8(symbolicator, story):
    """JSON cannot hold them. The report is read from a file, which is gone afterwards."""
    spoilt = story.replace(b"Letter Shuffle [57833]", b"Letter \xff\xfe [57833]")
    assert spoilt != story
    answer = symbolicator.symbolicate(spoilt)
    assert places(answer) == PLACES
    assert not pathlib.Path(answer["input"]).exists()


def test_output_as_report(story):
    with Symbolicator(search=[STORY], output="report") as symbolicator:
        report = symbolicator.symbolicate(story)["report"]
    assert "one-time initialization function for rounds + 72 (GameData.swift:18)" in report


@pytest.mark.parametrize("record", ["", "\ud800", "not a report", b"\xff", {"frames": 1}, {}, [1]])
def test_bad_record_is_an_answer(symbolicator, story, record):
    if isinstance(record, list):
        with pytest.raises(TypeError):
            symbolicator.symbolicate(record)
    else:
        answer = symbolicator.symbolicate(record)
        assert not answer["ok"]
        assert set(answer["error"]) == {"code", "message"}
    assert places(symbolicator.symbolicate(story)) == PLACES


def test_many_threads_share_one_worker(symbolicator, story):
    answers = {}

    def ask(name):
        for each in range(5):
            identifier = f"{name}.{each}"
            record = {"id": identifier, "report": story.decode()}
            answers[identifier] = symbolicator.symbolicate(record)

    threads = [threading.Thread(target=ask, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 40
    for identifier, answer in answers.items():
        assert (answer["id"], places(answer)) == (identifier, PLACES)


def test_wrong_option_raises_with_what_the_worker_wrote(story):
    with Symbolicator(options=["--no-such-option"]) as symbolicator:
        with pytest.raises(WorkerEnded) as raised:
            symbolicator.symbolicate({"id": "lost", "report": story.decode()})
    assert raised.value.status == 64
    assert "--no-such-option" in raised.value.errors
    assert raised.value.ids in (["lost"], [])  # It may end before the record is written.


def test_program_is_named_by_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("SYMBOLICATE", str(tmp_path / "absent"))
    with pytest.raises(FileNotFoundError, match="absent.*environment variable SYMBOLICATE"):
        Symbolicator()
    monkeypatch.delenv("SYMBOLICATE")
    (tmp_path / "symbolicate").write_text("#!/bin/sh\n")
    (tmp_path / "symbolicate").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path / "absent"))
    assert program() == str(tmp_path / "symbolicate")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(FileNotFoundError, match="without it.*symbolicate-…-manylinux….whl"):
        program()
    # What the wheel installs beside Python comes before PATH.
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    assert program() == str(tmp_path / "symbolicate")


def test_answers_are_json_again(symbolicator, story):
    assert json.loads(json.dumps(symbolicator.symbolicate(story)))["schema"] == "symbolicate-report"
