#!/usr/bin/env python3
"""Draws a terminal in which the program summarises the example report, as an SVG on standard output.

    draw-demo.py PROGRAM > docs/demo.svg

The program runs on a terminal of its own (a pty) and the picture has the colours and lines that it
shows there. It uses no font of its own: `textLength` gives every line the same width per character,
whatever monospaced font the viewer has.
"""

import fcntl
import html
import os
import pty
import re
import struct
import sys
import termios

REPORT = "letter-shuffle.crash"
SYMBOLS = "Letter Shuffle.app.dSYM"
FOLDER = "Fixtures/LetterShuffle"

COLUMNS = 100
COLUMN, LINE, SIZE = 8.05, 21, 13.4
LEFT, TOP, BAR = 22, 30, 38

COLOURS = {
    "background": "#0d1117", "bar": "#161b22", "border": "#30363d", "text": "#c9d1d9",
    "prompt": "#3fb950",
}

# The parameters of the program's styles, each with a colour and a weight.
STYLES = {
    "": ("#c9d1d9", None), "1": ("#f0f6fc", "600"), "2": ("#6e7681", None),
    "35": ("#d2a8ff", None), "1;31": ("#ff7b72", "600"), "1;35": ("#d2a8ff", "600"),
}

STYLE = re.compile(r"\x1b\[([0-9;]*)m")


def shown(command, columns):
    """What a command shows on a terminal of that width. Its messages are left out."""
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    child = os.fork()
    if child == 0:
        os.dup2(far, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.execve(command[0], command, {"TERM": "xterm-256color", "XDG_CACHE_HOME": os.devnull})
    os.close(far)
    output = b""
    while True:
        try:
            piece = os.read(near, 1 << 16)
        except OSError:  # The terminal is closed.
            break
        if not piece:
            break
        output += piece
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status != 0:
        sys.exit(f"{command[0]}: exit status {status}")
    return output.decode().replace("\r\n", "\n")


def spans(line):
    """The parts of a line, each with its style."""
    if line.startswith("$ "):
        return [("$ ", (COLOURS["prompt"], None)), (line[2:], STYLES[""])]
    parts, style = [], ""
    for index, text in enumerate(STYLE.split(line)):
        if index % 2 == 1:
            style = text
        elif text:
            parts.append((text, STYLES[style]))
    return parts


def drawn(line, y):
    """The text elements of a line. Each begins after a run of spaces, because SVG collapses those."""
    parts, column = [], 0
    for text, (colour, weight) in spans(line):
        bold = f' font-weight="{weight}"' if weight else ""
        for words in re.finditer(r"\S+(?: \S+)*", text):
            parts.append(
                f'<text x="{LEFT + (column + words.start()) * COLUMN:.1f}" y="{y}" '
                f'textLength="{len(words[0]) * COLUMN:.1f}" fill="{colour}"{bold}>'
                f"{html.escape(words[0], quote=False)}</text>")
        column += len(text)
    return "\n".join(parts)


def main():
    program = os.path.abspath(sys.argv[1])
    summary = shown(
        [program, f"{FOLDER}/{REPORT}", "-d", f"{FOLDER}/{SYMBOLS}", "--summary"], COLUMNS)
    lines = [f"$ symbolicate {REPORT} -d '{SYMBOLS}' --summary"] + summary.splitlines()
    width = round(2 * LEFT + COLUMNS * COLUMN)
    height = BAR + TOP + (len(lines) - 1) * LINE + 20
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
          f'width="{width}" height="{height}" role="img">')
    print("<title>symbolicate summarises a crash report</title>")
    print(f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" '
          f'fill="{COLOURS["background"]}" stroke="{COLOURS["border"]}"/>')
    print(f'<path d="M1 {BAR}V9a8 8 0 0 1 8-8H{width - 9}a8 8 0 0 1 8 8V{BAR}z" '
          f'fill="{COLOURS["bar"]}"/>')
    for x, colour in ((22, "#ff5f57"), (42, "#febc2e"), (62, "#28c840")):
        print(f'<circle cx="{x}" cy="{BAR / 2}" r="6" fill="{colour}"/>')
    print(f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', '
          f'monospace" font-size="{SIZE}">')
    for number, line in enumerate(lines):
        print(drawn(line, BAR + TOP + number * LINE))
    print("</g>\n</svg>")


if __name__ == "__main__":
    main()
