"""The recipes with the Python package: DuckDB, and what Ray's actors do."""

import sys

import pytest

from conftest import ROOT, STORY

sys.path[:0] = [str(ROOT / "python"), str(ROOT / "Examples/duckdb"), str(ROOT / "Examples/ray")]

# Of the crashed thread, from llvm-symbolizer: Fixtures/LetterShuffle/README.md.
LINES = [("GameData.swift", 14), ("GameData.swift", 18), ("GameViewController.swift", 37),
         ("GameViewController.swift", 51), ("GameViewController.swift", 60)]


@pytest.fixture
def reports(tmp_path, story):
    folder = tmp_path / "reports"
    folder.mkdir()
    for name in "a", "b":
        (folder / f"{name}.crash").write_text(story)
    (folder / "notes.txt").write_text("nothing")
    return folder


def test_duckdb(reports, program, monkeypatch, capsys):
    import crashes

    database = crashes.tables(str(reports), [str(STORY)])
    rows = database.sql("SELECT process, day, count(*) FROM crashes GROUP BY ALL").fetchall()
    assert rows == [("Letter Shuffle", "2019-07-31", 2)]
    lines = database.sql("""
        SELECT file, line, count(*) FROM frames WHERE crashed AND line > 0
        GROUP BY ALL ORDER BY file, line""").fetchall()
    assert lines == [(file, line, 2) for file, line in LINES]
    monkeypatch.setattr(sys, "argv", ["crashes.py", str(reports), "--search", str(STORY)])
    crashes.main()
    assert "EXC_BREAKPOINT" in capsys.readouterr().out


def test_batches_of_ray(reports, program):
    from symbolicate_reports import Symbolicate

    paths = sorted(reports.iterdir())
    rows = Symbolicate([str(STORY)])(
        {"path": [str(path) for path in paths], "bytes": [path.read_bytes() for path in paths]})
    assert rows["ok"] == [True, True, False]
    assert rows["path"] == [str(path) for path in paths]
    assert rows["signature"][0] == rows["signature"][1] is not None
    assert "has no crash report" in rows["error"][2]
