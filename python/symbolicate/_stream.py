"""Records on their way through a worker and back."""

import contextlib
import json
import os
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import IO, Any, Optional, Union

Record = Union[bytes, str, "os.PathLike[str]", Mapping[str, Any]]
"""A report as bytes or text, the path of one, or a record as `symbolicate worker` reads it."""

Answer = dict[str, Any]
"""What the worker answered: `id`, `ok`, and the result or an `error` (`code` and `message`).

The id is that of the record. A path is its own id, and other records without one have their place
among the records, from 0.
"""


class WorkerEnded(RuntimeError):
    """The worker ended by itself before the last answer, or with a status other than 0.

    `errors` is the end of what it wrote to standard error; `ids` are those of the records that have
    no answer.
    """

    def __init__(self, status: int, errors: str, ids: Sequence[Any]) -> None:
        super().__init__(
            f"symbolicate worker ended with status {status}; {len(ids)} records that it was given "
            f"have no answer: {errors.strip() or 'it wrote nothing to standard error'}")
        self.status, self.errors, self.ids = status, errors, list(ids)


class Question:
    """A record that has no answer yet. The worker sees its number as the id."""

    def __init__(self, number: int, record: Record) -> None:
        self.number = number
        self.identifier: Any = number
        self._file: Optional[IO[bytes]] = None
        if isinstance(record, (bytes, str)):
            values = self._report(record)
        elif isinstance(record, Mapping):
            values, self.identifier = dict(record), record.get("id", number)
        else:
            self.identifier = os.fspath(record)
            values = {"path": os.path.abspath(record)}
        self.line = json.dumps({**values, "id": number}).encode("ascii") + b"\n"

    def _report(self, report: Union[bytes, str]) -> dict[str, Any]:
        if isinstance(report, str):
            return {"report": report}
        try:
            return {"report": report.decode("utf-8")}
        except UnicodeDecodeError:
            # JSON holds only text. A binary report goes through a file.
            self._file = tempfile.NamedTemporaryFile(prefix="symbolicate-")
            self._file.write(report)
            self._file.flush()
            return {"path": self._file.name}

    def close(self) -> None:
        """Removes the file that was made for the record."""
        if self._file is not None:
            self._file.close()


class Stream:
    """One iteration: a thread writes records to the worker, the caller's thread reads answers.

    Since these are two threads, neither a long line nor a slow caller can block both ends. The
    worker answers in order, so `_pending` has the records that another worker must take over.
    """

    def __init__(self, command: Sequence[str], records: Iterable[Record], window: int) -> None:
        self._command, self._records = command, records
        self._room = threading.Semaphore(window - 1)  # Taken after a record, not before it.
        self._lock = threading.Lock()  # Held to write to the worker, and to replace it.
        self._pending: deque[Question] = deque()
        self._worker: Optional[subprocess.Popen[bytes]] = None
        self._has_answered = self._is_complete = self._is_stopped = False
        self._error: Optional[BaseException] = None

    def answers(self) -> Generator[Answer, None, None]:
        """One answer for each record, in order."""
        with tempfile.TemporaryFile() as self._errors:
            self._start()
            try:
                threading.Thread(target=self._write_all, daemon=True).start()
                while True:
                    if (answer := self._read()) is not None:
                        yield answer
                        continue
                    with self._lock:
                        status, errors = self._end()
                        is_idle = not self._pending
                        if is_idle and self._is_complete and status <= 0:
                            break
                        # One that is killed before it has answered anything would be killed again.
                        if status >= 0 or is_idle and not self._has_answered:
                            raise self._ended(status, errors)
                        self._start()
                        for question in list(self._pending):
                            yield self._answer_alone(question)
                        if self._is_complete:
                            self._close_input()
            finally:
                self.stop()
                with self._lock:
                    self._end()
                for question in self._pending:
                    question.close()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Ends the worker. Any thread may call it."""
        self._is_stopped = True
        if self._worker is not None:
            self._worker.kill()
        self._room.release()

    def _write_all(self) -> None:
        try:
            for number, record in enumerate(self._records):
                question = Question(number, record)
                with self._lock:
                    if self._is_stopped:
                        return question.close()
                    self._pending.append(question)
                    self._write(question)
                self._room.acquire()
        except BaseException as error:
            self._error = error  # `answers` raises it.
        with self._lock:
            self._is_complete = True
            self._close_input()

    def _start(self) -> None:
        worker = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)
        assert worker.stdin and worker.stdout
        self._worker, self._input, self._output = worker, worker.stdin, worker.stdout
        self._has_answered = False
        if self._is_stopped:
            worker.kill()

    def _write(self, question: Question) -> None:
        with contextlib.suppress(BrokenPipeError):  # The reader notices that the worker has ended.
            self._input.write(question.line)
            self._input.flush()

    def _close_input(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._input.close()

    def _read(self) -> Optional[Answer]:
        """The next answer; None if the worker has ended. A line without its end is no answer."""
        line = self._output.readline()
        if not line.endswith(b"\n"):
            if self._is_stopped:
                raise ValueError("the Symbolicator was closed")
            return None
        answer = json.loads(line)
        # A record that is not valid JSON has no id.
        allowed = [self._pending[0].number, *([] if answer["ok"] else [None])]
        if answer["id"] not in allowed:
            raise RuntimeError(f"the worker answered {answer['id']!r}; {allowed[0]!r} was next")
        self._has_answered = True
        return self._settle(answer)

    def _settle(self, answer: Answer) -> Answer:
        question = self._pending.popleft()
        question.close()
        self._room.release()
        return {**answer, "id": question.identifier}

    def _answer_alone(self, question: Question) -> Answer:
        """The answer for a record that may have ended a worker; no other record is with this one."""
        self._write(question)
        answer = self._read()
        if answer is None:
            status, errors = self._end()
            if status >= 0:
                raise self._ended(status, errors)
            self._start()
            message = f"signal {-status} ended two workers that had this record; {errors.strip()}"
            error = {"code": "worker-killed", "message": message.rstrip("; ")}
            answer = self._settle({"ok": False, "error": error})
        return answer

    def _end(self) -> tuple[int, str]:
        """Waits for the end of the worker. Returns its status, negative for a signal, and the last
        4 KB of standard error."""
        assert self._worker is not None
        status = self._worker.wait()
        self._close_input()
        self._output.close()
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 4096))
        return status, self._errors.read().decode("utf-8", "replace")

    def _ended(self, status: int, errors: str) -> WorkerEnded:
        return WorkerEnded(status, errors, [question.identifier for question in self._pending])
