"""The scripts of the CI action, run as CI systems run them."""

import json
import os
import re
import shutil

from support import BUNDLE, FolderTest, PROGRAM, REPORT, ROOT, run, script, version

SCRIPT = script("ci/symbolicate-ci.sh")
ANSWER = "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) + 164"


class Folder(FolderTest):
    def setUp(self):
        super().setUp()
        self.summary = os.path.join(self.folder, "summary.md")

    def put(self, name, source=REPORT):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(source, path)
        return path

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def ci(self, *arguments, status=0, **environment):
        return run(SCRIPT, *arguments, status=status, cwd=self.folder, env={
            "SYMBOLICATE": PROGRAM, "GITHUB_STEP_SUMMARY": self.summary, "GITHUB_ACTIONS": "",
            "XDG_CACHE_HOME": os.path.join(self.folder, "cache"), **environment})


class Script(Folder):
    def test_reports_are_symbolicated_and_shown(self):
        self.put("crashes/a/one two.crash")
        self.put("crashes/b/one two.crash")
        self.ci("--reports", "crashes/**/*.crash", "-d", BUNDLE)
        for name in ("a", "b"):
            self.assertIn(ANSWER, self.read(f"symbolicated/crashes/{name}/one two.crash"))
        page = self.read("summary.md")
        self.assertIn("### Crash reports: 2\n", page)
        self.assertIn("<code>crashes/a/one two.crash</code>", page)
        self.assertIn("GameRound.init", page)

    def test_without_github_the_page_goes_to_standard_output(self):
        self.put("one.crash")
        done = self.ci("--reports", "*.crash", "-d", BUNDLE, GITHUB_STEP_SUMMARY="")
        self.assertIn("### Crash reports: 1", done.stdout)

    def test_no_input_is_changed(self):
        """Neither --summary nor --output may lead to a report, or to symbols."""
        self.put("one.crash")
        self.put("sub/two.crash")
        shutil.copytree(BUNDLE, os.path.join(self.folder, "App.dSYM"))
        self.write("notes/a.md", "mine\n")
        os.symlink("one.crash", os.path.join(self.folder, "link"))
        dwarf = os.path.join("App.dSYM/Contents/Resources/DWARF",
                             os.listdir(os.path.join(BUNDLE, "Contents/Resources/DWARF"))[0])
        def files():
            found = {}
            for folder, _, names in os.walk(self.folder):
                for name in names:
                    if "cache" not in folder:
                        with open(os.path.join(folder, name), "rb") as file:
                            found[os.path.join(folder, name)] = file.read()
            return found
        before = files()
        for summary in ("one.crash", "./link", dwarf, "App.dSYM/Contents/Info.plist", "notes/a.md"):
            done = self.ci("--reports", "*.crash", "-d", "App.dSYM", "-s", "notes", "--check", "notes",
                           "--summary", summary, status=64)
            self.assertIn(f"{summary} is an input and will not be changed", done.stderr)
            self.assertEqual(files(), before)
        self.ci("--reports", "*.crash", "-d", dwarf, "--summary", dwarf, status=64)
        self.ci("--reports", "*.crash", "-d", dwarf, "--output", ".", status=64)
        self.ci("--reports", "sub/*.crash", "--reports", "*.crash", "--output", "./", status=64)
        self.assertEqual(files(), before)

    def test_a_summary_in_a_folder_that_is_given(self):
        """Its own file is added to, and so is the page of GitHub, wherever that is."""
        self.put("reports/one.crash")
        for _ in range(2):
            self.ci("--reports", "reports/*.crash", "-s", ".", "--summary", "page.md")
        self.assertEqual(self.read("page.md").count("### Crash reports: 1\n"), 2)
        self.write("summary.md", "of an earlier step\n")
        self.ci("--reports", "reports/*.crash", "-s", ".")
        self.assertIn("### Crash reports: 1\n", self.read("summary.md"))

    def test_no_reports_are_no_error(self):
        self.ci("--reports", "crashes/*.ips")
        self.assertIn("### Crash reports: 0\n", self.read("summary.md"))

    def test_a_file_that_is_no_report_fails_and_the_others_are_done(self):
        self.write("a.crash", "nothing\n")
        self.put("b.crash")
        done = self.ci("--reports", "*.crash", "-d", BUNDLE, status=1)
        self.assertIn("./a.crash: ", done.stderr)
        self.assertIn(ANSWER, self.read("symbolicated/b.crash"))
        self.assertIn("1 of 2 reports were not completed", self.read("summary.md"))

    def test_strict_fails_for_a_report_without_symbols(self):
        self.put("a.crash")
        self.ci("--reports", "a.crash")
        self.ci("--reports", "a.crash", "--strict", status=1)

    def test_a_report_that_is_named_like_a_command(self):
        self.put("index")
        self.ci("--reports", "index", "-d", BUNDLE)
        self.assertIn(ANSWER, self.read("symbolicated/index"))

    def test_reports_outside_stay_in_the_output_folder(self):
        self.put("outer.crash")
        inner = os.path.join(self.folder, "inner")
        os.makedirs(inner)
        run(SCRIPT, "--reports", "../*.crash", "-d", BUNDLE, cwd=inner,
            env={"SYMBOLICATE": PROGRAM, "GITHUB_STEP_SUMMARY": self.summary, "GITHUB_ACTIONS": ""})
        self.assertIn(ANSWER, self.read("inner/symbolicated/outer.crash"))

    def test_text_of_reports_is_not_markup(self):
        text = open(REPORT, encoding="utf-8").read()
        evil = text.replace("Letter Shuffle [", "<script>x</script>```[").replace(
            "com.", "<b>&com.")
        self.assertIn("<", evil)
        self.write("e<i>.crash", evil)
        self.ci("--reports", "*.crash", "-d", BUNDLE, status=None)
        page = self.read("summary.md")
        self.assertIsNone(re.search(r"<(script|b|i)>", page))
        self.assertIn("e&lt;i&gt;.crash", page)

    def test_hostile_names(self):
        """Each report is done, and no name is a command to the CI system, an option, a path, markup or sed."""
        names = [
            "line\nend.crash", "a\n::error::pwned.crash", "::error::pwned.crash", "##[error]pwned.crash",
            "x##vso[task.setvariable variable=a]b.crash", "carriage\r::error::pwned.crash", "-d.crash",
            "--in-place.crash", "%0A::error::pwned.crash", "quote'\"`$(touch pwned)`.crash", "a|b\\1&.crash",
            "a\n\n# Heading\n\n![x](http:/e)\n.crash", "esc\x1b]0;pwned\x07.crash", "*.crash", "space .crash",
        ]
        names += [folder + "/in.crash" for folder in ("-folder", "::error::folder", "f\n", "x..")]
        for name in names:
            self.put(name)
        self.put("bad\n::error::pwned/in.crash", os.devnull)
        done = self.ci("--reports", "*.crash", "--reports", "*/*.crash", "-d", BUNDLE, status=1)
        for name in names:
            with open(os.path.join(self.folder, "symbolicated", name), encoding="utf-8") as file:
                self.assertIn(ANSWER, file.read(), name)
        page = self.read("summary.md")
        count = len(names) + 1
        self.assertIn(f"### Crash reports: {count}\n", page)
        self.assertIn(f"1 of {count} reports were not completed", page)
        self.assertEqual(page.count("<summary>"), count)
        for text in (page, done.stdout, done.stderr):
            self.assertIsNone(re.search(r"^\s*::", text, re.MULTILINE), text)
            self.assertNotIn("##[", text)
            self.assertNotIn("##vso[", text)
            self.assertNotIn("\x1b", text)
        self.assertNotIn("\n# Heading", page)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "pwned")))
        # What was printed without a file for the summary goes to the same log.
        self.assertIsNone(re.search(
            r"^\s*::", self.ci("--reports", "*.crash", "-d", BUNDLE, GITHUB_STEP_SUMMARY="").stdout,
            re.MULTILINE))

    def test_text_of_reports_is_no_command(self):
        with open(REPORT, encoding="utf-8") as file:
            text = file.read()
        evil = text.replace("Letter Shuffle [", "::error::pwned ##[error]pwned [")
        self.assertIn("::error", evil)
        self.write("e.crash", evil)
        done = self.ci("--reports", "e.crash", status=None, GITHUB_STEP_SUMMARY="")
        for output in (done.stdout, done.stderr):
            self.assertIsNone(re.search(r"^\s*::|##\[", output, re.MULTILINE), output)

    def test_a_release_with_a_hostile_name(self):
        for name in ("-x.app", "a\n::error::x.app", "[x](http:y).app"):
            os.makedirs(os.path.join(self.folder, name, "Contents"))
            done = self.ci("--check", name, status=1)
            self.assertIsNone(re.search(r"^\s*::", done.stderr, re.MULTILINE))
            page = self.read("summary.md")
            self.assertIn("### Symbols: not checked (status 65)", page)
            self.assertIsNone(re.search(r"^\s*::", page, re.MULTILINE))
            os.remove(self.summary)
        self.assertIn("<p><code>[x](http:y).app</code></p>", page)

    def test_a_release_without_its_symbols_fails(self):
        release = os.path.join(self.folder, "App.app")
        os.makedirs(release)
        shutil.copyfile(os.path.join(ROOT, "Fixtures/MachO/shapes-arm64-stripped"),
                        os.path.join(release, "App"))
        self.ci("--check", "App.app", status=1)
        self.assertIn("### Symbols: incomplete\n", self.read("summary.md"))

    def test_a_release_that_is_not_there_fails(self):
        self.ci("--check", "Nothing.xcarchive", status=1)
        self.assertIn("### Symbols: not checked (status 66)", self.read("summary.md"))

    def test_wrong_usage(self):
        for arguments in ([], ["--nothing"], ["--reports"]):
            self.assertIn("symbolicate-ci.sh: ", self.ci(*arguments, status=64).stderr)
        self.assertIn("the program '/nothing' is not there",
                      self.ci("--reports", "x", SYMBOLICATE="/nothing", status=64).stderr)


