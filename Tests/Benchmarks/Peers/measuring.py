"""Runs whole processes, and measures their time and memory."""
import ctypes
import os
import shutil
import textwrap
import time
from dataclasses import dataclass, field

PTRACE_TRACEME, PTRACE_CONT, PTRACE_SETOPTIONS = 0, 7, 0x4200
PTRACE_O_TRACEEXEC, PTRACE_O_TRACEEXIT, PTRACE_O_EXITKILL = 0x10, 0x40, 0x100000
POLL_SECONDS = 0.0005

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


class Failure(Exception):
    """A process failed."""


@dataclass
class Invocation:
    """`program` is the file to run; `arguments[0]` is the name that it sees as its own."""
    program: str
    arguments: list
    output: str
    input: str = "/dev/null"
    environment: dict = field(default_factory=dict)
    # A folder that must not exist when the process starts.
    fresh_folder: str = None
    accepted_statuses: tuple = (0,)

    def prepare(self):
        if self.fresh_folder:
            shutil.rmtree(self.fresh_folder, ignore_errors=True)

    def __str__(self):
        return textwrap.shorten(" ".join([self.program] + self.arguments[1:]), 400)

    @property
    def whole_environment(self):
        return {**os.environ, **self.environment}


@dataclass
class Memory:
    """Peaks, in bytes."""
    # All pages that were touched, including those of mapped files. It is read from VmHWM, because ru_maxrss
    # of a child includes the memory of this script at the start of the child.
    resident: int
    # Memory that does not belong to files: the maximum of RssAnon in samples taken every half millisecond, and
    # at the end of the process. Memory freed between two samples may be missed.
    anonymous: int


def run(invocation):
    """Runs a process with its output in a file, and returns the seconds from before its start to its end."""
    invocation.prepare()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, invocation.input, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, invocation.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
        (os.POSIX_SPAWN_OPEN, 2, invocation.output + ".errors", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
    ]
    environment = invocation.whole_environment
    start = time.perf_counter()
    process = os.posix_spawn(invocation.program, invocation.arguments, environment, file_actions=actions)
    _, status = os.waitpid(process, 0)
    seconds = time.perf_counter() - start
    check(invocation, status)
    return seconds


def check(invocation, status):
    code = os.waitstatus_to_exitcode(status)
    if code not in invocation.accepted_statuses:
        with open(invocation.output + ".errors", errors="replace") as errors:
            raise Failure(f"{invocation}: status {code}: {errors.read()[-400:].strip()}")


def memory(invocation):
    """Runs a process under ptrace(2), to take a last sample when it is about to exit."""
    invocation.prepare()
    process = os.fork()
    if process == 0:
        become(invocation)
    status = os.waitpid(process, 0)[1]
    if os.WIFSTOPPED(status):
        options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL
        libc.ptrace(PTRACE_SETOPTIONS, process, None, options)
        libc.ptrace(PTRACE_CONT, process, None, None)
    resident = anonymous = 0
    while True:
        changed, status = os.waitpid(process, os.WNOHANG)
        if changed and not os.WIFSTOPPED(status):
            break
        sample = resident_memory(process)
        resident, anonymous = max(resident, sample[0]), max(anonymous, sample[1])
        if changed:
            # Exit and exec are events; everything else is a signal, which is delivered.
            is_event = status >> 16 != 0
            delivered = None if is_event else os.WSTOPSIG(status)
            libc.ptrace(PTRACE_CONT, process, None, delivered)
        else:
            time.sleep(POLL_SECONDS)
    check(invocation, status)
    return Memory(resident, anonymous)


def become(invocation):
    """In the child: never returns."""
    try:
        os.dup2(os.open(invocation.input, os.O_RDONLY), 0)
        os.dup2(os.open(invocation.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), 1)
        os.dup2(os.open(invocation.output + ".errors", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), 2)
        # If ptrace is forbidden, the other samples have to do.
        libc.ptrace(PTRACE_TRACEME, 0, None, None)
        os.execve(invocation.program, invocation.arguments, invocation.whole_environment)
    finally:
        os._exit(127)


def resident_memory(process):
    """VmHWM and RssAnon of proc_pid_status(5), in bytes; zeros for a process that has ended."""
    values = {b"VmHWM": 0, b"RssAnon": 0}
    try:
        with open(f"/proc/{process}/status", "rb") as file:
            for line in file:
                key, _, value = line.partition(b":")
                if key in values:
                    values[key] = int(value.split()[0]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return values[b"VmHWM"], values[b"RssAnon"]
