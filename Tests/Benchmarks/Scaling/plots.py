"""Draws time and memory against the size of the work, on logarithmic scales."""
import math


def draw(results, path):
    # Matplotlib, from Debian: axes and SVG are not what this project is about.
    import matplotlib

    matplotlib.use("svg")
    # The same figures give the same file.
    matplotlib.rcParams.update({"svg.hashsalt": "symbolicate", "svg.fonttype": "none", "font.size": 8})
    from matplotlib import pyplot

    columns = 2
    rows = math.ceil(len(results) / columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(9, 2.7 * rows), squeeze=False)
    for axis, (work, points) in zip(axes.flat, results):
        draw_work(axis, work, points)
    for axis in list(axes.flat)[len(results):]:
        axis.set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def draw_work(axis, work, points):
    sizes = [point.size for point in points]
    axis.set_title(work.title)
    axis.set_xlabel(work.unit)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.grid(True, which="major", linewidth=0.3)
    time = axis.plot(sizes, [point.seconds * 1e3 for point in points], "o-", color="C0", label="ms", markersize=3)
    axis.set_ylabel("ms")
    axis.set_ylim(1, 3e3 * max(point.seconds for point in points))
    memory_axis = axis.twinx()
    memory_axis.set_yscale("log")
    memory_axis.set_ylabel("MB of anonymous memory")
    memory = memory_axis.plot(
        sizes, [max(point.memory, 1e5) / 1e6 for point in points], "s--", color="C1", label="MB", markersize=3)
    memory_axis.set_ylim(0.1, max(10, 3e-6 * max(point.memory for point in points)))
    # What linear growth from the last point would look like.
    last = points[-1]
    linear = axis.plot(
        [last.size / 30, last.size], [last.seconds * 1e3 / 30, last.seconds * 1e3], ":", color="gray", label="linear")
    axis.legend(handles=[*time, *memory, *linear], loc="upper left")