class Annotations(Folder):
    """What GitHub shows in the changes of a pull request. The report crashed in GameData.swift:18, which was
    /Users/builder/Letter Shuffle/GameData.swift when the app was built."""

    COMMAND = re.compile(r"^::error file=(.*),line=(\d+),title=Crash::(.*)$", re.MULTILINE)

    def annotations(self, *arguments, status=0, **environment):
        """The commands as the runner reads them: file, line and message."""
        done = self.ci("--reports", "*.crash", "-d", BUNDLE, *arguments, status=status,
                       GITHUB_ACTIONS="true", GITHUB_WORKSPACE=self.folder, **environment)
        self.assertIsNone(re.search(r"^\s*::", done.stdout, re.MULTILINE))
        commands = re.findall(r"^\s*::.*$", done.stderr, re.MULTILINE)
        found = [self.COMMAND.fullmatch(line) for line in commands]
        self.assertTrue(all(found), commands)

        def read(text):  # As in the runner: % comes last.
            for code, sign in ("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"):
                text = text.replace(code, sign)
            return text
        return [(read(match[1]), int(match[2]), read(match[3])) for match in found]

    def repository(self, *names):
        run("git", "init", "-q", cwd=self.folder)
        for name in names:
            self.write(name, "// code\n")
            run("git", "add", "--", name, cwd=self.folder)

    def test_a_line_of_the_repository(self):
        self.repository("Letter Shuffle/GameData.swift", "Other/GameData.swift", "README.md")
        self.put("one.crash")
        self.put("two.crash")
        ((file, line, message),) = self.annotations()
        self.assertEqual((file, line), ("Letter Shuffle/GameData.swift", 18))
        self.assertIn("a failed check in Swift code", message)
        self.assertIn("in one-time initialization function for rounds (./one.crash)", message)
        page = self.read("summary.md")
        self.assertEqual(page.count("<p>at <code>Letter Shuffle/GameData.swift:18</code></p>"), 2)

    def test_where_the_repository_is(self):
        """The repository, a folder of it, or a folder above it may have been at the path."""
        for names, expected in [
            (["GameData.swift"], "GameData.swift"),
            (["x/Users/builder/Letter Shuffle/GameData.swift"],
             "x/Users/builder/Letter Shuffle/GameData.swift"),
            # Another file of the same name, such as one of a package.
            (["Sources/GameData.swift"], None),
            (["Letter Shuffle/gamedata.swift"], None),
        ]:
            shutil.rmtree(self.folder)
            os.makedirs(self.folder)
            self.repository(*names)
            self.put("one.crash")
            found = [file for file, _, _ in self.annotations()]
            self.assertEqual(found, [expected] if expected else [], names)
        self.assertIn("at <code>/Users/builder/Letter Shuffle/GameData.swift:18", self.read("summary.md"))

    def test_without_git(self):
        self.write("Letter Shuffle/GameData.swift", "// code\n")
        self.put("one.crash")
        self.assertEqual(self.annotations()[0][:2], ("Letter Shuffle/GameData.swift", 18))

    def test_elsewhere_there_are_none(self):
        self.repository("GameData.swift")
        self.put("one.crash")
        done = self.ci("--reports", "*.crash", "-d", BUNDLE)
        self.assertNotIn("::error", done.stdout + done.stderr)

    def test_hostile_names(self):
        """The program is a script that answers with JSON: nothing in it ends a command or begins one."""
        folder = "a,line=1::%0A::error::b\"\\c##[x]"
        path = f"/build/{folder}/Main.swift"
        function = "f()\n::error file=x::pwned\r\u2028%0A \"crash\":{ ${HOME} $(touch pwned) `touch pwned` \\n"
        record = {"schema": "x", "process": {"path": "\"crash\":{\"reason\":"}, "crash": {
            "reason": "r%25\n::error::pwned", "evidence": [{"text": "\",\"frame\":{"}],
            "frame": {"index": 0, "function": function, "file": "Main.swift", "path": path, "line": 7,
                      "column": 1}, "library": None},
            "backtraces": [{"frames": [{"function": "other", "path": "/p", "line": 9, "column": 1}]}]}
        self.write("record.json", json.dumps(record, separators=(",", ":")) + "\n")
        self.write("program", "#!/bin/sh\ncase \"$*\" in *ndjson*) cat record.json ;; esac\n")
        os.chmod(os.path.join(self.folder, "program"), 0o755)
        self.write(f"{folder}/Main.swift", "")
        self.put("x\n::error::y.crash")
        ((file, line, message),) = self.annotations(SYMBOLICATE=os.path.join(self.folder, "program"))
        self.assertEqual((file, line), (f"{folder}/Main.swift".replace("##", "# #"), 7))
        self.assertTrue(message.startswith("r%25\ufffd::error::pwned in f()\ufffd::error file=x::pwned"))
        self.assertIn("%0A \"crash\":{ ${HOME} $(touch pwned) `touch pwned` \\n", message)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "pwned")))

    def test_no_more_than_are_shown(self):
        names = [f"f{number}/Main.swift" for number in range(12)]
        self.repository(*names)
        self.write("program", "#!/bin/sh\ncase \"$*\" in *ndjson*) cat \"$1.json\" ;; esac\n")
        os.chmod(os.path.join(self.folder, "program"), 0o755)
        for name in names:
            report = name.replace("/", "-") + ".crash"
            self.put(report)
            frame = {"function": None, "path": "/b/" + name, "line": 3, "column": None}
            self.write(report + ".json", json.dumps(
                {"crash": {"reason": None, "frame": frame}}, separators=(",", ":")) + "\n")
            again = "again-" + report
            self.put(again)
            shutil.copyfile(os.path.join(self.folder, report + ".json"),
                            os.path.join(self.folder, again + ".json"))
        found = self.annotations(SYMBOLICATE=os.path.join(self.folder, "program"))
        self.assertEqual(len(set(file for file, _, _ in found)), 10)
        self.assertEqual(len(found), 10)
        self.assertTrue(all(message.startswith("crash (") for _, _, message in found))


