#!/usr/bin/env python3
"""Writes the man pages of symbolicate, its subcommands and atos.

    man_pages.py PROGRAM FOLDER

Everything comes from the program: the options from its description for tools
(--experimental-dump-help), the synopses and exit statuses from --help-all, atos from its help text.
ArgumentParser's own plugin for man pages is not used: it builds the package again, and knows neither
synopses nor exit statuses nor atos. The date is that of SOURCE_DATE_EPOCH.
"""

import json
import os
import re
import subprocess
import sys
import time


def run(program, *arguments):
    """What the program prints, with lines that are not wrapped."""
    environment = dict(os.environ, COLUMNS="1000", LC_ALL="C.UTF-8", NO_COLOR="1")
    done = subprocess.run(
        [program, *arguments], env=environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"man_pages.py: {program} {' '.join(arguments)} ended with {done.returncode}")
    return done.stdout.decode("utf-8")


# Text to mdoc

CHARACTERS = {"…": "\\&...", "→": "\\(->", "—": "\\(em", "–": "\\(en", "×": "\\(mu"}


def escape(text):
    """Text as roff shows it: a hyphen before a letter of an option is a minus sign."""
    text = text.replace("\\", "\\e")
    text = re.sub(r"(?<![A-Za-z0-9])-|(?<=-)-", r"\\-", text)
    # A straight apostrophe, as in commands that people copy.
    text = text.replace("'", "\\(aq").replace("`", "\\(ga")
    for character, escaped in CHARACTERS.items():
        text = text.replace(character, escaped)
    return text


def lines_of(text):
    """The lines of a paragraph: a sentence each, as roff expects, and none that is a request."""
    sentences = re.sub(r"(?<=[.?!]) +", "\n", text.strip())
    for sentence in sentences.split("\n"):
        line = escape(sentence.strip())
        # Longer lines are broken, which changes nothing of what is shown.
        while len(line) > 78 and " " in line:
            cut = line.rfind(" ", 0, 78)
            if cut <= 0:
                cut = line.find(" ")
            yield guard(line[:cut])
            line = line[cut + 1:]
        if line:
            yield guard(line)


def guard(line):
    return "\\&" + line if line[:1] in (".", "'") or line.startswith("\\(aq") else line


def macro_argument(text):
    """Words as an argument of a macro, which must not be taken for a macro's name."""
    escaped = escape(text).replace('"', "\\(dq")
    return f'"\\&{escaped}"' if " " in escaped else f"\\&{escaped}"


def paragraphs(text):
    """Paragraphs, lists of statuses, and indented examples of a discussion."""
    page = []
    blocks = [block for block in re.split(r"\n[ ]*\n", text.strip("\n")) if block.strip()]
    for number, block in enumerate(blocks):
        if number:
            page.append(".Pp")
        page += block_lines(block)
    return page


def block_lines(block):
    plain, shown, page = [], [], []

    def end_plain():
        if plain:
            page.extend(lines_of(" ".join(plain)))
            plain.clear()

    def end_shown():
        if shown:
            page.append(".Bd -literal -offset indent")
            page.extend(guard(escape(line[2:])) for line in shown)
            page.append(".Ed")
            shown.clear()

    for line in block.split("\n"):
        if line.startswith("  "):
            end_plain()
            shown.append(line)
        else:
            end_shown()
            plain.append(line.strip())
    end_plain()
    end_shown()
    return page


# What help says

