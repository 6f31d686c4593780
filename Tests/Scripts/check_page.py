#!/usr/bin/env python3
"""Checks pages (--format html) in headless Chromium and with a parser of HTML.

  check_page.py PROGRAM [--corpus DIRECTORY] [--pictures DIRECTORY] [--axe axe.min.js]

It makes pages of reports in Fixtures, of one that attacks its reader, and of those in DIRECTORY/reports.

For every page: html5lib finds no error, nothing is an element or an attribute that is not expected, and
the text has no character that cannot be seen. In Chromium, in the light, in the dark and on a phone
(390 pixels):

- no message on the console, no request, and the same frames without a script;
- header, main and footer; one h1, headings without a gap; lists, names and labels;
- each text has a contrast of 4.5 to 1 with what is behind it;
- nothing is wider than the window;
- Tab reaches every link, thread and control in the order of the page, and what has the focus is seen;
- Enter opens a thread; the search leaves the rows that fit, and Escape brings all back;
- the buttons copy a frame, a thread, and the open threads as Markdown, in which nothing of the report is live;
- groups are sorted, and chosen by version and system; a page of 10,000 groups has less than 2 MB and is
  painted within a second;
- axe-core finds no violation, with --axe FILE.

Needs Debian's chromium, python3-html5lib and cmark-gfm. Chromium is driven through a pipe
(--remote-debugging-pipe), so no other package is needed.
"""
import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import html5lib

HERE = pathlib.Path(__file__).resolve().parents[2]
STORY = HERE / "Fixtures/LetterShuffle"
DSYM = STORY / "Letter Shuffle.app.dSYM"

ATTACK = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'\u202e\u2066\x1b[2J\x00\x9b"
TAGS = set(
    "html head meta link title style body header nav main section footer div p pre details summary "
    "h1 h2 h3 span b a code small label input output ol ul li dl dt dd wbr script "
    "table thead tbody tr th td svg rect select option".split())
ATTRIBUTES = set(
    "class id href for type role lang charset name content http-equiv rel aria-label aria-live "
    "aria-describedby autocomplete spellcheck open hidden scope viewBox preserveAspectRatio x y width "
    "height data-v data-s value".split())

# The text of axe-core, if it is there.
AXE = None
failures = []


def expect(condition, page, text):
    if not condition:
        failures.append(f"{page}: {text}")
        print(f"FAILED {page}: {text}", flush=True)


def hostile_report():
    fields = ["Incident Identifier", "Hardware Model", "Path", "Identifier", "Version", "Date/Time",
              "OS Version", "Exception Type", "Exception Subtype", "Termination Reason"]
    lines = [f"{name}: {name}{ATTACK}" for name in fields]
    lines.insert(1, f"Process: P{ATTACK} [1]")
    lines.insert(1, "Code Type: ARM-64")
    lines += ["Application Specific Information:", f"A{ATTACK}", "", f"Thread 0 name:  N{ATTACK}",
              "Thread 0 Crashed:",
              f"0   M{ATTACK} \t0x0000000100001010 F{ATTACK} + 12 (f{ATTACK}.c:3)", "",
              "Binary Images:",
              f"0x100000000 - 0x10000ffff M{ATTACK} arm64  "
              f"<0123456789abcdef0123456789abcdef> /M{ATTACK}", ""]
    return "\n".join(lines).encode() + b"\xff\xfe\x80"


def recursive_report():
    """Two functions that call each other, and one that calls itself: most frames are folded."""
    lines = ["Process: Deep [1]", "Code Type: ARM-64", "Exception Type: EXC_BAD_ACCESS (SIGSEGV)", "",
             "Thread 0 Crashed:"]
    names = ["top"] + ["visit", "walk"] * 300 + ["step"] * 200 + ["main"]
    lines += [f"{index:<3} Deep \t0x{0x100001000 + 16 * len(name):016x} {name}() + 12 (Deep.swift:{len(name)})"
              for index, name in enumerate(names)]
    lines += ["", "Binary Images:",
              "0x100000000 - 0x10000ffff Deep arm64  <0123456789abcdef0123456789abcdef> /Deep", ""]
    return "\n".join(lines).encode()


