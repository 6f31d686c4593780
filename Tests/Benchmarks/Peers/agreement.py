"""Compares the answers of two tools."""
import re
import shutil
import subprocess
from collections import Counter

SWIFT_NAME = re.compile(r"_?\$[sSe]|_T")
REQUIRED_SHARE = 0.99

SYMBOL_TABLE_NAME = "outermost name from the symbol table (f.cold, f.part.0)"
NO_FUNCTION = "a line without a function"
NO_NAME = "a name that only the symbol table has, which the peer does not read"
# binutils 2.40 begins DWARF 5 line tables at file 0; the standard (6.2.2) says 1.
FILE_ZERO = "another file of the same unit"


class Agreement:
    """The comparison of our answers with theirs. `share` is the part of the addresses whose answers agree,
    or differ in a way that is understood. With `mistakes_files`, their files may be wrong if names and
    lines agree. Without `reads_symbols`, an outermost function may lack a name."""

    def __init__(self, ours, theirs, addresses, mistakes_files=False, reads_symbols=True):
        self.count = len(addresses)
        self.explained = Counter()
        self.differences = []
        agreed = 0
        if len(ours) != len(theirs) or len(ours) != len(addresses):
            self.differences.append(f"{len(addresses)} questions, {len(ours)} and {len(theirs)} answers")
        else:
            shown = shown_names({frame.name for answer in ours + theirs for frame in answer})
            for address, own, other in zip(addresses, ours, theirs):
                explanation = difference(own, other, shown)
                if explanation is None and not reads_symbols and other and not other[-1].name and len(own) == len(other):
                    named = [*other[:-1], other[-1]._replace(name=own[-1].name)]
                    if difference(own, named, shown) == "":
                        explanation = NO_NAME
                if explanation is None and mistakes_files:
                    others = [frame._replace(file=mine.file) for frame, mine in zip(other, own)]
                    if len(own) == len(other) and difference(own, others, shown) == "":
                        explanation = FILE_ZERO
                if explanation is None:
                    self.differences.append(f"{address:#x}: ours {own}, theirs {other}")
                else:
                    agreed += 1
                    if explanation:
                        self.explained[explanation] += 1
        # If nobody finds anything, that is not an agreement.
        self.named = sum(1 for answer in ours if answer)
        self.share = agreed / self.count if self.count and self.named else 0.0

    @property
    def is_believed(self):
        return self.share >= REQUIRED_SHARE


def difference(own, other, shown):
    """An empty string if the two agree, the class of the difference if it is understood, or None."""
    if not own and len(other) == 1 and not other[0].name:
        return NO_FUNCTION
    if len(own) != len(other):
        return None
    for index, (a, b) in enumerate(zip(own, other)):
        if (a.file, a.line) != (b.file, b.line):
            return None
        if not same_name(a.name, b.name, shown):
            is_outermost = index == len(own) - 1
            plain = shown.get(a.name, a.name)
            if is_outermost and (b.name.startswith(a.name + ".") or shown.get(b.name, "").startswith(plain + ".")):
                return SYMBOL_TABLE_NAME
            return None
    return ""


def same_name(own, other, shown):
    """`own` may be the demangled form of `other`; Mach-O symbols have an underscore in front."""
    return (
        own == other or own == "_" + other or other == "_" + own
        or shown.get(own, own) == shown.get(other, other))


def shown_names(names):
    """{mangled name: demangled name}, as far as the demanglers are installed."""
    result = {}
    swift = sorted(name for name in names if SWIFT_NAME.match(name))
    if swift and shutil.which("swift-demangle"):
        # The program shows old manglings unchanged.
        result.update(filter_names(["swift-demangle", "--simplified"], swift))
    other = sorted(name for name in names if name.startswith(("_Z", "__Z")))
    if other and shutil.which("c++filt"):
        result.update(filter_names(["c++filt"], other))
    return result


def filter_names(command, names):
    lines = subprocess.run(
        command, input="\n".join(names) + "\n", capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return dict(zip(names, lines))
