"""The packages of a release: made twice, compared, and read back with the tools of their formats."""

import hashlib
import json
import os
import re
import subprocess
import tarfile
import tempfile
import unittest

from support import PROGRAM, PROGRAMS, run, script, version

MACHINE = os.uname().machine
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}[MACHINE]


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.one, cls.two = (os.path.join(cls.work.name, name) for name in ("one", "two"))
        for folder in (cls.one, cls.two):
            # Neither the time nor the mask nor the folder may matter.
            run(script("release.sh"), PROGRAMS, folder,
                preexec_fn=lambda: os.umask(0o027 if folder == cls.two else 0o022))
        cls.stem = f"symbolicate-{version()}-linux-{MACHINE}"

    @classmethod
    def tearDownClass(cls):
        cls.work.cleanup()

    def path(self, name):
        return os.path.join(self.one, name)

    deb = property(lambda self: self.path(f"symbolicate_{version()}-1_{DEBIAN}.deb"))
    rpm = property(lambda self: self.path(f"symbolicate-{version()}-1.{MACHINE}.rpm"))
    image = property(lambda self: self.path(self.stem + ".oci.tar"))
    sbom = property(lambda self: self.path(self.stem + ".spdx.json"))

    def test_the_same_programs_give_the_same_bytes(self):
        names = sorted(os.listdir(self.one))
        self.assertEqual(len(names), 6)
        self.assertEqual(names, sorted(os.listdir(self.two)))
        for name in names:
            with open(self.path(name), "rb") as one, open(os.path.join(self.two, name), "rb") as two:
                self.assertEqual(hashlib.sha256(one.read()).digest(),
                                 hashlib.sha256(two.read()).digest(), name)

    def test_checksums_are_those_of_all_files(self):
        done = run("sha256sum", "-c", "SHA256SUMS", cwd=self.one).stdout
        self.assertEqual(len(done.splitlines()), len(os.listdir(self.one)) - 1)

    def test_lintian_finds_no_errors(self):
        done = run("lintian", "--allow-root", "--fail-on", "error", self.deb, status=None)
        self.assertEqual(done.returncode, 0, done.stdout)
        warnings = {line.split(": ", 2)[2].split(" ")[0] for line in done.stdout.splitlines()}
        # Not a package for Debian's own archive, where each closes a request.
        self.assertEqual(warnings - {"initial-upload-closes-no-bugs"}, set(), done.stdout)

    def test_the_deb_needs_no_more_than_symbolicate_fetch(self):
        depends = run("dpkg-deb", "-f", self.deb, "Depends").stdout
        self.assertEqual(re.findall(r"([a-z0-9+.-]+) \(", depends), ["libc6", "libgcc-s1", "libstdc++6"])
        self.assertIn("libcurl", run("dpkg-deb", "-f", self.deb, "Recommends").stdout)

    def test_the_deb_has_no_file_called_atos(self):
        names = [os.path.basename(line.split()[5]) for line in
                 run("dpkg-deb", "-c", self.deb).stdout.splitlines()]
        self.assertIn("symbolicate-atos.1.gz", names)
        self.assertFalse({"atos", "atos.1.gz", "atos.fish"} & set(names))

    def test_deb_and_rpm_have_the_same_files(self):
        def names(paths):
            # Each distribution has its own folder for zsh, and its own names for documents.
            return {path.replace("vendor-completions", "site-functions") for path in paths
                    if "/doc/" not in path and "/lintian/" not in path}
        deb = names(line.split()[5][1:] for line in run("dpkg-deb", "-c", self.deb).stdout.splitlines()
                    if line.startswith("-"))
        rpm = names(run("rpm", "-qpl", self.rpm).stdout.split()) - {"/usr/bin/atos"}
        self.assertEqual(deb, rpm)

    def test_the_image_is_read_by_another_tool(self):
        found = json.loads(run("skopeo", "inspect", f"oci-archive:{self.image}").stdout)
        self.assertEqual((found["Architecture"], found["Os"]), (DEBIAN, "linux"))
        self.assertEqual(found["Labels"]["org.opencontainers.image.version"], version())
        self.assertEqual(len(found["Layers"]), 1)
        config = json.loads(run("skopeo", "inspect", "--config", f"oci-archive:{self.image}").stdout)
        self.assertEqual(config["config"]["Entrypoint"], ["/usr/bin/symbolicate"])
        # Copying reads and compares every digest, that of the unpacked layer too.
        run("skopeo", "--insecure-policy", "copy", f"oci-archive:{self.image}",
            f"docker-archive:{self.work.name}/docker.tar")

    def test_the_tarball_has_no_dead_links(self):
        folder = os.path.join(self.work.name, "tarball")
        os.makedirs(folder)
        run("tar", "-C", folder, "-xzf", self.path(self.stem + ".tar.gz"))
        run(script("links.py"), "check", folder)
        tree = os.path.join(folder, self.stem)
        for name in ("symbolicate", "symbolicate-fetch", "atos", "man/atos.1", "README.md", "LICENSE",
                     "completions/_symbolicate", "ci/symbolicate-ci.sh", "THIRD-PARTY-LICENSES.txt"):
            self.assertTrue(os.path.exists(os.path.join(tree, name)), name)

    def test_every_file_in_the_tarball_belongs_to_root_and_the_commit(self):
        with tarfile.open(self.path(self.stem + ".tar.gz")) as archive:
            for member in archive:
                self.assertEqual((member.uid, member.gid, member.mtime), (0, 0, 1750000000), member.name)
                self.assertFalse(member.mode & 0o022 and not member.issym(), member.name)

    def test_the_sbom_lists_every_library(self):
        document = json.load(open(self.sbom, encoding="utf-8"))
        packages = {each["name"]: each for each in document["packages"]}
        for name in ("symbolicate", "dwarfutils", "elfutils", "libarchive", "zlib", "libzstd", "xz-utils",
                     "nettle", "bzip2", "lz4", "glibc", "swift-argument-parser", "swift-system",
                     "swift-runtime"):
            self.assertIn(name, packages)
        # Only tests use it.
        self.assertNotIn("swift-subprocess", packages)
        for each in packages.values():
            self.assertNotIn(each["licenseDeclared"], ("", "NOASSERTION", "NONE"), each["name"])
            self.assertRegex(each["versionInfo"], r"^[0-9]")
        self.assertEqual(packages["zlib"]["versionInfo"],
                         run("dpkg-query", "-W", "-f", "${source:Version}", "zlib1g-dev").stdout)
        identifiers = {each["SPDXID"] for each in document["packages"] + document["files"]}
        identifiers.add("SPDXRef-DOCUMENT")
        for each in document["relationships"]:
            self.assertLessEqual({each["spdxElementId"], each["relatedSpdxElement"]}, identifiers)
        # The programs are those of the packages.
        sums = {each["fileName"]: {sum["algorithm"]: sum["checksumValue"] for sum in each["checksums"]}
                for each in document["files"]}
        content = subprocess.run(["dpkg-deb", "--fsys-tarfile", self.deb], check=True,
                                 stdout=subprocess.PIPE).stdout
        program = subprocess.run(["tar", "-xO", "./usr/bin/symbolicate"], input=content, check=True,
                                 stdout=subprocess.PIPE).stdout
        self.assertEqual(sums["./bin/symbolicate"]["SHA256"], hashlib.sha256(program).hexdigest())

    def test_the_notices_hold_the_licence_of_each_library(self):
        folder = os.path.join(self.work.name, "notices")
        os.makedirs(folder)
        run("tar", "-C", folder, "-xzf", self.path(self.stem + ".tar.gz"))
        with open(os.path.join(folder, self.stem, "THIRD-PARTY-LICENSES.txt"), encoding="utf-8") as file:
            text = file.read()
        for words in ("Tim Kientzle", "Jean-loup Gailly", "GNU Lesser General Public",
                      "Swift", "Runtime Library Exception"):
            self.assertRegex(text, re.compile(words, re.IGNORECASE))

    def test_the_packaged_program_is_the_built_one(self):
        folder = os.path.join(self.work.name, "deb")
        run("dpkg-deb", "-x", self.deb, folder)
        packaged = os.path.join(folder, "usr/bin/symbolicate")
        self.assertEqual(run(packaged, "--version").stdout, run(PROGRAM, "--version").stdout)
        self.assertEqual(run(packaged, "--help").stdout, run(PROGRAM, "--help").stdout)
