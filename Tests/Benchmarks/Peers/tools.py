"""The program and its peers: how each is called, and how its answers are parsed."""
import glob
import os
import shutil
import subprocess
import sys

import answers
from measuring import Failure, Invocation

HERE = os.path.dirname(os.path.abspath(__file__))
INDEX_THREADS = 2


class Lookup:
    """A tool that looks up the addresses of a list. `source` is the symbol file or the index."""

    def __init__(
            self, name, command, parse, on_input=True, reads_mach_o=True, mistakes_files=False, reads_symbols=True):
        self.name = name
        self.parse = parse
        self.reads_mach_o = reads_mach_o
        self.mistakes_files = mistakes_files
        self.reads_symbols = reads_symbols
        self.on_input = on_input
        # (source, image, address list) -> arguments
        self.command = command

    def invocation(self, source, image, addresses, output):
        arguments = self.command(source, image, addresses)
        return Invocation(
            arguments[0], arguments, output, input=addresses if self.on_input else "/dev/null")

    def answers(self, output):
        with open(output, errors="replace") as file:
            return self.parse(file.read())


class Symbolicate:
    """The program under test."""

    name = "symbolicate"

    def __init__(self, program, scratch):
        self.program = os.path.abspath(program)
        # Indexes in the user's cache must not be used.
        cache = os.path.join(scratch, "no-cache")
        self.environment = {"HOME": cache, "XDG_CACHE_HOME": cache}
        # The help for a command that is not there is the general one.
        self.builds_indexes = "symbolicate index" in self._help("index")
        self.reads_indexes = "-index-dir" in self._help("atos")

    def _help(self, command):
        return subprocess.run([self.program, command, "--help"], capture_output=True, text=True).stdout

    def lookup(self, path, addresses, output, index_folder=None, jobs=None):
        options = ["-index-dir", index_folder] if index_folder else []
        if jobs:
            options += ["-jobs", str(jobs)]
        return Invocation(
            self.program, ["atos", "-i", "-f", addresses, "-o", path, *options], output,
            environment=self.environment)

    def index(self, path, folder, output):
        return Invocation(
            self.program, [self.name, "index", path, "-o", folder, "--jobs", str(INDEX_THREADS)], output,
            environment=self.environment, fresh_folder=folder)

    def answers(self, output):
        with open(output, errors="replace") as file:
            return answers.of_atos(file.read())

    @staticmethod
    def index_file(folder):
        """The one index in a folder."""
        files = glob.glob(os.path.join(folder, "**", "*.gsym"), recursive=True)
        if len(files) != 1:
            raise Failure(f"{len(files)} indexes in {folder}")
        return files[0]


def llvm_tool(name):
    suffixes = [os.environ.get("SYMBOLICATE_LLVM_SUFFIX", "-19"), "-19", "-18", ""]
    return next((path for suffix in suffixes if (path := shutil.which(name + suffix))), None)


def python_with_symbolic():
    python = os.environ.get("SYMBOLICATE_BENCH_PYTHON", sys.executable)
    return python if subprocess.run([python, "-c", "import symbolic"], capture_output=True).returncode == 0 else None


def installed_lookups():
    """The tools that look up addresses in symbol files."""
    tools = []
    if path := llvm_tool("llvm-symbolizer"):
        tools.append(Lookup(
            "llvm-symbolizer",
            lambda source, _, __: [path, "--inlines", "--no-demangle", "--obj=" + source],
            answers.of_llvm))
    if elfutils := shutil.which("eu-addr2line"):
        tools.append(Lookup(
            "eu-addr2line", lambda source, _, __: [elfutils, "-a", "-i", "-f", "-e", source],
            answers.of_addr2line, reads_mach_o=False))
    if gnu := shutil.which("addr2line"):
        tools.append(Lookup(
            "addr2line", lambda source, _, __: [gnu, "-a", "-i", "-f", "-e", source],
            answers.of_addr2line, reads_mach_o=False, mistakes_files=True))
    # Its two ways to open a file: with the symbol table, as its own program does, and with DWARF alone.
    if gimli := os.environ.get("SYMBOLICATE_BENCH_GIMLI"):
        for name, options in ("gimli", []), ("gimli, DWARF alone", ["--ctx"]):
            tools.append(Lookup(
                name, lambda source, _, __, options=options: [os.path.abspath(gimli), *options, source],
                answers.of_addr2line, reads_symbols=not options))
    if python := python_with_symbolic():
        tools.append(symbolic_lookup(python, "lookup"))
    return tools


def symbolic_lookup(python, command):
    script = os.path.join(HERE, "symbolic_peer.py")
    return Lookup(
        "symbolic",
        lambda source, image, addresses: [
            python, script, command, source, hex(image.load_address), addresses],
        answers.of_tabs, on_input=False)


class IndexTool:
    """A tool that makes an index, and how addresses are looked up in it."""

    def __init__(self, name, command, lookup, lists_index):
        self.name = name
        # (symbol file, index file) -> arguments
        self.command = command
        self.lookup = lookup
        # Whether each line of the address list also names the index.
        self.lists_index = lists_index

    def invocation(self, source, index, output):
        arguments = self.command(source, index)
        return Invocation(arguments[0], arguments, output)


def help_of(path):
    return subprocess.run([path, "--help"], capture_output=True, text=True).stdout


def gsym_lookup():
    path = llvm_tool("llvm-gsymutil")
    # Old versions do not read a list of addresses.
    if not path or "--addresses-from-stdin" not in help_of(path):
        return None
    return Lookup("llvm-gsymutil", lambda _, __, ___: [path, "--addresses-from-stdin"], answers.of_gsym)


def installed_index_tools():
    tools = []
    if lookup := gsym_lookup():
        path = llvm_tool("llvm-gsymutil")
        quietly = ["--quiet"] if "--quiet" in help_of(path) else []
        tools.append(IndexTool(
            lookup.name,
            lambda source, index: [
                path, "--convert=" + source, "--out-file=" + index, f"--num-threads={INDEX_THREADS}", *quietly],
            lookup, lists_index=True))
    if python := python_with_symbolic():
        script = os.path.join(HERE, "symbolic_peer.py")
        tools.append(IndexTool(
            "symbolic", lambda source, index: [python, script, "index", source, index],
            symbolic_lookup(python, "index-lookup"), lists_index=False))
    return tools
