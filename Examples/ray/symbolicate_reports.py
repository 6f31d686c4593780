"""Symbolicates a directory of crash reports with Ray Data, and writes a row for each as Parquet.

    symbolicate_reports.py REPORTS OUT --search SYMBOLS [--workers N]

Each actor keeps a worker of the package `symbolicate`, which all nodes need: list the wheel in the `pip`
of the runtime environment. SYMBOLS is a directory on a path that all nodes share.
"""

import argparse

from symbolicate import Symbolicator


class Symbolicate:
    """What an actor does with a batch of files: `path` and `bytes` become rows of answers."""

    def __init__(self, search: "list[str]") -> None:
        self.symbolicator = Symbolicator(search=search)

    def __call__(self, batch: dict) -> "dict[str, list]":
        rows: "dict[str, list]" = {"path": list(batch["path"])}
        for name in "ok", "error", "signature", "reason":
            rows[name] = []
        for answer in self.symbolicator.symbolicate_many(map(bytes, batch["bytes"])):
            report = (answer.get("reports") or [{}])[0]
            rows["ok"].append(answer["ok"])
            rows["error"].append((answer.get("error") or {}).get("message"))
            rows["signature"].append((report.get("signature") or {}).get("text"))
            rows["reason"].append((report.get("crash") or {}).get("reason"))
        return rows


def main() -> None:
    import ray

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("reports")
    parser.add_argument("out")
    parser.add_argument("--search", action="append", required=True, help="the directory with symbols")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    files = ray.data.read_binary_files(arguments.reports, include_paths=True)
    rows = files.map_batches(
        Symbolicate, fn_constructor_args=[arguments.search], concurrency=arguments.workers,
        batch_size=64)
    rows.write_parquet(arguments.out)


if __name__ == "__main__":
    main()
