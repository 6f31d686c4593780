"""Many records: in order, a bounded number at a time, and none is lost or doubled."""

import os
import pathlib
import signal
import stat
import sys
import time

import pytest

from symbolicate import Symbolicator, WorkerEnded

STORY = pathlib.Path(__file__).parents[2] / "Fixtures" / "LetterShuffle"

# Writes its number to a file, then becomes the worker.
NOTED = """#!/bin/sh
echo $$ >> "$NUMBERS"
exec "$REAL" "$@"
"""

# Passes lines on to the worker, but a record with the word DEADLY kills it.
MORTAL = """#!{python}
import os, subprocess, sys
worker = subprocess.Popen(
    [os.environ["REAL"], *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    if b"DEADLY" in line:
        print("cannot go on", file=sys.stderr, flush=True)
        worker.stdin.close()
        os.kill(os.getpid(), 9)
    worker.stdin.write(line)
    worker.stdin.flush()
    sys.stdout.buffer.write(worker.stdout.readline())
    sys.stdout.buffer.flush()
"""


def wrapped(monkeypatch, folder, script):
    """Lets a script be the program; `REAL` is the one that it starts."""
    path = folder / "wrapper"
    path.write_text(script.replace("{python}", sys.executable))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("REAL", os.environ["SYMBOLICATE"])
    monkeypatch.setenv("SYMBOLICATE", str(path))
    monkeypatch.setenv("NUMBERS", str(folder / "numbers"))


def processes(folder):
    return [int(number) for number in (folder / "numbers").read_text().split()]


def identifiers(answers):
    return [answer["id"] for answer in answers]


def test_in_order(symbolicator, story):
    records = [story if number % 3 else b"no report" for number in range(200)]
    answers = list(symbolicator.symbolicate_many(records))
    assert identifiers(answers) == list(range(200))
    assert [answer["ok"] for answer in answers] == [number % 3 > 0 for number in range(200)]


def test_nothing_in_nothing_out(symbolicator):
    assert list(symbolicator.symbolicate_many([])) == []


def test_reads_no_more_than_the_window(symbolicator, story):
    """An endless source, and a caller who stops after a few answers."""
    taken = []

    def source():
        while True:
            taken.append(len(taken))
            yield story

    answers = symbolicator.symbolicate_many(source())
    assert taken == []
    for number in range(5):
        assert next(answers)["id"] == number
        # The record that was answered makes room for one more.
        assert len(taken) <= symbolicator.window + number + 1
    answers.close()
    with pytest.raises(StopIteration):
        next(answers)


def test_long_records_and_a_caller_who_waits(story):
    """Records and answers far larger than a pipe holds: with one thread, both ends would wait."""
    long = story + b"\n" + b"x" * 1_000_000
    with Symbolicator(search=[STORY], output="report", window=4) as symbolicator:
        answers = symbolicator.symbolicate_many(long for _ in range(20))
        first = next(answers)
        time.sleep(0.2)  # All pipes are full by now.
        everything = [first, *answers]
    assert identifiers(everything) == list(range(20))
    assert all(len(answer["report"]) > 1_000_000 for answer in everything)


def test_iterations_beside_each_other(symbolicator, story):
    first = symbolicator.symbolicate_many([{"id": f"a{n}", "report": story.decode()}
                                           for n in range(20)])
    second = symbolicator.symbolicate_many([{"id": f"b{n}", "report": story.decode()}
                                            for n in range(20)])
    for number, (one, other) in enumerate(zip(first, second)):
        assert (one["id"], other["id"]) == (f"a{number}", f"b{number}")
        assert symbolicator.symbolicate(story)["ok"]
    assert number == 19


def test_what_the_source_raises_comes_after_the_answers_before(symbolicator, story):
    def source():
        yield story
        yield story
        raise KeyError("the bucket is gone")

    answers = symbolicator.symbolicate_many(source())
    assert [next(answers)["ok"], next(answers)["ok"]] == [True, True]
    with pytest.raises(KeyError, match="the bucket is gone"):
        next(answers)


@pytest.mark.parametrize("kills", [[0], [7], [7, 150], [299]])
def test_killed_worker_is_replaced(monkeypatch, tmp_path, story, kills):
    """Nothing is lost and nothing is doubled, whenever it happens."""
    wrapped(monkeypatch, tmp_path, NOTED)
    with Symbolicator(search=[STORY], window=16) as symbolicator:
        answers = []
        for answer in symbolicator.symbolicate_many(story for _ in range(300)):
            answers.append(answer)
            if answer["id"] in kills:
                os.kill(processes(tmp_path)[-1], signal.SIGKILL)
    assert identifiers(answers) == list(range(300))
    assert all(answer["ok"] for answer in answers)
    # After the last answer nobody needs another worker, unless its end was not read yet.
    assert len(processes(tmp_path)) in (len(kills), len(kills) + 1)


def test_killed_between_two_records(monkeypatch, tmp_path, story):
    wrapped(monkeypatch, tmp_path, NOTED)
    with Symbolicator(search=[STORY]) as symbolicator:
        for _ in range(3):
            assert symbolicator.symbolicate(story)["ok"]
            os.kill(processes(tmp_path)[-1], signal.SIGKILL)
        assert symbolicator.symbolicate(story)["ok"]
    assert len(processes(tmp_path)) == 4


def test_record_that_kills_is_named(monkeypatch, tmp_path, story):
    wrapped(monkeypatch, tmp_path, MORTAL)
    deadly = {3, 4, 60}
    records = [b"DEADLY" if number in deadly else story for number in range(61)]
    with Symbolicator(search=[STORY], window=16) as symbolicator:
        answers = list(symbolicator.symbolicate_many(records))
    assert identifiers(answers) == list(range(61))
    assert {answer["id"] for answer in answers if not answer["ok"]} == deadly
    error = answers[3]["error"]
    assert error["code"] == "worker-killed"
    assert error["message"].startswith("signal 9 ended two workers that had this record; ")
    assert "cannot go on" in error["message"]


def test_worker_that_ends_by_itself_names_its_records(monkeypatch, tmp_path, story):
    """It answers two records and leaves. Starting it again would not help."""
    wrapped(monkeypatch, tmp_path, '#!/bin/sh\nhead -n 2 | "$REAL" "$@"; echo tired >&2; exit 9\n')
    with Symbolicator(search=[STORY], window=4) as symbolicator:
        answers = symbolicator.symbolicate_many(
            {"id": f"r{number}", "report": story.decode()} for number in range(4))
        assert identifiers([next(answers), next(answers)]) == ["r0", "r1"]
        with pytest.raises(WorkerEnded, match="tired") as raised:
            next(answers)
    assert raised.value.status == 9
    assert raised.value.ids == ["r2", "r3"][:len(raised.value.ids)]


def test_closing_ends_the_iterations(monkeypatch, tmp_path, story):
    wrapped(monkeypatch, tmp_path, NOTED)
    symbolicator = Symbolicator(search=[STORY])
    answers = symbolicator.symbolicate_many(story for _ in range(10_000))
    assert next(answers)["ok"]
    symbolicator.close()
    with pytest.raises(ValueError, match="closed"):
        list(answers)
    with pytest.raises(ValueError, match="closed"):
        symbolicator.symbolicate(story)
    for number in processes(tmp_path):
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)
