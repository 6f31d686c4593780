"""The cases that are measured, and their bars."""
from dataclasses import dataclass, field

KERNEL, KERNEL_DSYM, SWIFT_DSYM, XCODE_DSYM = "kernel", "kernel-dsym", "swift-dsym", "xcode-dsym"
INPUT_TITLES = {
    KERNEL: "kernel ELF", KERNEL_DSYM: "kernel as dSYM", SWIFT_DSYM: "Swift dSYM", XCODE_DSYM: "Xcode dSYM"}
LIST_TITLES = {
    "one": "one address", "units": "30 addresses in 30 units", "thousand": "1,000 addresses with inlines",
    "many": "10,000 addresses with inlines", "most": "100,000 addresses with inlines"}

# The peer of a bar for the faster one of llvm-symbolizer and gimli. It is only judged if gimli is among the peers,
# because gimli often is the faster one.
FASTEST = "the faster of llvm-symbolizer and gimli"
# The same program with one thread.
ONE_JOB = "symbolicate, 1 job"
# Two threads that gain nothing may cost this much: the noise of the measurement.
NEVER_SLOWER = 1.05


@dataclass(frozen=True)
class Bar:
    """The greatest allowed median ratio to the peer, of the times of paired runs or of memory peaks."""
    time: float
    memory: float = None
    # The most resident memory of our process, in millions of bytes.
    resident: float = None


@dataclass
class Case:
    # "lookup", "without-aranges", "index", "index-lookup"
    kind: str
    input: str
    addresses: str = "many"
    # By the name of the peer. Peers without a bar are also measured.
    bars: dict = field(default_factory=dict)
    # Peers that are not run, and why.
    left_out: dict = field(default_factory=dict)

    @property
    def title(self):
        name = INPUT_TITLES[self.input]
        if self.kind == "index":
            return f"index of {name}, 2 threads"
        if self.kind == "index-lookup":
            return f"one address from the index of {name}"
        end = ", no .debug_aranges" if self.kind == "without-aranges" else ""
        return f"{LIST_TITLES[self.addresses]}, {name}{end}"


def few(input, addresses, ratio, others=None):
    """A case in which a second thread must not cost time."""
    return Case("lookup", input, addresses, {FASTEST: Bar(ratio), ONE_JOB: Bar(NEVER_SLOWER), **(others or {})})


SLOW = {"eu-addr2line": "it takes half a minute a run"}

CASES = [
    few(KERNEL, "one", 0.06, {"eu-addr2line": Bar(0.35)}),
    few(KERNEL_DSYM, "one", 0.06),
    few(SWIFT_DSYM, "one", 0.22),
    few(XCODE_DSYM, "one", 0.70),
    few(KERNEL, "units", 0.12),
    few(SWIFT_DSYM, "units", 0.45),
    few(XCODE_DSYM, "units", 0.60),
    Case("lookup", XCODE_DSYM, "thousand", {FASTEST: Bar(0.70), ONE_JOB: Bar(NEVER_SLOWER)}),
    Case("lookup", KERNEL, "many", {FASTEST: Bar(0.35)}, left_out=SLOW),
    Case("lookup", SWIFT_DSYM, "many", {FASTEST: Bar(0.45)}),
    Case("lookup", XCODE_DSYM, "many", {FASTEST: Bar(0.70), ONE_JOB: Bar(NEVER_SLOWER)}),
    Case("lookup", XCODE_DSYM, "most", {FASTEST: Bar(0.60)}),
    # Twice what is asked with the table: 0.35 of eu-addr2line is 0.067 of llvm-symbolizer.
    Case(
        "without-aranges", KERNEL, "one", {"llvm-symbolizer": Bar(0.134, resident=30)},
        left_out={"eu-addr2line": "it finds nothing there"}),
    Case("index", KERNEL, bars={"llvm-gsymutil": Bar(0.28, memory=0.4)}),
    Case("index", SWIFT_DSYM, bars={"llvm-gsymutil": Bar(0.25)}),
    # 1.5 ms above the 2 ms of an empty program.
    Case("index-lookup", KERNEL, "one", {"empty program": Bar(1.75)}),
]
