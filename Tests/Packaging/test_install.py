"""`make install` and `make uninstall`: what is installed, what is left, and what is refused."""

import os
import tempfile
import unittest

from support import PROGRAM, PROGRAMS, ROOT, run, script


def listing(folder):
    return sorted(os.path.relpath(os.path.join(parent, name), folder)
                  for parent, folders, names in os.walk(folder) for name in folders + names)


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.stage = os.path.join(cls.work.name, "stage")
        run(script("stage.sh"), PROGRAMS, cls.stage)

    @classmethod
    def tearDownClass(cls):
        cls.work.cleanup()

    def setUp(self):
        self.target = tempfile.mkdtemp(dir=self.work.name)
        self.prefix = os.path.join(self.target, "opt/s")

    def make(self, goal, status=0, stage=None, destination=""):
        return run("make", "--no-print-directory", goal, f"STAGE={stage or self.stage}",
                   f"PREFIX={self.prefix if not destination else '/opt/s'}",
                   f"DESTDIR={destination}", cwd=ROOT, status=status)

    def test_installs_programs_pages_and_completions(self):
        self.make("install")
        installed = listing(self.prefix)
        for name in ("bin/symbolicate", "bin/symbolicate-fetch", "bin/atos",
                     "share/man/man1/symbolicate.1", "share/man/man1/atos.1",
                     "share/bash-completion/completions/atos", "share/zsh/site-functions/_symbolicate",
                     "share/fish/vendor_completions.d/symbolicate.fish"):
            self.assertIn(name, installed)
        done = run(os.path.join(self.prefix, "bin/atos"), "--help")
        self.assertTrue(done.stdout.startswith("Usage: atos"))
        # Stripped: no symbol table.
        sections = run("readelf", "-S", "-W", os.path.join(self.prefix, "bin/symbolicate")).stdout
        self.assertNotIn(".symtab", sections)
        self.assertIn(".symtab", run("readelf", "-S", "-W", PROGRAM).stdout)

    def test_uninstall_leaves_what_was_there(self):
        os.makedirs(os.path.join(self.prefix, "share/man/man1"))
        os.makedirs(os.path.join(self.prefix, "share/empty"))
        with open(os.path.join(self.prefix, "share/man/man1/other.1"), "w", encoding="utf-8"):
            pass
        before = listing(self.prefix)
        self.make("install")
        self.make("install")  # Again, over the first.
        self.assertIn("bin/symbolicate", listing(self.prefix))
        self.make("uninstall")
        self.assertEqual(listing(self.prefix), before)

    def test_files_of_an_earlier_version_go(self):
        earlier = os.path.join(self.target, "earlier")
        run("cp", "-R", self.stage, earlier)
        with open(os.path.join(earlier, "share/man/man1/symbolicate-gone.1"), "w", encoding="utf-8"):
            pass
        self.make("install", stage=earlier)
        self.make("install")
        self.assertNotIn("share/man/man1/symbolicate-gone.1", listing(self.prefix))
        self.make("uninstall")
        self.assertEqual(listing(self.prefix), [])

    def test_into_a_root_for_packages(self):
        root = os.path.join(self.target, "root")
        self.make("install", destination=root)
        self.assertIn("opt/s/bin/symbolicate", listing(root))
        with open(os.path.join(root, "opt/s/share/doc/symbolicate/installed.txt"), encoding="utf-8") as file:
            self.assertNotIn(root, file.read())
        self.make("uninstall", destination=root)
        self.assertEqual(listing(root), ["opt", "opt/s"])

    def test_another_atos_stays(self):
        os.makedirs(os.path.join(self.prefix, "bin"))
        other = os.path.join(self.prefix, "bin/atos")
        with open(other, "w", encoding="utf-8") as file:
            file.write("mine")
        done = self.make("install")
        self.assertIn("bin/atos belongs to another program and stays; 'symbolicate atos' does the same",
                      done.stderr)
        self.make("uninstall")
        with open(other, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")

    def test_nothing_is_built_by_install(self):
        nothing = os.path.join(self.target, "nothing")
        done = self.make("install", status=2, stage=nothing)
        self.assertIn("install.sh: nothing is built; run 'make build' first (not as root)", done.stderr)
        self.assertEqual(listing(self.target), [])
        plan = run("make", "-n", "install", cwd=ROOT).stdout
        self.assertNotIn("swift", plan)

    def test_uninstall_without_install(self):
        done = self.make("uninstall", status=2)
        self.assertIn("installed.txt is missing: 'make install' did not install there", done.stderr)

    def test_uninstall_removes_nothing_outside_the_prefix(self):
        self.make("install")
        victim = os.path.join(self.target, "victim")
        with open(victim, "w", encoding="utf-8"):
            pass
        record = os.path.join(self.prefix, "share/doc/symbolicate/installed.txt")
        for entry in ("../../victim", victim):
            with open(record, "w", encoding="utf-8") as file:
                file.write(entry + "\n")
            self.assertIn("which is not below", self.make("uninstall", status=2).stderr)
            self.assertTrue(os.path.exists(victim))

    def test_programs_of_another_version_are_refused(self):
        folder = os.path.join(self.target, "old")
        os.makedirs(folder)
        for name in ("symbolicate", "symbolicate-fetch"):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\necho symbolicate 0.0.1\n")
            os.chmod(os.path.join(folder, name), 0o755)
        done = run(script("stage.sh"), folder, os.path.join(self.target, "stage"), status=1)
        self.assertIn("is 'symbolicate 0.0.1', but Version.swift has ", done.stderr)
