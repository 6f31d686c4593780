"""Symbolicates crash reports with the program `symbolicate`, which this package starts.

    for frame in symbolicate.open("crash.ips", search=["dSYMs"]).crashed:
        print(frame.function, frame.file, frame.line)

    with Symbolicator(search=["dSYMs"]) as symbolicator:
        answer = symbolicator.symbolicate(pathlib.Path("crash.ips").read_bytes())
        for answer in symbolicator.symbolicate_many(pathlib.Path("reports").iterdir()):
            print(answer["id"], answer["ok"])
"""

import os
import pathlib
import queue
import shutil
import sysconfig
import threading
import weakref
from collections.abc import Generator, Iterable
from typing import Optional, Union

from symbolicate._report import Backtrace, Document, Frame, Report, SymbolicationError, document
from symbolicate._stream import Answer, Record, Stream, WorkerEnded

__all__ = [
    "Answer", "Backtrace", "Document", "Frame", "Record", "Report", "SymbolicationError",
    "Symbolicator", "WorkerEnded", "document", "open", "program",
]

Path = Union[str, "os.PathLike[str]"]


def program() -> str:
    """The path of the program: what the environment variable SYMBOLICATE names, else the one that
    the wheel of this package installed, else `symbolicate` on PATH.

    Raises FileNotFoundError if there is none.
    """
    if named := os.environ.get("SYMBOLICATE"):
        if found := shutil.which(named):
            return found
        raise FileNotFoundError(
            f"there is no program {named!r}, which the environment variable SYMBOLICATE names")
    # The commands of this environment, and those beside a package of `pip install --target`.
    beside = pathlib.Path(__file__).parents[1] / "bin"
    for folder in sysconfig.get_path("scripts"), str(beside), None:
        if found := shutil.which("symbolicate", path=folder):
            return found
    raise FileNotFoundError(
        "there is no program 'symbolicate': this package was installed without it. Install a wheel of "
        "a release (symbolicate-…-manylinux….whl), or `make wheel` and dist/symbolicate-*.whl; or "
        "install the program, or name it in the environment variable SYMBOLICATE")


def open(
    path: Path, search: Iterable[Path] = (), *, symbols: Iterable[Path] = (),
    options: Iterable[str] = (),
) -> Document:
    """Symbolicates the report at `path`; what it says, as objects.

    `search`, `symbols` and `options` are those of Symbolicator, which many reports should share.
    Raises SymbolicationError if there is no report, or it cannot be read.
    """
    with Symbolicator(search, symbols=symbols, options=options) as symbolicator:
        return document(symbolicator.symbolicate(pathlib.Path(path)))


class Symbolicator:
    """Symbolicates reports. The end of its `with` statement ends all workers.

    Any thread may call the methods. All calls of `symbolicate` share one worker, and each
    `symbolicate_many` has its own; its iterator belongs to one thread at a time.
    """

    def __init__(
        self, search: Iterable[Path] = (), *, symbols: Iterable[Path] = (),
        index_dir: Optional[Path] = None, output: str = "json", window: int = 64,
        options: Iterable[str] = (),
    ) -> None:
        """`search` and `symbols` are what `--search` and `--dsym` name; `options` go to the worker
        as they are. At most `window` records of an iteration are with the worker."""
        if window < 1:
            raise ValueError("window must be at least 1")
        self.window = window
        self.command = [program(), "worker", "--output", output]
        indexes = [] if index_dir is None else [index_dir]
        for name, paths in ("--search", search), ("--dsym", symbols), ("--index-dir", indexes):
            self.command += [word for path in paths for word in (name, os.fspath(path))]
        self.command += options
        self._streams: "weakref.WeakSet[Stream]" = weakref.WeakSet()
        self._lock = threading.Lock()
        self._reports: "queue.SimpleQueue[Optional[Record]]" = queue.SimpleQueue()
        self._answers: Optional[Generator[Answer, None, None]] = None
        self._is_closed = False

    def symbolicate(self, record: Record) -> Answer:
        """The answer for one record: what is wrong with it is in the answer, and `ok` is False.

        Raises WorkerEnded if the worker ended by itself.
        """
        with self._lock:
            if self._answers is None:
                self._reports = queue.SimpleQueue()
                self._answers = self.symbolicate_many(iter(self._reports.get, None))
            self._reports.put(record)
            try:
                return next(self._answers)
            except BaseException:
                self._answers = None  # The next record gets a new worker.
                raise

    def symbolicate_many(self, records: Iterable[Record]) -> Generator[Answer, None, None]:
        """The answers for `records`, in their order: one for each, whatever happens.

        `records` is read in a thread of its own, at most `window` records ahead. If a signal ends the
        worker, a new one gets the records without an answer, one by one; a record that ends that one
        too has the error `worker-killed`.

        Raises WorkerEnded if the worker ended by itself, and what `records` raises, after the answers
        for the records before.
        """
        if self._is_closed:
            raise ValueError("this Symbolicator is closed")
        stream = Stream(self.command, records, self.window)
        self._streams.add(stream)
        return stream.answers()

    def close(self) -> None:
        """Ends all workers. Iterators that have not ended raise ValueError."""
        self._is_closed = True
        for stream in list(self._streams):
            stream.stop()
        self._reports.put(None)
        with self._lock:
            if self._answers is not None:
                self._answers.close()

    def __enter__(self) -> "Symbolicator":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
