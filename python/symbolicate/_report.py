"""What the JSON of a symbolicated report says, as objects."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Optional


class SymbolicationError(Exception):
    """A file that holds no report, or cannot be read. `code` is one of those of the worker, such as
    `no-report` and `unreadable`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Frame:
    """A call: of a function, or one that the compiler inlined. What nobody knows is None.

    `address` and `image_offset` are numbers. `json` is the whole frame as docs/json.md describes it.
    """

    function: Optional[str]
    file: Optional[str]
    path: Optional[str]
    line: Optional[int]
    column: Optional[int]
    image: Optional[str]
    image_offset: Optional[int]
    address: Optional[int]
    inlined: bool
    json: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def _of(cls, json: Mapping[str, Any]) -> "Frame":
        address = json["address"]
        return cls(
            json["function"], json["file"], json["path"], json["line"], json["column"],
            json["imageName"], json["imageOffset"], None if address is None else int(address, 16),
            json["inlined"], json)

    def __str__(self) -> str:
        """`GameData.rounds (GameData.swift:14)`, or the image and the offset in it."""
        if self.function is None:
            if self.image is not None and self.image_offset is not None:
                return f"{self.image} + {self.image_offset}"
            return "?" if self.address is None else hex(self.address)
        if self.file is None:
            return self.function
        return f"{self.function} ({self.file}{f':{self.line}' if self.line else ''})"


@dataclass(frozen=True)
class Backtrace:
    """The calls of a thread, the innermost first; or those of an exception, or a tree of samples.

    `kind` is `thread`, `lastException`, `applicationSpecific` or `digest`.
    """

    kind: str
    number: Optional[int]
    name: Optional[str]
    crashed: bool
    frames: "tuple[Frame, ...]"
    json: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def _of(cls, json: Mapping[str, Any]) -> "Backtrace":
        frames = tuple(Frame._of(frame) for frame in json["frames"])
        return cls(json["kind"], json["number"], json["name"], json["crashed"], frames, json)

    def __iter__(self) -> Iterator[Frame]:
        return iter(self.frames)


@dataclass(frozen=True)
class Report:
    """A symbolicated report. `json` is all of it, as docs/json.md describes it."""

    format: str
    event: Optional[str]
    process: Optional[str]
    date: Optional[str]
    reason: Optional[str]
    signature: Optional[str]
    backtraces: "tuple[Backtrace, ...]" = field(repr=False)
    json: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def _of(cls, json: Mapping[str, Any]) -> "Report":
        return cls(
            json["format"], json["event"], (json["process"] or {}).get("name"), json["date"],
            (json["crash"] or {}).get("reason"), (json["signature"] or {}).get("text"),
            tuple(Backtrace._of(backtrace) for backtrace in json["backtraces"]), json)

    @property
    def crashed(self) -> Optional[Backtrace]:
        """The thread that crashed; None if the report does not say which."""
        return next((each for each in self.backtraces if each.crashed), None)


@dataclass(frozen=True)
class Document:
    """All reports of a file. Most files hold one."""

    reports: "tuple[Report, ...]"
    json: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def backtraces(self) -> "tuple[Backtrace, ...]":
        """Those of all reports, in their order."""
        return tuple(each for report in self.reports for each in report.backtraces)

    @property
    def crashed(self) -> Optional[Backtrace]:
        """The first thread that crashed."""
        return next((each for each in self.backtraces if each.crashed), None)

    def __iter__(self) -> Iterator[Report]:
        return iter(self.reports)


def document(answer: Mapping[str, Any]) -> Document:
    """The objects of an answer in JSON: one of a Symbolicator with the output `json`, or a document of
    `symbolicate --format json`. Raises SymbolicationError if it has an error."""
    if error := answer.get("error"):
        raise SymbolicationError(error["code"], error["message"])
    if "reports" not in answer:
        raise ValueError("the answer has no reports in JSON; give the Symbolicator output='json'")
    return Document(tuple(Report._of(report) for report in answer["reports"]), answer)
