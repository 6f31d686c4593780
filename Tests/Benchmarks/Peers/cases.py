"""The cases, and the bars that they must reach."""
from dataclasses import dataclass, field

KERNEL, KERNEL_DSYM, SWIFT_DSYM, XCODE_DSYM = "kernel", "kernel-dsym", "swift-dsym", "xcode-dsym"
INPUT_TITLES = {
    KERNEL: "kernel ELF", KERNEL_DSYM: "kernel as dSYM", SWIFT_DSYM: "Swift dSYM", XCODE_DSYM: "Xcode dSYM"}
LIST_TITLES = {"one": "one address", "units": "30 addresses in 30 units", "many": "10,000 addresses with inlines"}


@dataclass(frozen=True)
class Bar:
    """The largest allowed median of the ratio to the peer: of pairs of runs, or of peak memory."""
    time: float
    memory: float = None


@dataclass
class Case:
    # "lookup", "without-aranges", "index", "index-lookup"
    kind: str
    input: str
    addresses: str = "many"
    # By the name of the peer. A peer without a bar is measured too.
    bars: dict = field(default_factory=dict)
    # Peers that are not run, with the reason.
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


CASES = [
    Case("lookup", KERNEL, "one", {"eu-addr2line": Bar(0.35)}),
    Case("lookup", KERNEL_DSYM, "one", {"llvm-symbolizer": Bar(0.12)}),
    Case("lookup", SWIFT_DSYM, "one", {"llvm-symbolizer": Bar(0.06)}),
    Case("lookup", XCODE_DSYM, "one", {"llvm-symbolizer": Bar(0.15)}),
    Case("lookup", KERNEL, "units", {"llvm-symbolizer": Bar(0.2)}),
    Case("lookup", SWIFT_DSYM, "units", {"llvm-symbolizer": Bar(0.08)}),
    Case(
        "lookup", KERNEL, "many", {"llvm-symbolizer": Bar(0.25)},
        left_out={"eu-addr2line": "it takes half a minute a run"}),
    Case("lookup", SWIFT_DSYM, "many", {"llvm-symbolizer": Bar(0.12)}),
    # Twice the bar for the case with the table: 0.35 of eu-addr2line is 0.067 of llvm-symbolizer.
    Case(
        "without-aranges", KERNEL, "one", {"llvm-symbolizer": Bar(0.134)},
        left_out={"eu-addr2line": "it finds nothing there"}),
    Case("index", KERNEL, bars={"llvm-gsymutil": Bar(0.4, memory=0.4)}),
    Case("index", SWIFT_DSYM, bars={"llvm-gsymutil": Bar(0.3)}),
    # 1.5 ms above the 2 ms of an empty program.
    Case("index-lookup", KERNEL, "one", {"empty program": Bar(1.75)}),
]