class Action(Folder):
    """action.yml starts action.sh with the inputs in the environment."""

    def setUp(self):
        super().setUp()
        # A release with the program under test.
        self.name = f"symbolicate-{version()}-linux-{os.uname().machine}"
        tree = os.path.join(self.folder, "release", self.name)
        os.makedirs(tree)
        os.symlink(PROGRAM, os.path.join(tree, "symbolicate"))
        run("tar", "-C", os.path.dirname(tree), "-czf", tree + ".tar.gz", self.name)
        shutil.rmtree(tree)
        self.tarball = tree + ".tar.gz"
        sums = run("sha256sum", self.name + ".tar.gz", cwd=os.path.dirname(tree)).stdout
        self.write("release/SHA256SUMS", sums)

    def action(self, status=0, **inputs):
        """Runs the command of action.yml as the runner does: from a file, with these options of bash."""
        with open(os.path.join(ROOT, "action.yml"), encoding="utf-8") as file:
            command = re.search(r"^      run: '(.*)'$", file.read(), re.MULTILINE).group(1)
        step = self.write("step.sh", command + "\n")
        return run("bash", "--noprofile", "--norc", "-eo", "pipefail", step, status=status,
                   cwd=self.folder, env={
            "ACTION": ROOT, "GITHUB_STEP_SUMMARY": self.summary, "GITHUB_ACTIONS": "", "RUNNER_TEMP": self.folder,
            "GITHUB_PATH": os.path.join(self.folder, "path"), **inputs})

    def test_with_a_tarball(self):
        self.put("crashes/one.crash")
        shutil.copytree(BUNDLE, os.path.join(self.folder, "my app.dSYM"))
        self.action(TARBALL=self.tarball, REPORTS="crashes/*.crash\n", SYMBOLS="\nmy app.dSYM\n",
                    OUTPUT="out", STRICT="false")
        self.assertIn(ANSWER, self.read("out/crashes/one.crash"))
        programs = self.read("path").strip()
        self.assertTrue(os.access(os.path.join(programs, "symbolicate"), os.X_OK))

    def test_annotations_and_the_page(self):
        self.put("crashes/one.crash")
        self.write("GameData.swift", "// code\n")
        done = self.action(TARBALL=self.tarball, REPORTS="crashes/*.crash", SYMBOLS=BUNDLE,
                           GITHUB_ACTIONS="true", GITHUB_WORKSPACE=self.folder)
        self.assertEqual(re.findall("^::.*title=Crash", done.stderr, re.MULTILINE),
                         ["::error file=GameData.swift,line=18,title=Crash"])
        self.assertIn("<p>at <code>GameData.swift:18</code></p>", self.read("summary.md"))

    def test_hostile_names(self):
        """Through the command of the definition: names of reports, symbols, the release and the output are
        no part of a command, of the shell or of the runner."""
        evil = "$(touch pwned)`touch pwned`;touch pwned;'\"\\"
        names = [evil + ".crash", "a\n::error::pwned.crash", "##[error]pwned.crash", "-d.crash",
                 "%0A::add-path::pwned.crash", "esc\x1b]0;pwned\x07.crash", "a\r::set-output name=x::y.crash"]
        for name in names:
            self.put(name)
        symbols, release = evil + ".dSYM", evil + ".app"
        shutil.copytree(BUNDLE, os.path.join(self.folder, symbols))
        os.makedirs(os.path.join(self.folder, release))
        self.write("GameData.swift", "// code\n")
        done = self.action(
            TARBALL=self.tarball, REPORTS="*.crash", SYMBOLS=symbols, CHECK=release, OUTPUT="-" + evil,
            GITHUB_ACTIONS="true", GITHUB_WORKSPACE=self.folder, status=1)
        for name in names:
            with open(os.path.join(self.folder, "-" + evil, name), encoding="utf-8") as file:
                self.assertIn(ANSWER, file.read(), name)
        page = self.read("summary.md")
        self.assertIn(f"### Crash reports: {len(names)}\n", page)
        self.assertIn("### Symbols: not checked (status 65)", page)
        # The line of the crash has one annotation, and its message is on one line.
        commands = re.findall(r"^\s*::.*$", done.stdout + done.stderr, re.MULTILINE)
        self.assertEqual([line.split("::")[1] for line in commands],
                         ["error file=GameData.swift,line=18,title=Crash"])
        for text in (page, done.stdout, done.stderr):
            self.assertNotIn("##[", text)
            self.assertNotIn("\x1b", text)
        self.assertIsNone(re.search(r"^\s*::", page, re.MULTILINE))
        self.assertEqual(self.read("path").count("\n"), 1)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "pwned")))

    def test_a_download_is_compared_with_its_checksum(self):
        self.put("one.crash")
        self.action(TARBALL=f"file://{self.tarball}", REPORTS="*.crash", SYMBOLS=BUNDLE)
        self.assertIn(ANSWER, self.read("symbolicated/one.crash"))
        self.write("release/SHA256SUMS", "0" * 64 + f"  {self.name}.tar.gz\n")
        done = self.action(TARBALL=f"file://{self.tarball}", REPORTS="*.crash", status=1)
        self.assertIn("is not what SHA256SUMS says", done.stderr)

    def test_a_tarball_that_is_not_there(self):
        self.assertIn("is not a file; give a release tarball or its URL",
                      self.action(TARBALL="nothing.tar.gz", REPORTS="x", status=1).stderr)

    def test_the_definition_passes_every_input(self):
        with open(os.path.join(ROOT, "action.yml"), encoding="utf-8") as file:
            text = file.read()
        inputs = re.findall(r"^  (\w+):\n    description:", text, re.MULTILINE)
        self.assertEqual(len(inputs), 7)
        with open(script("ci/action.sh"), encoding="utf-8") as file:
            reads = file.read()
        for name in inputs:
            self.assertIn(f"        {name.upper()}: ${{{{ inputs.{name} }}}}\n", text)
            self.assertIn("${" + name.upper(), reads)
        # No input is put into the text of a shell command.
        self.assertNotIn("inputs", re.search(r"run: (.*)", text).group(1))