def section_of_help(text, title):
    """The lines below `TITLE:` up to an empty line or the next title, the rest of its line first."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        match = re.match(rf"{title}:(.*)$", line, re.IGNORECASE)
        if match:
            rest = [match.group(1).strip()] if match.group(1).strip() else []
            for following in lines[at + 1:]:
                if not following.strip() or re.match(r"[A-Z][A-Z ]+:", following):
                    break
                rest.append(following)
            return rest
    return []


def statuses(help_text):
    """(status, meaning) of each exit status, and the sentences after them."""
    lines = section_of_help(help_text, r"Exit status(?:es)?")
    found, after = [], []
    for line in lines:
        match = re.match(r" +(\d+(?:, \d+)*) {2,}(.*)$", line)
        if match:
            found.append((match.group(1), match.group(2)))
        elif found and line.startswith("      "):
            found[-1] = (found[-1][0], found[-1][1] + " " + line.strip())
        else:
            after.append(line.strip())
    return found, " ".join(after)


def without_statuses(discussion):
    """The discussion without the block that begins with `Exit status:`."""
    blocks = re.split(r"\n[ ]*\n", discussion)
    return "\n\n".join(block for block in blocks if not re.match(r"Exit status(es)?:", block))


# Pages

def option_item(argument):
    names = [("-" if name["kind"] == "longWithSingleDash" or name["kind"] == "short" else "--")
             + name["name"] for name in argument.get("names", [])]
    names.sort(key=len)
    value = ""
    if argument["kind"] == "option":
        value = " Ar " + macro_argument(argument.get("valueName", "value"))
    # `Fl` writes the first dash.
    return ".It " + " , ".join("Fl " + escape(name[1:]) + value for name in names)


def argument_text(argument):
    text = argument.get("abstract", "")
    if argument.get("discussion"):
        text += "\n\n" + argument["discussion"]
    values, default = argument.get("allValues"), argument.get("defaultValue")
    notes = []
    if values and argument["kind"] == "option":
        notes.append("values: " + ", ".join(values))
    if default and argument["kind"] != "flag":
        notes.append("default: " + default)
    return text + (f" ({'; '.join(notes)})" if notes else "")


def shown(items):
    return [item for item in items or [] if item.get("shouldDisplay", True)]


def list_of(items, width="indent"):
    page = [f".Bl -tag -width {width}"]
    for head, text, *more in items:
        page.append(head)
        page += paragraphs(text) if text.strip() else []
        page += more
    return page + [".El"]


def arguments_of(command, page):
    arguments = shown(command.get("arguments"))
    positional = [item for item in arguments if item["kind"] == "positional"]
    if positional:
        page.append(".Pp")
        page += list_of([(".It Ar " + macro_argument(item.get("valueName", "")), argument_text(item))
                         for item in positional])
    sections = {}
    for item in arguments:
        if item["kind"] != "positional":
            sections.setdefault(item.get("sectionTitle") or "", []).append(item)
    # A command's own options come first; those of the program, which are few and general, last.
    has_commands = bool(shown(command.get("subcommands")))
    for title in sorted(sections, key=lambda title: (title == "") == has_commands):
        items = [(option_item(item), argument_text(item)) for item in sections[title]]
        if title:
            page.append(f".Ss {escape(title)}")
        elif has_commands:
            page.append(".Ss General")
        else:
            page.append(".Pp")
        page += list_of(items)


def head(name, abstract, version, names=None):
    date = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    month = time.strftime("%B", date)
    return [
        '.\\" Made by Packaging/man_pages.py from what the program says about itself.',
        f".Dd {month} {date.tm_mday}, {date.tm_year}",
        f".Dt {name.upper()} 1",
        f".Os symbolicate {version}",
        ".Sh NAME",
    ] + [f".Nm {each} ," for each in (names or [])] + [
        f".Nm {name}",
        f".Nd {escape(abstract[:1].lower() + abstract[1:].rstrip('.'))}",
    ]


def synopsis(lines):
    page = [".Sh SYNOPSIS", ".Bd -literal"]
    for line in lines:
        page += [guard(escape(part)) for part in wrapped(line.strip())]
    return page + [".Ed"]


def wrapped(usage, width=74):
    """A line of a synopsis in lines of a terminal's width, cut before an option or an argument."""
    while len(usage) > width:
        cut = usage.rfind(" [", 8, width)
        if cut < 0:
            break
        yield usage[:cut]
        usage = " " * 6 + usage[cut + 1:]
    yield usage


def exit_status(found, after):
    if not found:
        return []
    page = [".Sh EXIT STATUS"] + list_of([(f".It {status}", meaning) for status, meaning in found],
                                         width="Ds")
    return page + ([".Pp", *lines_of(after)] if after else [])


def see_also(name, all_names):
    others = [each for each in sorted(all_names) if each != name]
    return [".Sh SEE ALSO"] + [
        f".Xr {each} 1" + (" ," if each != others[-1] else "") for each in others]


