#!/usr/bin/env python3
"""Draws a terminal in which the program summarises the example report, as an SVG on standard output.

    draw-demo.py PROGRAM > docs/demo.svg

The picture shows what PROGRAM prints now. It uses no font of its own: `textLength` gives every line the
same width per character, whatever monospaced font the viewer has.
"""

import html
import re
import subprocess
import sys

REPORT = "letter-shuffle.crash"
SYMBOLS = "Letter Shuffle.app.dSYM"
FOLDER = "Fixtures/LetterShuffle"

COLUMN, LINE, SIZE = 8.05, 21, 13.4
LEFT, TOP, BAR = 22, 30, 38

COLOURS = {
    "background": "#0d1117", "bar": "#161b22", "border": "#30363d", "text": "#c9d1d9",
    "dim": "#6e7681", "prompt": "#3fb950", "function": "#79c0ff", "place": "#e3b341",
    "reason": "#ff7b72",
}

FRAME = re.compile(r"^( +\d+  .+?  +)(\S.*?)( \([^()]*:\d+\))?( \[inlined\])?$")


def spans(line):
    """The parts of a line of the summary, each with the name of its colour."""
    if line.startswith("$ "):
        return [("$ ", "prompt"), (line[2:], "text")]
    headline = re.match(r"^(\S+:\d+)( in .+?)( — .*)?$", line)
    if headline:
        return [(headline[1], "place"), (headline[2], "text"), (headline[3] or "", "reason")]
    frame = FRAME.match(line)
    if not frame:
        return [(line, "text" if line.endswith(":") else "dim")]
    before, function, place, inlined = frame.groups()
    if not place:
        return [(line, "dim")]
    return [(before, "dim"), (function, "function"), (place, "place"), (inlined or "", "dim")]


def drawn(line, y):
    """The text elements of a line. Each begins after a run of spaces, because SVG collapses those."""
    parts, column = [], 0
    for text, colour in spans(line):
        for words in re.finditer(r"\S+(?: \S+)*", text):
            parts.append(
                f'<text x="{LEFT + (column + words.start()) * COLUMN:.1f}" y="{y}" '
                f'textLength="{len(words[0]) * COLUMN:.1f}" fill="{COLOURS[colour]}">'
                f"{html.escape(words[0], quote=False)}</text>")
        column += len(text)
    return "\n".join(parts)


def main():
    program = sys.argv[1]
    summary = subprocess.run(
        [program, f"{FOLDER}/{REPORT}", "-d", f"{FOLDER}/{SYMBOLS}", "--summary"],
        check=True, capture_output=True, text=True).stdout
    lines = [f"$ symbolicate {REPORT} -d '{SYMBOLS}' --summary"] + summary.splitlines()
    width = round(2 * LEFT + max(map(len, lines)) * COLUMN)
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
