#!/usr/bin/env python3
"""Runs Debian's debuginfod over a folder, on 127.0.0.1 and a free port.

    run_debuginfod.py FOLDER DATABASE BUILD-ID

Prints the port when the server has the debug information of BUILD-ID. The server ends when standard
input does, so it never outlives the test that started it.
"""

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

folder, database, build_id = sys.argv[1:]
environment = {key: value for key, value in os.environ.items() if key != "DEBUGINFOD_URLS"}


def start():
    """A server on a port that was free a moment ago."""
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port = chosen.getsockname()[1]
    return port, subprocess.Popen(
        ["debuginfod", "-p", str(port), "-d", database, "-F", folder],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


port, server = start()


def stop(*_):
    server.kill()
    server.wait()
    os._exit(0)


def stop_at_end_of_input():
    sys.stdin.read()
    stop()


signal.signal(signal.SIGTERM, stop)
threading.Thread(target=stop_at_end_of_input, daemon=True).start()
# It may take long on a busy machine. If another process took the port first, the server has ended.
for _ in range(3000):
    if server.poll() is not None:
        port, server = start()
    try:
        url = f"http://127.0.0.1:{port}/buildid/{build_id}/debuginfo"
        with urllib.request.urlopen(url, timeout=5) as answer:
            answer.read()
        break
    except (urllib.error.URLError, http.client.HTTPException, OSError):
        time.sleep(0.1)
else:
    print("debuginfod does not serve the build-id", file=sys.stderr)
    stop()
print(port, flush=True)
server.wait()
