"""Symbolicates crash reports with Spark, and counts them by signature.

    spark-submit symbolicate_job.py REPORTS OUT --search SYMBOLS --index-dir INDEXES

REPORTS is a directory with a report in each file or, with --parquet, a table with the columns `id`
and `report`. SYMBOLS and INDEXES are directories on a path that all executors share. OUT gets three
Parquet tables: `answers`, with a row for each report, `groups`, and `lost`.

`rdd.pipe` ignores the exit status of its command, so a loss must show in the data: `lost` has the ids
without an answer. They are asked a second time first. The exit status is 1 if any are left.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from typing import Optional

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

ANSWER = """id string, ok boolean, code string, message string, hash string, signature string,
    frames long, resolved long, device string, date string, version string, document string"""

# A UUID in the list of images, as text and as JSON.
IMAGE = r'(?i)(?:<|"uuid"\s*:\s*")([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})[>"]'


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("reports")
    parser.add_argument("out")
    parser.add_argument("--parquet", action="store_true", help="REPORTS is a Parquet table")
    parser.add_argument("--search", required=True, help="the directory with the symbols")
    parser.add_argument("--index-dir", required=True, help="the directory for their indexes")
    parser.add_argument("--program", help="default: that of the Python package, or on PATH")
    parser.add_argument("--partitions", type=int, help="as many workers have to be started")
    return parser.parse_args()


def find_program(named: Optional[str]) -> str:
    """The wheel of the Python package has the program, and installs it on every node at one path."""
    if named:
        return shutil.which(named) or named
    try:
        from symbolicate import program
    except ImportError:
        return shutil.which("symbolicate") or "symbolicate"
    return program()


def read_reports(spark: SparkSession, arguments: argparse.Namespace) -> DataFrame:
    """The reports with the columns `id`, which no other report may have, and `report`."""
    if arguments.parquet:
        return spark.read.parquet(arguments.reports).select("id", "report")
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    return files.load(arguments.reports).selectExpr("path AS id", "content AS report")


def make_indexes(reports: DataFrame, arguments: argparse.Namespace, program: str) -> None:
    """Makes the indexes that the reports need, so that workers only map them. What cannot be indexed
    is told on standard error; workers then read the symbols themselves."""
    command = [program, "index", "--search", arguments.search, "--output", arguments.index_dir]
    if not arguments.parquet:
        subprocess.run([*command, "--from", arguments.reports], stdout=subprocess.DEVNULL)
        return
    text = F.col("report").cast("string")
    uuids = reports.select(F.explode(F.regexp_extract_all(text, F.lit(IMAGE), 1))).distinct()
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"{row[0]}\n" for row in uuids.toLocalIterator())
        file.flush()
        subprocess.run([*command, "--uuids", file.name], stdout=subprocess.DEVNULL)


def record(row) -> str:
    """A line for the worker. JSON escapes the newlines in a report, so it is one line."""
    try:
        report = row.report if isinstance(row.report, str) else bytes(row.report).decode("utf-8")
        return json.dumps({"id": row.id, "report": report})
    except UnicodeDecodeError:
        # JSON holds only text. The worker reads a binary report from its file.
        return json.dumps({"id": row.id, "path": row.id.removeprefix("file:")})


def answer(line: str) -> tuple:
    """The row for a line of a worker. Of one that was killed, the last line may be cut."""
    try:
        values = json.loads(line)
    except ValueError:
        values = {"id": None, "ok": False, "error": {"code": "cut", "message": line[:200]}}
    error = values.get("error") or {}
    report = (values.get("reports") or [{}])[0]
    signature = report.get("signature") or {}
    counts = values.get("counts") or {}
    process = report.get("process") or {}
    return (
        values["id"], values["ok"], error.get("code"), error.get("message"),
        signature.get("hash"), signature.get("text"), counts.get("frames"),
        counts.get("resolved"), report.get("crashReporterKey"), report.get("date"),
        process.get("version"), line if values["ok"] else None)


def groups(answers: DataFrame) -> DataFrame:
    """A row for each signature, the most frequent first."""
    return answers.where("hash IS NOT NULL").groupBy("hash").agg(
        F.min("signature").alias("signature"), F.count("*").alias("count"),
        F.countDistinct("device").alias("devices"), F.min("date").alias("first"),
        F.max("date").alias("last"), F.sort_array(F.collect_set("version")).alias("versions"),
        F.min("id").alias("sample")).orderBy(F.desc("count"), "hash")


def main() -> int:
    arguments = parse_arguments()
    spark = SparkSession.builder.appName("symbolicate").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    # The environment of the worker is empty, so its path must be complete.
    program = os.path.abspath(find_program(arguments.program))
    reports = read_reports(spark, arguments)
    make_indexes(reports, arguments, program)
    worker = shlex.join([
        program, "worker", "--search", arguments.search, "--index-dir", arguments.index_dir,
        "--jobs", "1"])

    left = reports
    for attempt in 1, 2:
        partitions = arguments.partitions or spark.sparkContext.defaultParallelism
        lines = left.repartition(partitions).rdd.map(record).pipe(worker)
        rows = spark.createDataFrame(lines.map(answer), ANSWER, verifySchema=False)
        # What a partition has written counts only if it ends: one that runs again doubles nothing.
        rows.write.parquet(f"{arguments.out}/answers/attempt={attempt}")
        answers = spark.read.parquet(f"{arguments.out}/answers")
        left = reports.join(answers, "id", "left_anti")
        if left.isEmpty():
            break
    left.select("id").write.parquet(f"{arguments.out}/lost")
    groups(answers).coalesce(1).write.parquet(f"{arguments.out}/groups")

    named = answers.where("id IS NOT NULL")
    counts = {
        "reports": reports.count(), "answers": named.count(),
        "distinct": named.select("id").distinct().count(), "lost": left.count(),
        "failed": named.where("NOT ok").count()}
    print(json.dumps(counts))
    spark.stop()
    complete = counts["reports"] == counts["answers"] == counts["distinct"]
    return 0 if complete and not counts["lost"] else 1


if __name__ == "__main__":
    sys.exit(main())
