"""Asks questions about many crash reports with SQL.

    crashes.py REPORTS --search SYMBOLS

REPORTS is a directory, a report, or an archive of reports. `symbolicate --format ndjson` writes a line
for each report, and DuckDB reads the lines as a table. In a notebook, `.df()` in place of `.show()` gives
a DataFrame of pandas, if that is installed.
"""

import argparse
import subprocess
import tempfile

import duckdb
import symbolicate

# A row for each report. Records of inputs without a report have an error in place of these.
CRASHES = """
    CREATE VIEW crashes AS
    SELECT input, json ->> '$.process.name' AS process, json ->> '$.process.version' AS version,
        json ->> '$.os.version' AS os, left(json ->> '$.date', 10) AS day,
        json ->> '$.crash.reason' AS reason, json ->> '$.signature.text' AS signature
    FROM lines WHERE json ->> '$.error' IS NULL"""

# A row for each call of each backtrace.
FRAMES = """
    CREATE VIEW frames AS
    SELECT input, (backtrace ->> 'crashed')::BOOLEAN AS crashed, frame ->> 'function' AS function,
        frame ->> 'file' AS file, (frame ->> 'line')::BIGINT AS line, frame ->> 'imageName' AS image
    FROM (SELECT input, backtrace, unnest((backtrace -> '$.frames[*]')) AS frame
        FROM (SELECT input, unnest(json -> '$.backtraces[*]') AS backtrace FROM lines))"""


def tables(reports: str, search: "list[str]") -> duckdb.DuckDBPyConnection:
    """A database with the tables `crashes` and `frames`."""
    command = [symbolicate.program(), reports, "--format", "ndjson", "--quiet"]
    for folder in search:
        command += ["--search", folder]
    database = duckdb.connect()
    with tempfile.NamedTemporaryFile(suffix=".ndjson") as file:
        # Status 65 or 66: some inputs hold no report, and their records say why.
        status = subprocess.run(command, stdout=file).returncode
        if status not in (0, 65, 66):
            raise SystemExit(f"symbolicate ended with status {status}")
        database.execute(
            "CREATE TABLE lines AS SELECT json ->> 'input' AS input, json FROM read_ndjson_objects(?)",
            [file.name])
    database.execute(CRASHES)
    database.execute(FRAMES)
    return database


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("reports")
    parser.add_argument("--search", action="append", default=[], help="a directory with symbols")
    arguments = parser.parse_args()
    database = tables(arguments.reports, arguments.search)
    print("The most frequent crashes")
    database.sql("""
        SELECT count(*) AS reports, min(version) AS since, signature FROM crashes
        GROUP BY signature ORDER BY reports DESC, signature LIMIT 10""").show()
    print("The lines of code that most crashes go through")
    database.sql("""
        SELECT count(DISTINCT input) AS reports, file, line, function FROM frames
        WHERE crashed AND line > 0 GROUP BY ALL ORDER BY reports DESC, file, line LIMIT 10""").show()


if __name__ == "__main__":
    main()
