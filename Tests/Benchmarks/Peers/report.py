"""Prints the table of results."""
import statistics
import sys

COLUMNS = [
    "peer", "ours ms (min)", "peer ms (min)", "ratio", "bar", "", "ours MB (anon)", "peer MB (anon)", "agree"]


class Row:
    """The result of a case for one peer."""

    def __init__(self, case, ours, peer, agreement, bar):
        self.case = case
        self.ours, self.peer = ours, peer
        self.agreement = agreement
        self.bar = bar
        self.ratio = statistics.median(own / other for own, other in zip(ours.seconds, peer.seconds))
        self.memory_ratio = ours.memory.anonymous / max(peer.memory.anonymous, 1)

    @property
    def is_reached(self):
        return self.ratio <= self.bar.time and (
            self.bar.memory is None or self.memory_ratio <= self.bar.memory)

    def cells(self, judged):
        bar, verdict = "", ""
        if judged and self.bar:
            bar = f"≤ {self.bar.time:g}"
            if self.bar.memory is not None:
                bar += f", anon ≤ {self.bar.memory:g}"
            verdict = "reached" if self.is_reached else "MISSED"
        return [
            self.peer.name, times(self.ours), times(self.peer), f"{self.ratio:.3f}", bar, verdict,
            peaks(self.ours), peaks(self.peer), f"{self.agreement.share:.2%}" if self.agreement else ""]


def times(contender):
    return f"{statistics.median(contender.seconds) * 1e3:.1f} ({min(contender.seconds) * 1e3:.1f})"


def peaks(contender):
    return f"{contender.memory.resident / 1e6:.1f} ({contender.memory.anonymous / 1e6:.1f})"


class Report:
    def __init__(self, is_smoke):
        self.is_smoke = is_smoke
        self.rows = []
        self.failures = []
        self.title = None

    def add(self, row):
        """Prints the row at once, because all cases together take minutes."""
        if self.title is None:
            self._print(COLUMNS)
        if row.case.title != self.title:
            self.title = row.case.title
            print(self.title)
        self.rows.append(row)
        self._print(row.cells(judged=not self.is_smoke))
        if row.agreement and row.agreement.explained:
            for what, count in row.agreement.explained.items():
                self.note(f"{count} of {row.agreement.count}: {what}")

    @staticmethod
    def _print(cells):
        widths = [17, 16, 18, 7, 17, 8, 16, 16, 8]
        print("  " + " ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip(), flush=True)

    def note(self, text):
        print("    " + text, flush=True)

    def skip(self, text):
        print("skipped: " + text, flush=True)

    def fail(self, text):
        self.failures.append(text)
        print("FAILED: " + text, file=sys.stderr, flush=True)

    def disagree(self, case, name, agreement):
        self.fail(
            f"{case.title}: {name} agrees in {agreement.share:.2%} of {agreement.count} answers, so its time does not count")
        for text in agreement.differences[:5]:
            print("    " + text, file=sys.stderr)

    def finish(self):
        """The exit status."""
        judged = [row for row in self.rows if row.bar]
        missed = [row for row in judged if not row.is_reached]
        if self.is_smoke:
            print(f"{len(self.rows)} comparisons ran and agreed; the times of a smoke test mean nothing")
        else:
            print(f"{len(judged) - len(missed)} of {len(judged)} bars reached on this machine")
        if self.failures:
            print(f"{len(self.failures)} failed", file=sys.stderr)
        return 1 if self.failures or not self.rows else 0
