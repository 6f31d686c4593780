"""The documents of the tarball, and the commit in --version."""

import os
import shutil

from support import FolderTest, ROOT, run, script


class Documents(FolderTest):
    def test_dead_links_become_text(self):
        path = self.write("docs/a.md", "[b](b.md#x), ![p](p.svg), [gone](../Fixtures/README.md#y), "
                                       "[site](https://example.org/x), [here](#top)\n")
        self.write("docs/b.md", "")
        self.assertIn("(../Fixtures/README.md#y) leads to nothing",
                      run(script("links.py"), "check", self.folder, status=1).stderr)
        run(script("links.py"), "unlink", self.folder)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "[b](b.md#x), p, gone, [site](https://example.org/x), "
                                          "[here](#top)\n")
        run(script("links.py"), "check", self.folder)

    def test_documents_of_the_tarball_have_no_dead_links(self):
        for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"):
            shutil.copy(os.path.join(ROOT, name), self.folder)
        for name in ("docs", "Examples"):
            shutil.copytree(os.path.join(ROOT, name), os.path.join(self.folder, name))
        os.makedirs(os.path.join(self.folder, "python"))
        shutil.copy(os.path.join(ROOT, "python/README.md"), os.path.join(self.folder, "python"))
        run(script("links.py"), "unlink", self.folder)
        run(script("links.py"), "check", self.folder)
        # README.md is for users: none of its links may get lost.
        with open(os.path.join(self.folder, "README.md"), encoding="utf-8") as file, \
                open(os.path.join(ROOT, "README.md"), encoding="utf-8") as original:
            self.assertEqual(file.read(), original.read())


class BuildStamp(FolderTest):
    def setUp(self):
        super().setUp()
        self.top = self.folder
        os.makedirs(os.path.join(self.top, "Scripts"))
        shutil.copy(os.path.join(ROOT, "Scripts/build-stamp.sh"), os.path.join(self.top, "Scripts"))

    def git(self, *arguments, folder=None):
        date = "2026-11-23T00:30:00+01:00"  # The 22nd in UTC.
        run("git", "-c", "user.name=n", "-c", "user.email=n@example.org", *arguments,
            cwd=folder or self.top, env={"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date})

    def stamp(self, *arguments, folder=None):
        return run(os.path.join(folder or self.top, "Scripts/build-stamp.sh"), *arguments).stdout

    def test_of_a_commit(self):
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "first")
        commit = run("git", "rev-parse", "HEAD", cwd=self.top).stdout[:12]
        self.assertEqual(self.stamp(), f"{commit}, 2026-11-22\n")
        self.assertEqual(self.stamp("--epoch"), "1795390200\n")  # date -ud '2026-11-22 23:30' +%s
        with open(os.path.join(self.top, "untracked"), "w", encoding="utf-8"):
            pass
        self.assertEqual(self.stamp(), f"{commit}, 2026-11-22\n")
        with open(os.path.join(self.top, "Scripts/build-stamp.sh"), "a", encoding="utf-8") as file:
            file.write("\n")
        self.assertEqual(self.stamp(), f"{commit}, modified, 2026-11-22\n")

    def test_without_git_it_is_empty(self):
        self.assertEqual(self.stamp(), "")

    def test_inside_the_checkout_of_another_project_it_is_empty(self):
        inner = os.path.join(self.top, "vendor")
        shutil.copytree(os.path.join(self.top, "Scripts"), os.path.join(inner, "Scripts"))
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "first")
        self.assertEqual(self.stamp(folder=inner), "")