def command_page(program, name, words, command, version, names):
    help_text = run(program, *words, "--help-all")
    usage = section_of_help(help_text, "Usage")
    if not usage:
        sys.exit(f"man_pages.py: the help of '{name}' has no usage")
    page = head(name, command.get("abstract", ""), version) + synopsis(usage)
    page.append(".Sh DESCRIPTION")
    body = without_statuses(command.get("discussion", "")) or command.get("abstract", "")
    page += paragraphs(body)
    arguments_of(command, page)
    subcommands = [item for item in shown(command.get("subcommands"))]
    if subcommands:
        page.append(".Ss Commands")
        page += list_of([
            (f".It Cm {item['commandName']}", item.get("abstract", ""),
             *([] if item["commandName"] == "help" else [f"See\n.Xr {page_name(name, item)} 1 ."]))
            for item in subcommands])
    page += exit_status(*statuses(help_text))
    return page + see_also(name, names)


def page_name(root, command):
    return "atos" if command["commandName"] == "atos" else f"{root}-{command['commandName']}"


def atos_page(program, command, version, names):
    text = run(program, "atos", "--help")
    usage = section_of_help(text, "Usage")
    items, body = [], []
    for line in text.split("\n")[len(usage):]:
        option = re.match(r"  (-\S.*?)(?: {2,}(.*))?$", line)
        if option:
            items.append([option.group(1), option.group(2) or ""])
        elif items and re.match(r" {10,}\S", line) and not body:
            items[-1][1] += " " + line.strip()
        elif items and not line.startswith("Exit status"):
            body.append(line)
    if not items:
        sys.exit("man_pages.py: the help of 'atos' lists no options")
    status = re.search(r"^Exit status: (.*)$", text, re.MULTILINE)
    page = head("atos", command.get("abstract", ""), version)
    page += [".Sh SYNOPSIS", ".Bd -literal"]
    # The columns of the usage stay, less what they are indented by.
    page += [guard(escape(line)) for line in
             [usage[0]] + [line.replace("       ", "", 1) if line.startswith(" " * 12) else line
                           for line in usage[1:]]]
    page += [".Ed", ".Sh DESCRIPTION"]
    page += paragraphs("\n".join(body))
    page.append(".Pp")
    page += list_of([(atos_item(each), description) for each, description in items])
    if status:
        page += [".Sh EXIT STATUS"] + list(lines_of(status.group(1)[:1].upper() + status.group(1)[1:]))
    return page + see_also("atos", names)


def atos_item(heading):
    *names, last = heading.split(", ")
    last, _, value = last.partition(" ")
    parts = ["Fl " + escape(name[1:]) for name in [*names, last]]
    if value:
        parts[-1] += " Ar " + macro_argument(value.lower())
    return ".It " + " , ".join(parts)


def fetch_page(root, version):
    """symbolicate-fetch takes no arguments, so there is nothing to read."""
    return head("symbolicate-fetch", f"Downloads symbol files for {root}", version) + [
        ".Sh SYNOPSIS", ".Nm symbolicate-fetch", ".Sh DESCRIPTION",
        f".Xr {root} 1", "starts this program if symbol files are to be downloaded from servers.",
        "It reads requests from standard input and writes answers to standard output.",
        "It is of no use by itself.", ".Pp",
        "It opens the system's libcurl when it downloads.",
        ".Sh EXIT STATUS", "0; 64 if there are arguments; 65 for a request that it does not understand.",
        ".Sh SEE ALSO", f".Xr {root} 1"]


def without_idle_paragraphs(page):
    """The page without paragraph macros that do nothing: before lists, displays and headings."""
    return [line for at, line in enumerate(page) if line != ".Pp" or not (
        page[at + 1:at + 2] or [".Sh"])[0].startswith((".Bl", ".Bd", ".Sh", ".Ss"))]


def main():
    program, folder = sys.argv[1:]
    description = json.loads(run(program, "--experimental-dump-help"))["command"]
    version = run(program, "--version").split()[1]
    root = description["commandName"]
    subcommands = [item for item in shown(description.get("subcommands"))
                   if item["commandName"] != "help"]
    names = [root] + [page_name(root, item) for item in subcommands]
    pages = {root: command_page(program, root, [], description, version, names)}
    for item in subcommands:
        name = page_name(root, item)
        pages[name] = (
            atos_page(program, item, version, names) if name == "atos" else
            command_page(program, name, [item["commandName"]], item, version, names))
    pages["symbolicate-fetch"] = fetch_page(root, version)
    os.makedirs(folder, exist_ok=True)
    for name, lines in pages.items():
        with open(os.path.join(folder, name + ".1"), "w", encoding="utf-8") as file:
            file.write("\n".join(without_idle_paragraphs(lines)) + "\n")


if __name__ == "__main__":
    main()
