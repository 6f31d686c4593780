"""The Spark job, with real executors on this machine: two, each a process of its own."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pyspark
import pytest

from conftest import ROOT, STORY

JOB = ROOT / "Examples" / "spark" / "symbolicate_job.py"

# The callers in two crashes, as llvm-symbolizer names them: Fixtures/LetterShuffle/README.md.
CRASHES = {
    "story": "one-time initialization function for rounds",
    "other": "GameViewController.loadRound(_:)",
}


def other_crash(story):
    """The same report with another caller of the function that crashed."""
    other = story.replace(
        "0x00000001002474e0 0x100228000 + 128224", "0x000000010024563c 0x100228000 + 120380")
    assert other != story
    return other


def submit(folder, *arguments):
    """Starts the job. What Spark itself writes goes below the folder."""
    home = pathlib.Path(pyspark.__file__).parent
    settings = {
        "spark.ui.enabled": "false",
        "spark.log.level": "ERROR",
        "spark.executor.memory": "512m",
        "spark.driver.memory": "512m",
        "spark.sql.shuffle.partitions": "2",
    }
    command = [home / "bin" / "spark-submit", "--master", "local-cluster[2,1,1024]"]
    for name, value in settings.items():
        command += ["--conf", f"{name}={value}"]
    environment = {
        **os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_WORKER_DIR": str(folder / "workers"),
        "SPARK_LOCAL_DIRS": str(folder / "local")}
    return subprocess.Popen(
        [*command, JOB, *arguments], stdout=subprocess.PIPE, text=True, env=environment)


def outcome(process):
    """The exit status and the counts that the job prints."""
    output, _ = process.communicate(timeout=300)
    lines = output.strip().splitlines()
    return process.returncode, json.loads(lines[-1]) if lines else None


@pytest.fixture(scope="module")
def spark():
    """Reads and writes the tables, in this process."""
    from pyspark.sql import SparkSession
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = session.config("spark.sql.shuffle.partitions", "1").getOrCreate()
    yield session
    session.stop()


def rows(spark, folder, table, order):
    return [row.asDict() for row in spark.read.parquet(str(folder / table)).orderBy(order).collect()]


def test_files(spark, program, story, signs, indexes_for_reports, tmp_path):
    """A directory of reports; some are poisoned. Each has its row, and each crash its group."""
    reports = tmp_path / "reports"
    (reports / "of iOS 100%").mkdir(parents=True)
    other = other_crash(story)
    for number in range(30):
        (reports / f"story-{number}.crash").write_text(story)
    for number in range(12):
        (reports / "of iOS 100%" / f"other {number}.crash").write_text(other)
    (reports / "windows.crash").write_bytes(story.replace("\n", "\r\n").encode())
    (reports / "note.crash").write_text(story + "\n\u2028\u2029\0\x1f\"\\\t \U0001f41b\n")
    (reports / "bytes.crash").write_bytes(story.encode() + b"\n\xff\xfe\n")
    # Spark itself leaves out empty files.
    (reports / "empty.crash").write_bytes(b"")
    (reports / "letter.txt").write_text("{\"id\": 1}\nDear user,\nthis is no report.\n")

    out, indexes = tmp_path / "out", tmp_path / "indexes"
    status, counts = outcome(submit(
        tmp_path, reports, out, "--search", STORY, "--index-dir", indexes, "--program", program,
        "--partitions", "4"))
    assert counts == {"reports": 46, "answers": 46, "distinct": 46, "lost": 0, "failed": 1}
    assert status == 0
    assert not indexes_for_reports or len(list(indexes.iterdir())) == 1

    answers = rows(spark, out, "answers", "id")
    files = sorted(f"file:{path}" for path in reports.rglob("*")
                   if path.is_file() and path.stat().st_size > 0)
    assert [row["id"] for row in answers] == files
    failed = {pathlib.Path(row["id"]).name: row["code"] for row in answers if not row["ok"]}
    assert failed == {"letter.txt": "no-report"}

    if not signs:
        return
    second, first = rows(spark, out, "groups", "count")
    assert (first["count"], second["count"]) == (33, 12)
    assert CRASHES["story"] in first["signature"]
    assert CRASHES["story"] not in second["signature"]
    assert CRASHES["other"] in second["signature"]
    assert (first["devices"], first["versions"]) == (1, ["6 (1.3)"])


# Lets 30 lines through, and then waits until the test has done its part.
HALTED = """#!/bin/bash
[ "$1" = worker ] || exec REAL "$@"
[ -e FOLDER/go ] && exec REAL "$@"
{
  for each in {1..30}; do IFS= read -r line && printf '%s\\n' "$line"; done
  echo $PPID >> FOLDER/waiting
  until [ -e FOLDER/go ]; do /bin/sleep 0.1; done
  exec /bin/cat
} | REAL "$@"
"""


def table_of(spark, path, story, count):
    values = [(f"report {number}", story) for number in range(count)]
    frame = spark.createDataFrame(values, "id string, report string")
    frame.repartition(4).write.parquet(str(path))


def test_executor_is_killed(spark, wrapper, story, signs, tmp_path):
    """In the middle of its partition. Spark runs that anew elsewhere."""
    table_of(spark, tmp_path / "reports", story, 400)
    out = tmp_path / "out"
    process = submit(
        tmp_path, tmp_path / "reports", out, "--parquet", "--search", STORY, "--index-dir",
        tmp_path / "indexes", "--program", wrapper(HALTED), "--partitions", "4")
    waiting = tmp_path / "waiting"
    while not (waiting.exists() and waiting.read_text().endswith("\n")):
        assert process.poll() is None
        time.sleep(0.1)
    os.kill(executor_of(int(waiting.read_text().split()[0])), signal.SIGKILL)
    (tmp_path / "go").touch()
    status, counts = outcome(process)
    assert counts == {"reports": 400, "answers": 400, "distinct": 400, "lost": 0, "failed": 0}
    assert status == 0
    assert [group["count"] for group in rows(spark, out, "groups", "hash")] == [400] * signs


def executor_of(number):
    """The Java process that a worker's Python process belongs to."""
    while b"CoarseGrainedExecutorBackend" not in pathlib.Path(f"/proc/{number}/cmdline").read_bytes():
        number = int(pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
        assert number > 1, "the worker has no executor"
    return number


# Each worker dies after 20 lines; from the second attempt on, only at a record with a mark.
DYING = """#!/bin/bash
[ "$1" = worker ] || exec REAL "$@"
if [ -e FOLDER/out/answers/attempt=1/_SUCCESS ]; then
  stop='/DEADLY/Q'
else
  stop='20Q'
fi
/bin/sed --unbuffered "$stop" | REAL "$@"
kill -KILL $$
"""


def test_killed_workers_show_in_the_data(spark, wrapper, story, tmp_path):
    """The exit status of a worker is not looked at. What it leaves is asked again, and what ends the
    second one too is named."""
    values = [(f"report {number:03}", story) for number in range(200)] + [("bad", "DEADLY")]
    frame = spark.createDataFrame(values, "id string, report string")
    frame.write.parquet(str(tmp_path / "reports"))
    out = tmp_path / "out"
    status, counts = outcome(submit(
        tmp_path, tmp_path / "reports", out, "--parquet", "--search", STORY, "--index-dir",
        tmp_path / "indexes", "--program", wrapper(DYING), "--partitions", "2"))
    lost = [row["id"] for row in rows(spark, out, "lost", "id")]
    answered = [row["id"] for row in rows(spark, out, "answers", "id")]
    assert "bad" in lost
    assert sorted(lost + answered) == sorted(identifier for identifier, _ in values)
    assert counts == {
        "reports": 201, "answers": len(answered), "distinct": len(answered), "lost": len(lost),
        "failed": 0}
    # Two workers, the second time around, and one of them has no bad record.
    assert len(answered) > 40 and status == 1
