"""Which cases to measure with which files: from arguments, the environment, or `make bench-inputs`."""
import argparse
import os

import cases
import elf_to_dsym

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FIXTURES = {
    cases.KERNEL: "Elf/shapes-gcc.elf",
    cases.SWIFT_DSYM: "Inlines/Inlines.dSYM/Contents/Resources/DWARF/Inlines",
    cases.XCODE_DSYM: "LetterShuffle/Letter Shuffle.app.dSYM/Contents/Resources/DWARF/Letter Shuffle",
}
XCODE_IN_CORPUS = "symbols/CrashLibiOS-arm64-5DB9DD67.dSYM/Contents/Resources/DWARF/CrashLibiOS"


def default_program(smoke):
    candidates = [".build/release/symbolicate"] + ([".build/debug/symbolicate"] if smoke else [])
    paths = [path for name in candidates if os.path.exists(path := os.path.join(ROOT, name))]
    return max(paths, key=os.path.getmtime) if paths else None


def parse_options(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", help="default: the release program of this checkout")
    parser.add_argument("--smoke", action="store_true", help="small files of Fixtures, one round, no bars")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument(
        "--seconds", type=float, default=20, help="slow tools get fewer rounds: this long for each in a case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cases whose title contains this")
    parser.add_argument("--list", action="store_true", help="list the cases")
    parser.add_argument("--scratch", default=os.path.join(ROOT, ".build", "bench-peers"))
    made = os.path.join(ROOT, ".build", "bench-inputs")
    corpus = os.environ.get("SYMBOLICATE_CORPUS")
    defaults = {
        cases.KERNEL: os.path.join(made, "kernel"),
        cases.KERNEL_DSYM: os.path.join(made, "kernel.dSYM/Contents/Resources/DWARF/kernel"),
        cases.SWIFT_DSYM: os.path.join(made, "swift.dSYM/Contents/Resources/DWARF/swift"),
        cases.XCODE_DSYM: os.path.join(corpus, XCODE_IN_CORPUS) if corpus else None,
    }
    for name, path in defaults.items():
        variable = "SYMBOLICATE_BENCH_" + name.upper().replace("-", "_")
        parser.add_argument(
            "--" + name, metavar="FILE", default=os.environ.get(variable, path), help=f"or {variable}")
    options = parser.parse_args()
    options.inputs = {name: getattr(options, name.replace("-", "_")) for name in defaults}
    options.program = options.program or default_program(options.smoke)
    if not options.program and not options.list:
        parser.error("no program: run `make build`, or name it with --program")
    return options


def use_fixtures(options):
    options.rounds = 1
    options.scratch += "-smoke"
    options.inputs = {name: os.path.join(ROOT, "Fixtures", path) for name, path in FIXTURES.items()}
    bundle = os.path.join(options.scratch, "kernel.dSYM")
    elf_to_dsym.write_dsym(options.inputs[cases.KERNEL], bundle)
    options.inputs[cases.KERNEL_DSYM] = os.path.join(bundle, "Contents/Resources/DWARF/kernel")
