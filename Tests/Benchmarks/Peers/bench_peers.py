#!/usr/bin/env python3
"""Runs the program and the tools it is compared with in turn, A B A B, each as a whole process.

Times only count if the answers agree: a case in which less than 99 % of them agree fails. Each process is run
once before, which warms the page cache and gives the answers to compare. Prints medians, minima, the median of
the ratios of adjacent runs, and the peaks of memory (measuring.py explains what is counted).

Exit status 1: answers disagree, the program failed, or nothing was compared. Other tools that fail are left
out.
"""
import os
import shutil
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Inputs"))

import addresses
import cases
import tools
from agreement import Agreement
from measuring import Failure, Invocation, memory, run
from object_file import ObjectFile, UnsuitableFile
from options import parse_options, use_fixtures
from report import Report, Row
from report_cases import JSON, REPORTS, ReportBench

SMOKE_ADDRESS_COUNT = 200


class Skipped(Exception):
    """Why a case or a peer is not measured."""


class Contender:
    """A process that runs in turn with others: its invocation and its measurements."""

    def __init__(self, name, invocation):
        self.name = name
        self.invocation = invocation
        self.seconds = []
        self.memory = None


class Bench:
    def __init__(self, options):
        self.options = options
        self.scratch = os.path.abspath(options.scratch)
        os.makedirs(self.scratch, exist_ok=True)
        self.ours = tools.Symbolicate(options.program, self.scratch)
        self.lookups = tools.installed_lookups()
        self.index_tools = tools.installed_index_tools()
        self.report = Report(options.smoke)
        self.images = {}
        self.lists = {}

    # Inputs

    def path(self, name):
        path = self.options.inputs.get(name)
        if not path or not os.path.exists(path):
            where = f"{path}: `make bench-inputs` makes it" if path else "SYMBOLICATE_CORPUS is not set"
            raise Skipped(f"no {cases.INPUT_TITLES[name]} ({where})")
        return os.path.abspath(path)

    def image(self, name):
        if name not in self.images:
            self.images[name] = ObjectFile(self.path(name))
        return self.images[name]

    def address_list(self, name, kind):
        folder = os.path.join(self.scratch, "addresses", name)
        if name not in self.lists:
            count = SMOKE_ADDRESS_COUNT if self.options.smoke else addresses.ADDRESS_COUNT
            self.lists[name] = addresses.address_lists(self.path(name), self.options.seed, count)
            addresses.write(self.lists[name], folder)
        return os.path.join(folder, kind), self.lists[name][kind]

    def output(self, name):
        folder = os.path.join(self.scratch, "output")
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, name.replace(" ", "-"))

    # Measuring

    def take_turns(self, contenders):
        """Measures times and peaks. All were run once before: `seconds` holds the time of that run."""
        budget = self.options.seconds
        turns = {
            id(each): max(1, min(self.options.rounds, int(budget / max(each.seconds[0], 1e-4))))
            for each in contenders}
        for each in contenders:
            each.seconds.clear()
        for turn in range(max(turns.values())):
            for each in contenders:
                if turn < turns[id(each)]:
                    each.seconds.append(run(each.invocation))
        for each in contenders:
            # Few samples are taken of a short process.
            runs = [memory(each.invocation) for _ in range(1 if statistics.median(each.seconds) > 1 else 3)]
            each.memory = max(runs, key=lambda run: run.anonymous)

    def warm_up(self, name, invocation):
        contender = Contender(name, invocation)
        contender.seconds.append(run(invocation))
        return contender

    def compare(self, case, ours, peers):
        """`peers`: (contender, agreement or None) for the peers whose answers agree with ours."""
        self.take_turns([ours] + [peer for peer, _ in peers])
        rivals = [peer for peer, _ in peers if peer.name.startswith(("gimli", "llvm-"))]
        fastest = min(rivals, key=lambda peer: statistics.median(peer.seconds)) if rivals else None
        judged = {peer.name for peer, _ in peers}
        bars = dict(case.bars)
        if cases.FASTEST in bars and any(peer.name.startswith("gimli") for peer in rivals):
            bars[fastest.name] = bars[cases.FASTEST]
            judged.add(cases.FASTEST)
        for peer, agreement in peers:
            self.report.add(Row(case, ours, peer, agreement, bars.get(peer.name), is_fastest=peer is fastest))
        for name in case.bars.keys() - judged:
            reason = " (SYMBOLICATE_BENCH_GIMLI is not set)" if name == cases.FASTEST else ""
            self.report.skip(f"{case.title}: {name}, for which there is a bar{reason}")
        for name, reason in case.left_out.items():
            self.report.skip(f"{case.title}: {name}: {reason}")

    def believed(self, case, name, agreement):
        if agreement.is_believed:
            return True
        self.report.disagree(case, name, agreement)
        return False

    # Cases

    def run(self, case):
        kinds = {
            "lookup": self.lookup, "without-aranges": self.without_aranges,
            "index": self.index, "index-lookup": self.index_lookup}
        try:
            kinds[case.kind](case)
        except Skipped as reason:
            self.report.skip(f"{case.title}: {reason}")
        except (Failure, UnsuitableFile, subprocess.CalledProcessError) as failure:
            self.report.fail(f"{case.title}: {failure}")

    def lookup(self, case, path=None):
        path = path or self.path(case.input)
        image = self.image(case.input)
        list_path, asked = self.address_list(case.input, case.addresses)
        ours = self.warm_up(self.ours.name, self.ours.lookup(path, list_path, self.output("ours")))
        own_answers = self.ours.answers(ours.invocation.output)
        peers = []
        for tool in self.lookups:
            if tool.name in case.left_out or not (image.is_elf or tool.reads_mach_o):
                continue
            try:
                peer = self.warm_up(tool.name, tool.invocation(path, image, list_path, self.output(tool.name)))
            except Failure as failure:
                self.report.skip(f"{case.title}: {tool.name}: {failure}")
                continue
            agreement = Agreement(
                own_answers, tool.answers(peer.invocation.output), asked, tool.mistakes_files,
                tool.reads_symbols)
            if self.believed(case, tool.name, agreement):
                peers.append((peer, agreement))
        if not peers:
            raise Skipped("no peer to compare with")
        if cases.ONE_JOB in case.bars:
            peers.append(self.one_job(path, list_path, ours))
        self.compare(case, ours, peers)

    def one_job(self, path, list_path, ours):
        """Our program with one thread, which must print the same bytes."""
        single = self.warm_up(
            cases.ONE_JOB, self.ours.lookup(path, list_path, self.output(cases.ONE_JOB), jobs=1))
        with open(ours.invocation.output, "rb") as output, open(single.invocation.output, "rb") as other:
            if output.read() != other.read():
                raise Failure("the output depends on the number of jobs")
        return single, None

    def without_aranges(self, case):
        path = self.path(case.input)
        copy = os.path.join(self.scratch, os.path.basename(path) + ".without-aranges")
        if not os.path.exists(copy) or os.path.getmtime(copy) < os.path.getmtime(path):
            objcopy = shutil.which("objcopy") or tools.llvm_tool("llvm-objcopy")
            if not objcopy:
                raise Skipped("no objcopy")
            subprocess.run([objcopy, "--remove-section", ".debug_aranges", path, copy], check=True)
            forget_cached(copy)
        if ObjectFile(copy).section("debug_aranges"):
            raise Failure(f"{copy} still has .debug_aranges")
        self.lookup(case, copy)

    def own_index(self, name):
        """The folder of our index of an input, and the contender that made it."""
        if not self.ours.builds_indexes:
            raise Skipped("this program has no `index`")
        folder = os.path.join(self.scratch, "index", name)
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        invocation = self.ours.index(self.path(name), folder, self.output("ours"))
        return folder, self.warm_up(self.ours.name, invocation)

    def index(self, case):
        path, image = self.path(case.input), self.image(case.input)
        list_path, asked = self.address_list(case.input, case.addresses)
        folder, ours = self.own_index(case.input)
        own_answers = self.answers_of_own_index(path, image, folder, list_path)
        peers, sizes = [], []
        for tool in self.index_tools:
            index = os.path.join(self.scratch, f"{case.input}.{tool.name}")
            try:
                peer = self.warm_up(tool.name, tool.invocation(path, index, self.output(tool.name)))
                answers = self.answers_of_index(tool.lookup, index, image, list_path, tool.lists_index)
            except Failure as failure:
                self.report.skip(f"{case.title}: {tool.name}: {failure}")
                continue
            agreement = Agreement(own_answers, answers, asked)
            if self.believed(case, tool.name, agreement):
                peers.append((peer, agreement))
                sizes.append(f"{tool.name} {megabytes(index)}")
        if not peers:
            raise Skipped("no peer to compare with")
        self.compare(case, ours, peers)
        self.report.note(", ".join(["written: ours " + megabytes(self.ours.index_file(folder)), *sizes]))

    def answers_of_own_index(self, path, image, folder, list_path):
        """Uses llvm-gsymutil if it is installed: that also shows that it can read the file that we wrote."""
        if lookup := tools.gsym_lookup():
            return self.answers_of_index(lookup, self.ours.index_file(folder), image, list_path, True)
        if not self.ours.reads_indexes:
            raise Skipped("nothing that reads our index")
        invocation = self.ours.lookup(path, list_path, self.output("ours-asked"), folder)
        run(invocation)
        return self.ours.answers(invocation.output)

    def answers_of_index(self, lookup, index, image, list_path, lists_index):
        invocation = self.index_lookup_invocation(lookup, index, image, list_path, lists_index)
        run(invocation)
        return lookup.answers(invocation.output)

    def index_lookup_invocation(self, lookup, index, image, list_path, lists_index):
        if lists_index:
            with open(list_path) as file:
                lines = [f"{line.strip()} {index}\n" for line in file]
            list_path = self.output("list-for-" + os.path.basename(index))
            with open(list_path, "w") as file:
                file.writelines(lines)
        return lookup.invocation(index, image, list_path, self.output(lookup.name + "-asked"))

    def index_lookup(self, case):
        path, image = self.path(case.input), self.image(case.input)
        list_path, asked = self.address_list(case.input, case.addresses)
        if not self.ours.reads_indexes:
            raise Skipped("this program's `atos` has no -index-dir")
        folder, _ = self.own_index(case.input)
        ours = self.warm_up(
            self.ours.name, self.ours.lookup(path, list_path, self.output("ours"), folder))
        own_answers = self.ours.answers(ours.invocation.output)
        peers = []
        for tool in self.index_tools:
            index = os.path.join(self.scratch, f"{case.input}.{tool.name}")
            try:
                if not os.path.exists(index) or os.path.getmtime(index) < os.path.getmtime(path):
                    run(tool.invocation(path, index, self.output(tool.name)))
                invocation = self.index_lookup_invocation(
                    tool.lookup, index, image, list_path, tool.lists_index)
                peer = self.warm_up(tool.name, invocation)
            except Failure as failure:
                self.report.skip(f"{case.title}: {tool.name}: {failure}")
                continue
            agreement = Agreement(own_answers, tool.lookup.answers(invocation.output), asked)
            if self.believed(case, tool.name, agreement):
                peers.append((peer, agreement))
        # A program that does nothing is the lower bound. It has no answers to compare.
        peers.append((self.warm_up("empty program", self.empty_program()), None))
        self.compare(case, ours, peers)

    def empty_program(self):
        program = os.path.join(self.scratch, "empty")
        if not os.path.exists(program):
            with open(program + ".swift", "w"):
                pass
            subprocess.run(["swiftc", "-O", "-static-stdlib", program + ".swift", "-o", program], check=True)
        return Invocation(program, [program], self.output("empty"))


def forget_cached(path):
    """Drops a new file from the page cache. Pages that were written are mapped in larger pieces than pages that
    were read, so the file would count for more resident memory than any other."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def megabytes(path):
    return f"{os.path.getsize(path) / 1e6:.1f} MB"


def main():
    options = parse_options(__doc__)
    chosen = [case for case in cases.CASES if options.only in case.title]
    if options.list:
        print(*(case.title for case in [*chosen, REPORTS, JSON]), sep="\n")
        return 0
    if options.smoke:
        use_fixtures(options)
    bench = Bench(options)
    for case in chosen:
        bench.run(case)
    ReportBench(bench).run()
    return bench.report.finish()


if __name__ == "__main__":
    sys.exit(main())
