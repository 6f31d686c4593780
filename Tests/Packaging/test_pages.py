"""The man pages and completions against the help of each command."""

import os
import re
import tempfile
import unittest

from support import PROGRAM, run, script, subcommands


def options_of(text):
    """The names of options at the beginning of the lines of help."""
    heads = re.findall(r"^ {1,4}(-.*?)(?: {2}|$)", text, re.MULTILINE)
    return {name for head in heads for name in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", head)}


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        run(script("man_pages.py"), PROGRAM, cls.folder.name)
        cls.pages = sorted(os.listdir(cls.folder.name))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, page):
        return os.path.join(self.folder.name, page)

    def text(self, page):
        """The page as mandoc shows it, on long lines."""
        # Bold letters are written twice, with a backspace between them.
        return re.sub(".\x08", "", run("mandoc", "-Tascii", "-O", "width=500", self.path(page)).stdout)

    def test_every_command_has_a_page(self):
        names = {"symbolicate.1", "symbolicate-fetch.1"} | {
            "atos.1" if name == "atos" else f"symbolicate-{name}.1" for name in subcommands()}
        self.assertIn("symbolicate-index.1", names)
        self.assertEqual(set(self.pages), names)

    def test_every_option_of_the_help_is_an_item(self):
        for page in self.pages:
            if page == "symbolicate-fetch.1":
                continue
            words = ["atos"] if page == "atos.1" else page[:-2].split("-", 1)[1:]
            wanted = options_of(run(PROGRAM, *words, "--help-all", env={"COLUMNS": "100"}).stdout)
            # Bold letters are written twice with a backspace between them.
            shown = run("mandoc", "-Tmarkdown", self.path(page)).stdout.replace("&#45;", "-")
            found = set(re.findall(r"\*\*(--?[A-Za-z][\w\\-]*)\*\*", shown))
            found = {name.replace("\\", "") for name in found}
            self.assertGreater(len(wanted), 1, page)
            self.assertEqual(wanted - found, set(), page)

    def test_every_status_of_the_help_is_an_item(self):
        for page in self.pages:
            words = page[:-2].split("-", 1)[1:]
            if page in ("atos.1", "symbolicate-fetch.1"):
                continue
            wanted = re.findall(r"^  (\d+) {2,}", run(PROGRAM, *words, "--help-all").stdout, re.MULTILINE)
            shown = self.text(page).split("EXIT STATUS")[1]
            self.assertTrue(wanted, page)
            self.assertEqual(re.findall(r"^ +(\d+)\b", shown, re.MULTILINE)[:len(wanted)], wanted, page)

    def test_a_synopsis_is_that_of_the_help(self):
        first = run(PROGRAM, "check", "--help", env={"COLUMNS": "500"}).stdout
        usage = re.search(r"^usage: *(symbolicate check .*)$", first, re.I | re.M).group(1)
        shown = " ".join(self.text("symbolicate-check.1").split("SYNOPSIS")[1]
                         .split("DESCRIPTION")[0].split())
        self.assertEqual(shown, usage.replace("…", "..."))

    def test_no_formatter_warns(self):
        for page in self.pages:
            done = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", self.path(page),
                       env={"MANPAGER": "cat"})
            self.assertEqual(done.stderr, "", page)
            done = run("mandoc", "-Tlint", "-W", "warning", self.path(page), status=None)
            self.assertEqual(done.stdout + done.stderr, "", page)

    def test_apropos_finds_the_names(self):
        for page in self.pages:
            self.assertIn(f'"{page[:-2]} - ', run("lexgrog", self.path(page)).stdout)

    def test_the_date_is_that_of_the_commit(self):
        with open(self.path("symbolicate.1"), encoding="utf-8") as file:
            self.assertIn("\n.Dd June 15, 2025\n", file.read())  # date -ud @1750000000


class Completions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        for shell, name in (("bash", "symbolicate"), ("zsh", "_symbolicate"), ("fish", "symbolicate.fish")):
            with open(os.path.join(cls.folder.name, name), "w", encoding="utf-8") as file:
                file.write(run(PROGRAM, "--generate-completion-script", shell).stdout)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    CASES = [
        (f"symbolicate {name[:-1]}", name) for name in subcommands()
    ] + [
        ("symbolicate --in-p", "--in-place"), ("symbolicate index --cle", "--clean"),
        ("atos -arc", "-arch"), ("atos -o x -fullP", "-fullPath"), ("symbolicate atos -inl", "-inlineFrames"),
        ("atos -dwarf-reader lib", "libdwarf"),
    ]

    def bash(self, line):
        words = line.split(" ")
        return run("bash", "-c", f"""
            source {self.folder.name}/symbolicate
            COMP_LINE=$1 COMP_POINT=${{#1}} COMP_TYPE=9 COMP_KEY=9
            read -ra COMP_WORDS <<< "$1"; COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
            function=$(complete -p {words[0]} | sed 's/.*-F \\([^ ]*\\).*/\\1/')
            "$function" {words[0]} "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}" 2>/dev/null
            printf '%s\\n' "${{COMPREPLY[@]}}" """, "bash", line).stdout

    def fish(self, line):
        return run("fish", "--no-config", "-c",
                   f"source {self.folder.name}/symbolicate.fish; complete -C '{line}'").stdout

    def zsh(self, line):
        # A shell in a terminal, in which the line is typed and completed. Then a key prints it.
        return run("zsh", "-fc", r"""
            zmodload zsh/zpty
            zpty shell zsh -fi
            type() { zpty -w shell "$1"; }
            type "PS1= PS2= RPS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
            type "zstyle ':completion:*' menu no; setopt no_beep no_auto_menu"
            type "show() { print -r -- \"LINE \$BUFFER EN\"'D' }; zle -N show; bindkey '^X' show"
            type "print READY-\$((1))"
            zpty -r shell seen '*READY-1*'
            zpty -n -w shell "$2"$'\t\x18'
            zpty -r shell rest '*END*'
            print -r -- "$rest"
            """, "zsh", self.folder.name, line, timeout=60).stdout

    def test_bash(self):
        for line, expected in self.CASES:
            with self.subTest(line):
                self.assertIn(expected, [reply.strip() for reply in self.bash(line).split("\n")])

    def test_fish(self):
        for line, expected in self.CASES:
            with self.subTest(line):
                self.assertIn(expected, [reply.split("\t")[0] for reply in self.fish(line).split("\n")])

    def test_zsh(self):
        for line, expected in self.CASES:
            with self.subTest(line):
                completed = re.search(r"LINE (.*) END", self.zsh(line)).group(1)
                self.assertEqual(completed.split()[-1], expected)

    def test_every_option_of_atos_is_offered(self):
        wanted = options_of(run(PROGRAM, "atos", "--help").stdout)
        self.assertIn("-dwarf-reader", wanted)
        self.assertEqual(wanted, set(self.bash("atos -").split()))
        self.assertLessEqual(wanted, {reply.split("\t")[0] for reply in self.fish("atos -").split("\n")})
