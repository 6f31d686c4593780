#!/usr/bin/env python3
"""A file server for tests, on 127.0.0.1 and a free port, which it prints first.

    symbol_server.py FOLDER LOG

It ends when its standard input does, so it never outlives the test that started it. The first folder
of a path says how to behave, the rest is a file in FOLDER: /normal/PATH, /gzip/PATH, … Each request
is a line in LOG: method, path, and the user that it authenticates as, if any.
"""

import base64
import functools
import gzip
import http.server
import lzma
import os
import sys
import threading
import time


TOGETHER = threading.Barrier(4)


@functools.cache
def bomb():
    return gzip.compress(bytes(64 << 20), 1)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        parts = self.path.split("/", 2)
        behaviour, path = parts[1], parts[2] if len(parts) > 2 else ""
        self.note()
        answer = getattr(self, "answer_" + behaviour, None)
        if answer is None:
            self.send_error(404)
            return
        answer(path)

    def note(self):
        user = "-"
        kind, _, value = self.headers.get("Authorization", "").partition(" ")
        if kind == "Basic":
            user = base64.b64decode(value).decode().split(":")[0]
        with open(sys.argv[2], "a") as log:
            log.write(f"{self.command} {self.path} {user}\n")

    def content(self, path):
        """The bytes of a file in the folder; None, after an answer, if there is none."""
        from urllib.parse import unquote

        name = os.path.realpath(os.path.join(sys.argv[1], unquote(path)))
        if not name.startswith(os.path.realpath(sys.argv[1]) + "/") or not os.path.isfile(name):
            self.send_error(404)
            return None
        with open(name, "rb") as file:
            return file.read()

    def send(self, content, headers=(), size=None):
        self.send_response(200)
        self.send_header("Content-Length", str(len(content) if size is None else size))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def redirect(self, target):
        self.send_response(302)
        self.send_header("Location", target)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def answer_normal(self, path):
        content = self.content(path)
        if content is not None:
            self.send(content)

    def answer_gzip(self, path):
        content = self.content(path)
        if content is not None:
            self.send(gzip.compress(content))

    def answer_encoded(self, path):
        """Compressed although nobody asked for it, and said so."""
        content = self.content(path)
        if content is not None:
            self.send(gzip.compress(content), [("Content-Encoding", "gzip")])

    def answer_xz(self, path):
        content = self.content(path)
        if content is not None:
            self.send(lzma.compress(content))

    def answer_bomb(self, path):
        if self.content(path) is not None:
            self.send(bomb())

    def answer_slow(self, path):
        """A byte now and then, for as long as the client waits (at most a minute)."""
        if self.content(path) is None:
            return
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        for _ in range(120):
            try:
                self.wfile.write(b".")
                self.wfile.flush()
            except OSError:
                return
            time.sleep(0.5)

    def answer_endless(self, path):
        """A body without an end, as long as the client reads it (at most a gigabyte)."""
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        self.write_endlessly(bytes(1 << 16))

    def answer_detour(self, path):
        """The same in the body of a redirect. Clients read it to use the connection again."""
        self.send_response(302)
        self.send_header("Location", "/loop/" + path)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.write_endlessly(b"10000\r\n" + bytes(1 << 16) + b"\r\n")

    def write_endlessly(self, piece):
        for _ in range(1 << 14):
            try:
                self.wfile.write(piece)
            except OSError:
                return

    def answer_unhurried(self, path):
        """The whole file, in about three seconds."""
        content = self.content(path)
        if content is None:
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        step = len(content) // 6 + 1
        for start in range(0, len(content), step):
            self.wfile.write(content[start : start + step])
            self.wfile.flush()
            time.sleep(0.5)

    def answer_broken(self, path):
        """The connection ends in the middle."""
        content = self.content(path)
        if content is not None:
            self.send(content[: len(content) // 2], size=len(content))
            self.close_connection = True

    def answer_cut(self, path):
        """Half the file, as if it were whole."""
        content = self.content(path)
        if content is not None:
            self.send(content[: len(content) // 2])

    def answer_empty(self, path):
        if self.content(path) is not None:
            self.send(b"")

    def answer_html(self, path):
        self.send(b"<!DOCTYPE html><title>Not here</title>", [("Content-Type", "text/html")])

    def answer_cab(self, path):
        self.send(b"MSCF" + bytes(60))

    def answer_other(self, path):
        """Always the same file, whatever was asked for."""
        self.answer_normal("other")

    def answer_redirect(self, path):
        self.redirect("/normal/" + path)

    def answer_loop(self, path):
        self.redirect("/loop/" + path)

    def answer_file(self, path):
        self.redirect("file://" + os.path.join(os.path.realpath(sys.argv[1]), path))

    def answer_elsewhere(self, path):
        """Another host, which is this one under another name."""
        self.redirect(f"http://localhost:{self.server.server_port}/normal/{path}")

    def answer_together(self, path):
        """Nothing before four requests are under way at the same time."""
        content = self.content(path)
        if content is None:
            return
        try:
            TOGETHER.wait(timeout=80)
        except threading.BrokenBarrierError:
            self.send_error(500)
            return
        self.send(content)

    def answer_error(self, path):
        self.send_error(500)

    def answer_forbidden(self, path):
        self.send_error(403)


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


main()
