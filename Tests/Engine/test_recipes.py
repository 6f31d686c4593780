"""The shell recipes: GNU parallel, and a mapper and a reducer as Hadoop Streaming runs them."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

from conftest import ROOT, STORY, lines_of

PARALLEL = ROOT / "Examples" / "parallel"
HADOOP = ROOT / "Examples" / "hadoop"

for tool, package in {"parallel": "parallel", "jq": "jq"}.items():
    assert shutil.which(tool), f"{tool} is missing; Scripts/install-packages.sh examples installs it"


@pytest.fixture
def run(program, tmp_path):
    """Runs a recipe. The program is the first `symbolicate` on PATH."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "symbolicate").symlink_to(program)
    environment = {"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "HOME": str(tmp_path)}

    def run(*command, check=True, **changes):
        words = [str(word) for word in command]
        options = {"input": b"", **changes, "env": {**environment, **changes.get("env", {})}}
        result = subprocess.run(words, stdout=subprocess.PIPE, **options)
        assert not check or result.returncode == 0, result
        return result
    return run


def records(story, count):
    """Records with newlines, tabs and quotes in ids and reports; some are poisoned."""
    lines = []
    for number in range(count):
        record = {"id": f"{number}\t\n\"'$(x)", "report": story + "\n\u2028 \t \\ \0"}
        if number % 10 == 3:
            record["report"] = "no report"
        lines.append(json.dumps(record, ensure_ascii=number % 2 == 0).encode() + b"\n")
    return lines


def test_records_of_files(run, tmp_path, story):
    """Each file is a record, whatever its name."""
    names = ["a.crash", "b c.crash", "d\ne.crash", "f\"'\\\t.crash", "g%20.crash", "\u00fc.crash"]
    (tmp_path / "reports" / "of a day").mkdir(parents=True)
    paths = [tmp_path / "reports" / "of a day" / name for name in names]
    for path in paths:
        path.write_text(story)
    output = run(PARALLEL / "records.sh", tmp_path / "reports").stdout
    assert [json.loads(line) for line in output.splitlines()] == [
        {"id": str(path), "path": str(path)} for path in sorted(paths, key=os.fsencode)]
    answers = run(PARALLEL / "symbolicate.sh", "--search", STORY, input=output).stdout
    assert [json.loads(line)["ok"] for line in answers.splitlines()] == [True] * len(paths)


def test_parallel_keeps_the_order(run, tmp_path, indexes, story):
    lines = records(story, 120)
    (tmp_path / "records").write_bytes(b"".join(lines))
    output = run(
        PARALLEL / "symbolicate.sh", "--search", STORY, "--index-dir", indexes,
        input=b"".join(lines), env={"BLOCK": "50K"}).stdout
    answers = lines_of(output)
    assert [answer["id"] for answer in answers] == [json.loads(line)["id"] for line in lines]
    assert [n for n, answer in enumerate(answers) if not answer["ok"]] == list(range(3, 120, 10))
    (tmp_path / "answers").write_bytes(output)
    assert run(PARALLEL / "check.sh", tmp_path / "records", tmp_path / "answers").stdout == b""


def test_parallel_gives_the_block_of_a_killed_worker_to_another(run, wrapper, tmp_path, story):
    """The first worker answers five records and is killed: these five are not doubled."""
    (tmp_path / "bin" / "symbolicate").unlink()
    (tmp_path / "bin" / "symbolicate").symlink_to(wrapper("""#!/bin/bash
        if mkdir FOLDER/first 2> /dev/null; then head -n 5 | REAL "$@"; kill -KILL $$; fi
        exec REAL "$@"
        """))
    lines = records(story, 60)
    output = run(
        PARALLEL / "symbolicate.sh", "--search", STORY, input=b"".join(lines),
        env={"BLOCK": "50K"}).stdout
    assert (tmp_path / "first").is_dir()
    assert [answer["id"] for answer in lines_of(output)] == [json.loads(line)["id"] for line in lines]


def test_loss_and_doubling_are_named(run, tmp_path):
    (tmp_path / "records").write_text('{"id": 1}\n{"id": "b"}\nno JSON\n{"id": [3]}\n')
    (tmp_path / "answers").write_text(
        '{"id": 1, "ok": true}\n{"id": 1, "ok": true}\n{"id": null, "ok": false}\n{"id": [3]}\n')
    result = run(PARALLEL / "check.sh", tmp_path / "records", tmp_path / "answers", check=False)
    assert (result.returncode, result.stdout) == (1, b'"b"\n\t1\n')


def mapped_and_sorted(run, indexes, lines, splits):
    """What a reducer reads: the output of a mapper for each split, sorted by key."""
    mapped = b"".join(
        run(HADOOP / "mapper.sh", "--search", STORY, "--index-dir", indexes,
            input=b"".join(lines[split::splits])).stdout
        for split in range(splits))
    assert all(line.count(b"\t") == 1 for line in mapped.splitlines())
    return mapped, run("sort", "-t", "\t", "-k1,1", input=mapped, env={"LC_ALL": "C"}).stdout


def hadoop_records(story, count, first=0):
    """Of each 7 reports, four are of one crash, two of another, and one is no report."""
    other = story.replace(
        "0x00000001002474e0 0x100228000 + 128224", "0x000000010024563c 0x100228000 + 120380")
    values = [story, story, other, story, "no report", other, story]
    return [json.dumps({"id": f"record {n:03}", "report": values[n % 7]}).encode() + b"\n"
            for n in range(first, first + count)]


def test_mapper_and_reducer(run, indexes, story):
    """Splits, a mapper for each, a sort, and a reducer: counts in are counts out."""
    mapped, ordered = mapped_and_sorted(run, indexes, hadoop_records(story, 35), 3)
    assert sorted(json.loads(line.split(b"\t")[1])["id"] for line in mapped.splitlines()) == [
        f"record {n:03}" for n in range(35)]
    output = run(HADOOP / "reducer.sh", input=ordered).stdout.decode().splitlines()
    failed, groups = output[:5], [json.loads(line) for line in output[5:]]
    assert [line.split("\t")[0] for line in failed] == ["-"] * 5
    assert [json.loads(line[2:])["id"] for line in failed] == [f"record {n:03}" for n in range(4, 35, 7)]
    assert [group["count"] for group in groups] == [20, 10]
    most, second = groups
    assert "one-time initialization function for rounds" in most["key"]
    assert (most["sample"], second["sample"]) == ("record 000", "record 002")
    # The report's own facts: Hardware, OS and Date of the example report.
    assert most["devices"]["count"] == 1
    assert most["first"] == most["last"] == groups[1]["first"]
    assert [entry["count"] for entry in most["osVersions"]["values"]] == [20]
    assert [entry["count"] for entry in most["appVersions"]["values"]] == [20]


def test_reducers_can_be_merged(run, indexes, story):
    """Two days, reduced apart and merged, are the same as both in one run."""
    days = [hadoop_records(story, 21), hadoop_records(story, 14, first=21)]

    def reduced(lines):
        _, ordered = mapped_and_sorted(run, indexes, lines, 2)
        output = run(HADOOP / "reducer.sh", input=ordered).stdout.splitlines(keepends=True)
        return b"".join(line for line in output if not line.startswith(b"-\t"))

    together = reduced(days[0] + days[1])
    apart = reduced(days[0]) + reduced(days[1])
    assert [json.loads(line)["count"] for line in together.splitlines()] == [20, 10]
    merged = run("symbolicate", "group", "--merge", "--format", "ndjson", "-", input=apart).stdout
    assert merged == together


def test_reducer_of_failures_alone(run):
    lines = b'-\t{"id":1,"code":"no-report"}\n-\t{"id":2,"code":"no-report"}\n'
    assert run(HADOOP / "reducer.sh", input=lines).stdout == lines
    assert run(HADOOP / "reducer.sh", input=b"").stdout == b""


def test_mapper_fails_if_its_worker_does(run, wrapper, tmp_path, story):
    """Hadoop runs it again then."""
    (tmp_path / "bin" / "symbolicate").unlink()
    (tmp_path / "bin" / "symbolicate").symlink_to(wrapper(
        "#!/bin/bash\nhead -n 2 | REAL \"$@\"; kill -KILL $$\n"))
    result = run(HADOOP / "mapper.sh", "--search", STORY, input=b"".join(records(story, 9)),
                 check=False)
    assert result.returncode != 0