# --- The parser ---


def check_markup(name, page):
    """What html5lib, which knows nothing of this program, says about the bytes."""
    try:
        text = page.decode("utf-8")
    except UnicodeDecodeError as error:
        expect(False, name, f"not UTF-8: {error}")
        return
    parser = html5lib.HTMLParser(strict=False)
    tree = parser.parse(page, transport_encoding="utf-8")
    errors = [f"{position}: {code}" for position, code, _ in parser.errors]
    expect(not errors, name, f"html5lib: {errors[:3]}")
    unseen = re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]", text)
    expect(not unseen, name, f"an unseen character: {unseen}")
    scripts = 0
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        tag = element.tag.split("}")[-1]
        scripts += tag == "script"
        expect(tag in TAGS, name, f"an element {tag}")
        for key, value in element.attrib.items():
            expect(key in ATTRIBUTES, name, f"an attribute {key} of {tag}")
            if key == "href":
                page_link = re.fullmatch("pages/([0-9a-f]{16}|none).html", value)
                expect(value.startswith("#") or value == "data:," or page_link and name == "groups",
                       name, f"a link to {value}")
    expect(scripts == 1, name, f"{scripts} scripts")


# --- Chromium ---


class Chromium:
    """Headless Chromium, driven with the DevTools protocol over a pipe."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()

        def hand_over():
            # The browser reads from descriptor 3 and writes to 4.
            read, write = os.dup(to_read), os.dup(to_write)
            os.dup2(read, 3)
            os.dup2(write, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=hand_over, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer = b""
        self.count = 0
        self.events = []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def message(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.from_browser, 1 << 16)
            if not piece:
                raise RuntimeError("Chromium ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.count += 1
        request = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def wait(self, method):
        for message in self.events:
            if message.get("method") == method:
                return
        while True:
            message = self.message()
            self.events.append(message)
            if message.get("method") == method:
                return

    def open(self, path, width, height, dark=False, phone=False, scripts=True):
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", media="screen", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events = []
        self.call("Page.navigate", url=pathlib.Path(path).as_uri())
        self.wait("Page.loadEventFired")

    def run(self, code):
        result = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def key(self, name, text=""):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode=codes.get(name, 0),
                      text=text if kind == "keyDown" else "")

    def picture(self, path):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip={
            "x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 2400), "scale": 1})
        pathlib.Path(path).write_bytes(base64.b64decode(data["data"]))

    def pdf(self, path):
        self.call("Emulation.setEmulatedMedia", media="", features=[])
        data = self.call("Page.printToPDF", printBackground=False)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()


# Each text that is seen, with its color, what is behind it, and their contrast (WCAG 2.2).
CONTRAST = """(() => {
  const parse = (text) => {
    const parts = text.match(/[\\d.]+/g).map(Number);
    return parts.length === 3 ? [...parts, 1] : parts;
  };
  const part = (value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const behind = (element) => {
    for (let parent = element; parent; parent = parent.parentElement) {
      const color = parse(getComputedStyle(parent).backgroundColor);
      if (color[3] === 1) return color;
      if (color[3] !== 0) return [255, 0, 255, 1];
    }
    return [255, 255, 255, 1];
  };
  const bad = [];
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || ["SCRIPT", "STYLE"].includes(element.tagName)) continue;
    if (!element.checkVisibility()) continue;
    count += 1;
    const [one, other] = [luminance(parse(getComputedStyle(element).color)),
      luminance(behind(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    if (ratio < 4.5) bad.push(`${walker.currentNode.data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return {count, bad: bad.slice(0, 5)};
})()"""

STRUCTURE = """(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const levels = all("h1,h2,h3").map((heading) => Number(heading.tagName[1]));
  const problems = [];
  const once = (selector) => {
    const count = all(selector).length;
    if (count !== 1) problems.push(`${count} of ${selector}`);
  };
  ["body > header", "body > main", "body > footer", "h1"].forEach(once);
  if (levels[0] !== 1) problems.push("the first heading is not h1");
  levels.forEach((level, index) => {
    if (index > 0 && level > levels[index - 1] + 1) problems.push(`h${level} after h${levels[index - 1]}`);
  });
  for (const part of all("nav, section, [role=search] input")) {
    const label = part.getAttribute("aria-label") || (part.labels && part.labels[0]?.textContent);
    if (!label) problems.push(`no name: ${part.outerHTML.slice(0, 60)}`);
  }
  for (const link of all("a")) {
    const target = link.getAttribute("href");
    if (target.startsWith("#") && !document.querySelector(target)) problems.push(`dead link ${link.href}`);
  }
  const ids = all("[id]").map((element) => element.id);
  if (new Set(ids).size !== ids.length) problems.push("an id occurs twice");
  for (const details of all("details")) {
    if (details.firstElementChild?.tagName !== "SUMMARY") problems.push("details without summary");
  }
  if (!document.documentElement.lang) problems.push("no language");
  if (!document.title) problems.push("no title");
  return problems;
})()"""

FRAMES = "document.querySelectorAll('.frames > li').length"


# A table is one for readers of the screen, and pictures have descriptions.
TABLE = """(() => {
  const problems = [];
  for (const row of document.querySelectorAll("tbody tr")) {
    if (![2, 8].includes(row.cells.length) || row.cells[0].tagName !== "TH") problems.push("a row without heading");
  }
  for (const picture of document.querySelectorAll("svg")) {
    if (!picture.getAttribute("aria-label")) problems.push("a picture without description");
  }
  for (const link of document.querySelectorAll("a")) {
    if (!link.textContent.trim()) problems.push("a link without text");
  }
  return problems;
})()"""


def check_groups(browser, folder, program, pictures):
    """The page of groups, and the pages that it has links to."""
    reports, out = folder / "reports", folder / "out"
    reports.mkdir()
    for index, report in enumerate(grouped_reports()):
        (reports / f"{index}.crash").write_bytes(report)
    run = subprocess.run(
        [program, "group", reports, "-d", DSYM, "--format", "html", "-o", f"{out}/"],
        capture_output=True, cwd=HERE, check=False)
    expect(run.returncode == 0, "groups", f"status {run.returncode}: {run.stderr[-300:]}")
    page = (out / "index.html").read_bytes()
    check_markup("groups", page)
    check_in_browser(browser, "groups", out / "index.html", pictures)
    check_keyboard(browser, "groups", out / "index.html")
    browser.open(out / "index.html", 1280, 900)
    problems = browser.run(TABLE)
    expect(not problems, "groups", f"table: {problems}")
    links = browser.run("[...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))")
    expect(len(links) == browser.run("document.querySelectorAll('tbody tr').length"), "groups",
           f"{len(links)} links")
    check_choice(browser, out / "index.html")
    for link in links:
        expect((out / link).is_file(), "groups", f"no page {link}")
        check_markup(f"groups/{link}", (out / link).read_bytes())


def check_choice(browser, path):
    """Groups are chosen by version and system, and sorted, without a reload."""
    browser.open(path, 1280, 900)
    shown = "[...document.querySelectorAll('tbody tr')].filter((row) => row.checkVisibility())"
    for key, name in (("v", "versions"), ("s", "systems")):
        values = browser.run(f"[...document.getElementById('{name}').options].map((option) => option.value)")
        expect(len(values) > 1, "groups", f"no choice of {name}")
        for value in values[1:] + [""]:
            browser.run(f"((choice) => {{ choice.value = '{value}'; choice.dispatchEvent(new Event('change')); }})"
                        f"(document.getElementById('{name}')); 0")
            wrong = browser.run(
                f"[...document.querySelectorAll('tbody tr')].filter((row) => row.checkVisibility() !=="
                f" (!'{value}' || row.dataset.{key}.split(' ').includes('{value}'))).length")
            expect(wrong == 0, "groups", f"{wrong} rows are wrong for {name} {value}")
    counts = f"{shown}.map((row) => parseInt(row.cells[1].textContent.match(/\\d+/)[0], 10))"
    keys = f"{shown}.map((row) => row.cells[0].textContent)"
    before = browser.run(counts)
    expect(before == sorted(before, reverse=True), "groups", "the largest is not first")
    browser.run("document.querySelectorAll('thead button')[0].click(); 0")
    # In the order of UTF-16, as JavaScript compares.
    expect(browser.run(keys) == sorted(browser.run(keys), key=lambda key: key.encode("utf-16-be")), "groups",
           "not sorted by crash")
    browser.run("document.querySelectorAll('thead button')[1].click(); 0")
    expect(browser.run(counts) == before, "groups", "not sorted by count")


def check_many_groups(browser, folder, program):
    """10,000 groups: the size of the page, and when it is painted."""
    partial, path = folder / "many.ndjson", folder / "many.html"
    with partial.open("w") as file:
        for index in range(10_000):
            days = [{"day": f"2026-{1 + index % 9:02}-{day:02}", "count": 1} for day in range(1, 25)]
            key = f"EXC_BREAKPOINT | GameBoard.turn(at:with:) | Store.insert(_:{index}) | Sync.apply(_:from:)"
            json.dump({
                "schema": "symbolicate-group", "version": 1, "by": "signature", "signatureVersion": 2, "key": key,
                "hash": "", "count": 30_000 - index, "devices": {"count": 0, "more": False, "ids": []},
                "first": None, "last": None, "days": {"values": days, "more": False},
                "appVersions": {"values": [{"version": f"1.{index % 12}", "count": 20}], "more": False},
                "osVersions": {"values": [{"version": f"iPhone OS {index % 7}", "count": 20}], "more": False},
                "sample": f"reports/{index}.ips"}, file)
            file.write("\n")
    subprocess.run([program, "group", "--merge", partial, "--format", "html", "-o", path], check=True)
    size = path.stat().st_size
    expect(size < 2_000_000, "many groups", f"{size} bytes")
    check_markup("many groups", path.read_bytes())
    times = []
    # The best of three: other programs may run beside.
    for _ in range(3):
        browser.open(path, 1280, 900)
        times.append(browser.run("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 1e9"))
    expect(browser.run("document.querySelectorAll('tbody tr').length") == 10_000, "many groups", "rows are missing")
    painted = min(times)
    expect(painted < 1000, "many groups", f"painted after {painted} ms")
    print(f"10,000 groups: {size} bytes, first paint after {painted:.0f} ms")


def grouped_reports():
    """The story's report on many days, of several versions and devices, and the hostile one."""
    story = (STORY / "letter-shuffle.crash").read_text()
    for index in range(120):
        day = 1 + index * index % 28
        version = f"1.{index % 4}"
        text = story.replace("2019-07-31", f"2019-{7 + index % 3:02}-{day:02}").replace("(1.3)", f"({version})")
        text = text.replace("CrashReporter Key:   ", f"CrashReporter Key:   {index % 17}")
        if index % 3 == 1:
            text = text.replace("EXC_BREAKPOINT (SIGTRAP)", "EXC_BAD_ACCESS (SIGSEGV)")
        yield text.encode()
    yield hostile_report()


def check_in_browser(browser, name, path, pictures):
    views = [("light", 1280, False, False), ("dark", 1280, True, False), ("phone", 390, False, True),
             ("phone-dark", 390, True, True)]
    browser.open(path, 1280, 900, scripts=False)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    plain = browser.run(FRAMES)
    hidden = browser.run("document.getElementById('tools')?.hidden ?? true")
    expect(hidden, name, "without a script there is no dead filter")
    for view, width, dark, phone in views:
        label = f"{name} ({view})"
        browser.open(path, width, 900, dark, phone)
        for event in browser.events:
            if event["method"] in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                expect(False, label, f"the console has {json.dumps(event['params'])[:300]}")
            if event["method"] == "Network.requestWillBeSent":
                url = event["params"]["request"]["url"]
                expect(url.startswith(("file:", "data:")), label, f"a request for {url}")
        expect(browser.run(FRAMES) == plain, label, "frames differ without a script")
        if pictures:
            browser.picture(pictures / f"{name}-{view}.png")
        problems = browser.run(STRUCTURE)
        expect(not problems, label, f"structure: {problems}")
        if AXE:
            browser.run(AXE + "; 0")
            violations = browser.run(VIOLATIONS)
            expect(not violations, label, f"axe-core: {violations}")
        browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
        browser.run("document.getElementById('addresses')?.click()")
        contrast = browser.run(CONTRAST)
        expect(contrast["count"] > 0 and not contrast["bad"], label, f"contrast: {contrast}")
        wide = browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        expect(wide <= 0, label, f"{wide} pixels wider than the window")
        wide = browser.run(
            "[...document.querySelectorAll('main *')].filter((e) => e.checkVisibility() &&"
            f" e.getBoundingClientRect().right > {width} + 1).map((e) => e.className || e.tagName)[0]")
        expect(not wide, label, f"{wide} is cut")
    browser.open(path, 1280, 900)
    if pictures:
        browser.pdf(pictures / f"{name}.pdf")


VIOLATIONS = """axe.run(document, {resultTypes: ["violations"]}).then((result) =>
  result.violations.map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 120)}`))"""

FOCUS = """(() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const list = [...document.querySelectorAll("a[href], summary, button:not([tabindex='-1']), input, select")]
    .filter((one) => one.checkVisibility());
  return {place: list.indexOf(element), count: list.length,
    outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2};
})()"""


def check_keyboard(browser, name, path):
    browser.open(path, 1280, 900)
    count = browser.run(FOCUS)["count"]
    for place in range(min(count, 60)):
        browser.key("Tab")
        focus = browser.run(FOCUS)
        expect(focus["place"] == place, name, f"Tab {place + 1} reaches {focus['place']}")
        expect(focus["outline"], name, f"no outline at {place}")
    # A folded thread opens with Enter.
    if browser.run("!!document.querySelector('details.thread:not([open]) > summary')"):
        browser.run("document.querySelector('details.thread:not([open]) > summary').focus();"
                    "window.opened = document.activeElement.parentElement; 0")
        browser.key("Enter", "\r")
        expect(browser.run("window.opened.open"), name, "Enter opens a thread")
        browser.run("window.opened.open = false; 0")
    rows = "[...document.querySelectorAll('.frames > li')]"
    word = browser.run(f"{rows}.at(-1)?.querySelector('.fn').textContent.toLowerCase().split(' ')[0] ?? ''")
    if not word:
        return
    fits = browser.run(
        f"{rows}.filter((row) => row.textContent.toLowerCase().includes({json.dumps(word)})).length")
    before = browser.run("[...document.querySelectorAll('details')].map((d) => d.open)")
    browser.run("document.getElementById('filter').focus(); 0")
    browser.call("Input.insertText", text=word)
    browser.run("new Promise((done) => setTimeout(done, 400))")
    shown = browser.run(f"{rows}.filter((row) => !row.hidden).length")
    expect(shown == fits, name, f"the filter shows {shown} rows of {fits}")
    visible = browser.run(f"{rows}.filter((row) => row.checkVisibility()).length")
    expect(visible == fits, name, f"{visible} rows can be seen, not {fits}")
    said = browser.run("document.getElementById('found').textContent")
    expect(said.startswith(f"{fits} frame"), name, f"the filter says {said!r}")
    browser.key("Escape")
    expect(browser.run(f"{rows}.every((row) => !row.hidden)"), name, "Escape shows all rows")
    after = browser.run("[...document.querySelectorAll('details')].map((d) => d.open)")
    expect(before == after, name, "Escape folds the threads as they were")
    # The text that the button copies.
    browser.run("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };"
                "document.querySelector('details.thread > button').click(); 0")
    copied = browser.run("new Promise((done) => setTimeout(() => done(window.copied ?? ''), 100))")
    first = browser.run("document.querySelector('details.thread:has(button)')"
                        ".querySelectorAll('.frames > li').length")
    expect(copied.count("\n") == first, name, f"{copied.count(chr(10))} lines copied of {first}")
    wait = "new Promise((done) => setTimeout(() => done(window.copied ?? ''), 100))"
    # The arrows lead from frame to frame.
    browser.run("window.list = document.querySelector('details.thread[open]:has(.copy)'); 0")
    if browser.run("!!window.list"):
        browser.run("window.list.querySelector('.copy').focus(); 0")
        if browser.run("window.list.querySelectorAll('.copy').length > 1"):
            browser.key("ArrowDown")
            place = browser.run("[...window.list.querySelectorAll('.copy')].indexOf(document.activeElement)")
            expect(place == 1, name, f"the arrow leads to {place}")
        browser.run("document.activeElement.click(); 0")
        copied = browser.run(wait)
        row = browser.run("[...document.activeElement.parentElement.children].filter((part) =>"
                          " !['pre', 'button'].includes(part.localName)).map((part) => part.textContent).join('  ')")
        expect(copied == row + "\n", name, f"copied {copied!r} of {row!r}")
    browser.run("[...document.querySelectorAll('#tools button')].at(-1).click(); 0")
    check_markdown(name, browser.run(wait))


def check_markdown(name, text):
    """What the page copies, as GitHub reads it: no link, image, or HTML."""
    expect(text.startswith("## `"), name, f"Markdown: {text[:40]!r}")
    expect("```text\n" in text or "````" in text, name, "Markdown has no frames")
    if not shutil.which("cmark-gfm"):
        return
    html = subprocess.run(
        ["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough"], input=text.encode(),
        capture_output=True, check=True).stdout.decode()
    tags = set(re.findall(r"<([a-z0-9]+)", html))
    rest = tags - set("h2 h3 p strong code pre table thead tbody tr th td".split())
    expect(not rest, name, f"Markdown becomes {rest}")


# --- Pages ---


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--corpus")
    parser.add_argument("--pictures")
    parser.add_argument("--axe", help="axe.min.js, as the package axe-playwright-python on PyPI has it")
    arguments = parser.parse_args()
    pictures = pathlib.Path(arguments.pictures) if arguments.pictures else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    if arguments.axe:
        global AXE
        AXE = pathlib.Path(arguments.axe).read_text()

    def page_of(report, *options):
        run = subprocess.run(
            [arguments.program, report, "--format", "html", *options], capture_output=True, cwd=HERE,
            check=False)
        expect(run.returncode in (0, 65), str(report), f"status {run.returncode}: {run.stderr[-300:]}")
        return run.stdout

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        hostile = folder / "hostile.crash"
        hostile.write_bytes(hostile_report())
        nothing = folder / "nothing.html"
        nothing.write_bytes(b"<html><script>alert(1)</script>")
        recursive = folder / "recursive.crash"
        recursive.write_bytes(recursive_report())
        story = STORY / "letter-shuffle.crash"
        # The dSYM lies beside the other.
        alone = folder / "letter-shuffle.crash"
        alone.write_bytes(story.read_bytes())
        two = folder / "two.crash"
        two.write_bytes(story.read_bytes() + b"\n" + story.read_bytes().replace(b"DAB41DAD", b"DAB41DAE"))
        pages = {
            "story": page_of(story, "-d", DSYM),
            "missing": page_of(alone),
            "hostile": page_of(hostile),
            "two": page_of(two, "-d", DSYM),
            "recursive": page_of(recursive),
            "nothing": page_of(nothing),
            "tree": page_of(HERE / "Fixtures/MetricKit/payload.json"),
        }
        for report in sorted((HERE / "Fixtures/SwiftBacktrace/Reports").glob("*"))[:3]:
            pages[f"swift-{report.stem}"] = page_of(report, "-d", HERE / "Fixtures/SwiftBacktrace")
        for name, page in pages.items():
            check_markup(name, page)
        browser = Chromium()
        try:
            for name, page in pages.items():
                path = folder / f"{name}.html"
                path.write_bytes(page)
                check_in_browser(browser, name, path, pictures)
                check_keyboard(browser, name, path)
            check_groups(browser, folder, arguments.program, pictures)
            check_many_groups(browser, folder, arguments.program)
        finally:
            browser.close()
        count = len(pages) + 1
        if arguments.corpus:
            for report in sorted(pathlib.Path(arguments.corpus, "reports").rglob("*")):
                if report.is_file() and report.stat().st_size < 1 << 20:
                    check_markup(report.name, page_of(report))
                    count += 1
    print(f"{count} pages, {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
