"""Starts programs for `programs.Launcher`: a line of JSON in, a line of JSON out."""

import json
import os
import resource
import signal
import sys


def main():
    seconds = float(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin:
        words, environment, output, errors = json.loads(line)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        child = os.posix_spawn(words[0], words, environment, file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, output, flags, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, errors, flags, 0o600)])
        late = []
        signal.signal(signal.SIGALRM, lambda *_: (late.append(True), os.kill(child, signal.SIGKILL)))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        _, status, usage = os.wait4(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        code = None if late else os.waitstatus_to_exitcode(status)
        print(json.dumps([code, usage.ru_maxrss]), flush=True)


if __name__ == "__main__":
    main()
