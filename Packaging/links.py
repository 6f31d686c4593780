#!/usr/bin/env python3
"""Checks the relative links of Markdown documents in a folder that goes to users.

    links.py check FOLDER       lists links that lead to nothing, and exits with status 1 if any do
    links.py unlink FOLDER      makes plain text of them
"""

import os
import re
import sys

# [text](target) and ![text](target); targets of these documents have no brackets.
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def leads_nowhere(document, target):
    if re.match(r"[a-z][a-z+.-]*:", target) or target.startswith("#"):
        return False
    path = os.path.join(os.path.dirname(document), target.split("#")[0])
    return not os.path.exists(path)


def main():
    action, folder = sys.argv[1:]
    status = 0
    for parent, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            document = os.path.join(parent, name)
            if not name.endswith(".md"):
                continue
            with open(document, encoding="utf-8") as file:
                text = file.read()
            if action == "check":
                for match in LINK.finditer(text):
                    if leads_nowhere(document, match.group(3)):
                        print(f"{document}: {match.group(0)} leads to nothing", file=sys.stderr)
                        status = 1
            else:
                changed = LINK.sub(
                    lambda match: match.group(2) if leads_nowhere(document, match.group(3))
                    else match.group(0), text)
                if changed != text:
                    with open(document, "w", encoding="utf-8") as file:
                        file.write(changed)
    return status


if __name__ == "__main__":
    sys.exit(main())
