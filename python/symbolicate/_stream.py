"""Records on their way through a worker and back."""

import collections
import contextlib
import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from typing import Any, Union

Record = Union[bytes, str, "os.PathLike[str]", Mapping[str, Any]]
"""A report as bytes or text, the path of one, or a record as `symbolicate worker` reads it."""

Answer = dict[str, Any]
"""What the worker answered: `id`, `ok`, and the result or an `error` (`code` and `message`).

The id is that of the record. A path is its own id, and other records without one have their place
among the records, from 0.
"""


class WorkerEnded(RuntimeError):
    """The worker ended by itself before the last answer, or with a status other than 0.

    `errors` is the end of its standard error; `ids` are those of the records without an answer.
    """

    def __init__(self, status: int, errors: str, ids: "list[Any]") -> None:
        super().__init__(
            f"symbolicate worker ended with status {status}; {len(ids)} records that it was given "
            f"have no answer: {errors.strip() or 'it wrote nothing to standard error'}")
        self.status, self.errors, self.ids = status, errors, ids


class Question:
    """A record that has no answer yet. The worker sees its number as the id."""

    def __init__(self, number, record):
        self.number = self.id = number
        self.file = None
        if isinstance(record, Mapping):
            values, self.id = record, record.get("id", number)
        elif isinstance(record, (bytes, str)):
            try:
                values = {"report": record if isinstance(record, str) else record.decode("utf-8")}
            except UnicodeDecodeError:  # JSON holds only text.
                self.file = tempfile.NamedTemporaryFile(prefix="symbolicate-")
                self.file.write(record)
                self.file.flush()
                values = {"path": self.file.name}
        else:
            self.id = os.fspath(record)
            values = {"path": os.path.abspath(record)}
        self.line = json.dumps({**values, "id": number}).encode("ascii") + b"\n"

    def close(self):
        if self.file:
            self.file.close()


class Stream:
    """One iteration: a thread writes records to the worker, the caller's thread reads answers.

    Since these are two threads, neither a long line nor a slow caller can block both ends. The
    worker answers in order, so `_pending` has the records that another worker must take over.
    """

    def __init__(self, command, records, window):
        self._command, self._records = command, records
        self._room = threading.Semaphore(window - 1)  # Taken after a record, not before it.
        self._lock = threading.Lock()  # Held to write to the worker, and to replace it.
        self._pending = collections.deque()
        self._worker = self._error = None
        self._has_answered = self._is_complete = self._is_stopped = False

    def answers(self):
        """One answer for each record, in order."""
        with tempfile.TemporaryFile() as self._errors:
            self._start()
            try:
                threading.Thread(target=self._write_all, daemon=True).start()
                while True:
                    if answer := self._read():
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
        if self._error:
            raise self._error

    def stop(self):
        """Ends the worker. Any thread may call it."""
        self._is_stopped = True
        if self._worker:
            self._worker.kill()
        self._room.release()

    def _write_all(self):
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

    def _start(self):
        self._worker = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors)
        self._has_answered = False
        if self._is_stopped:
            self._worker.kill()

    def _write(self, question):
        with contextlib.suppress(BrokenPipeError):  # The reader notices that the worker has ended.
            self._worker.stdin.write(question.line)
            self._worker.stdin.flush()

    def _close_input(self):
        with contextlib.suppress(BrokenPipeError):
            self._worker.stdin.close()

    def _read(self):
        """The next answer; None if the worker has ended. A line without its end is no answer."""
        line = self._worker.stdout.readline()
        if not line.endswith(b"\n"):
            if self._is_stopped:
                raise ValueError("the Symbolicator was closed")
            return None
        answer = json.loads(line)
        # A record that is not valid JSON has no id.
        next_number = self._pending[0].number
        if answer["id"] != next_number and (answer["ok"] or answer["id"] is not None):
            raise RuntimeError(f"the worker answered {answer['id']!r}; {next_number} was next")
        self._has_answered = True
        return self._settle(answer)

    def _settle(self, answer):
        question = self._pending.popleft()
        question.close()
        self._room.release()
        return {**answer, "id": question.id}

    def _answer_alone(self, question):
        """The answer for a record that may have ended a worker; no other record is with this one."""
        self._write(question)
        if answer := self._read():
            return answer
        status, errors = self._end()
        if status >= 0:
            raise self._ended(status, errors)
        self._start()
        message = f"signal {-status} ended two workers that had this record; {errors.strip()}"
        error = {"code": "worker-killed", "message": message.rstrip("; ")}
        return self._settle({"ok": False, "error": error})

    def _end(self):
        """Waits for the end of the worker. Returns its status, negative for a signal, and the last
        4 KB of standard error."""
        status = self._worker.wait()
        self._close_input()
        self._worker.stdout.close()
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 4096))
        return status, self._errors.read().decode("utf-8", "replace")

    def _ended(self, status, errors):
        return WorkerEnded(status, errors, [question.id for question in self._pending])
