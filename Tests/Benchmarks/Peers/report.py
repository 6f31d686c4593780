"""Prints the results as a table."""
import statistics
import sys

COLUMNS = [
    "peer", "ours ms (min)", "peer ms (min)", "ratio", "bar", "", "ours MB (anon)", "peer MB (anon)", "agree"]


class Row:
    """A case with one of its peers."""

    def __init__(self, case, ours, peer, agreement, bar, is_fastest=False):
        self.case = case
        self.is_fastest = is_fastest
        self.ours, self.peer = ours, peer
        self.agreement = agreement
        self.bar = bar
        self.ratio = statistics.median(own / other for own, other in zip(ours.seconds, peer.seconds))
        self.memory_ratio = ours.memory.anonymous / max(peer.memory.anonymous, 1)

    @property
    def is_reached(self):
        return (
            self.ratio <= self.bar.time
            and (self.bar.memory is None or self.memory_ratio <= self.bar.memory)
            and (self.bar.resident is None or self.ours.memory.resident <= self.bar.resident * 1e6))

    def cells(self, judged):
        bar, verdict = "", ""
        if judged and self.bar:
            bar = f"≤ {self.bar.time:g}"
            if self.bar.memory is not None:
                bar += f", anon ≤ {self.bar.memory:g}"
            if self.bar.resident is not None:
                bar += f", ≤ {self.bar.resident:g} MB"
            verdict = "reached" if self.is_reached else "MISSED"
        return [
            self.peer.name + (" *" if self.is_fastest else ""), times(self.ours), times(self.peer), f"{self.ratio:.3f}", bar, verdict,
            peaks(self.ours), peaks(self.peer), f"{self.agreement.share:.2%}" if self.agreement else ""]


def times(contender):
    return f"{statistics.median(contender.seconds) * 1e3:.1f} ({min(contender.seconds) * 1e3:.1f})"


def peaks(contender):
    return f"{contender.memory.resident / 1e6:.1f} ({contender.memory.anonymous / 1e6:.1f})"


class Report:
    def __init__(self, is_smoke):
        self.is_smoke = is_smoke
        self.rows = []
        # Whether the bar of each was reached.
        self.throughputs = []
        self.failures = []
        self.title = None

    def add(self, row):
        """Prints each row when it is ready, because all cases together take minutes."""
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

    def add_throughput(self, title, rate, bar, is_reached, remark):
        self.throughputs.append(is_reached)
        verdict = "" if self.is_smoke else f"   ≥ {bar}   {'reached' if is_reached else 'MISSED'}"
        print(f"{title}\n  {rate}{verdict}   ({remark})", flush=True)

    @staticmethod
    def _print(cells):
        widths = [20, 16, 18, 7, 17, 8, 16, 16, 8]
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
            f"{case.title}: {name} agrees in {agreement.share:.2%} of {agreement.count} answers; not believed")
        for text in agreement.differences[:5]:
            print("    " + text, file=sys.stderr)

    def finish(self):
        """The exit status."""
        judged = [row.is_reached for row in self.rows if row.bar] + self.throughputs
        ran = len(self.rows) + len(self.throughputs)
        if self.is_smoke:
            print(f"{ran} comparisons ran and agreed; the times of a smoke test mean nothing")
        else:
            print(f"{sum(judged)} of {len(judged)} bars reached, on this machine and now")
        if self.failures:
            print(f"{len(self.failures)} failed", file=sys.stderr)
        return 1 if self.failures or not ran else 0
