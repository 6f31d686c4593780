"""What doubles in reports of other stacks than those of Apple's crash reports, and in pasted ones."""
import json

from growing_work import Work
from report_growth import APP_BASE, APP_IDENTITY, IMAGE_SIZE, write

CRASH_HEAD = """Incident Identifier: 1
Process:             App [7]
Code Type:           ARM-64 (Native)
Report Version:      104

Thread 0 Crashed:
"""
CRASH_IMAGE = (
    f"Binary Images:\n{APP_BASE:#x} - {APP_BASE + (1 << 28) - 1:#x} App arm64  "
    f"<{APP_IDENTITY.replace('-', '')}> /private/var/containers/App\n")
SPINDUMP_HEAD = """Date/Time:        2026-07-22 22:00:19 +0000
End time:         2026-07-22 22:00:29 +0000
OS Version:       macOS 13.0 (Build 22A380)
Architecture:     arm64e
Report Version:   35
Data Source:      Stackshots

Duration:         10s
Steps:            1000

"""
SAMPLE_HEAD = """Sampling process 7 for 3 seconds with 1 millisecond of run time between samples
Analysis of sampling App (pid 7) every 1 millisecond
Process:         App [7]
Path:            /private/var/containers/App
Load Address:    0x100000000
Identifier:      App
Code Type:       ARM64
Report Version:  7
Analysis Tool:   /usr/bin/sample
----

Call graph:
    2000 Thread_1   DispatchQueue_1: com.apple.main-thread  (serial)
"""


def address(number):
    return APP_BASE + 0x4000 + 4 * (number % 0x4000)


def crash_frame(number):
    return f"{number:<4}App                           {address(number):#018x} {APP_BASE:#x} + {address(number) - APP_BASE}"


def spindump_process(number, frames, images=1):
    lines = [
        f"Process:          App{number} [{number + 1}]", f"UUID:             {APP_IDENTITY.upper()}",
        f"Path:             /private/var/containers/App{number}", "",
        f"  Thread {number + 1:#x}    DispatchQueue 1    1000 samples (1-1000)    priority 31 (base 31)"]
    lines += [
        f"{'  ' * (1 + index % 40)}1000  ??? (App{number} + {address(index) - APP_BASE}) [{address(index):#x}] 1-1000"
        for index in range(frames)]
    lines += ["", "  Binary Images:"]
    lines += [
        f"           {start:#x} -        {start + 0xffff:#x}  App{number} (1)  <{APP_IDENTITY.upper()}>  /App{number}"
        for start in (APP_BASE + index * IMAGE_SIZE for index in range(images))]
    return "\n".join(lines) + "\n\n"


def spindump(*options, processes=False, images=False):
    def make(folder, size):
        if processes:
            text = "".join(spindump_process(number, 3) for number in range(size))
        else:
            text = spindump_process(0, 50 if images else size, size if images else 1)
        return [write(folder, "spindump.txt", SPINDUMP_HEAD + text), *options]
    return make


def sample(*options):
    def make(folder, size):
        frames = [
            f"    {'+ ' * (1 + index % 40)}20 ???  (in App)  load address {APP_BASE:#x} + "
            f"{address(index) - APP_BASE:#x}  [{address(index):#x}]\n" for index in range(size)]
        tail = f"\nBinary Images:\n       {APP_BASE:#x} -        {APP_BASE + 0xffffff:#x} +App (1) " \
               f"<{APP_IDENTITY.upper()}> /private/var/containers/App\n"
        return [write(folder, "sample.txt", SAMPLE_HEAD + "".join(frames) + tail), *options]
    return make


def kscrash(*options, threads=1, frames=1, images=1):
    """`None` doubles."""
    def make(folder, size):
        def count(value):
            return size if value is None else value
        report = {
            "report": {"version": "3.2.0", "id": "1", "process_name": "App", "timestamp": 1, "type": "standard"},
            "binary_images": [{
                "image_addr": APP_BASE + index * IMAGE_SIZE, "image_size": IMAGE_SIZE, "name": f"/App{index}",
                "uuid": APP_IDENTITY, "cpu_type": 16777228, "cpu_subtype": 0} for index in range(count(images))],
            "crash": {
                "error": {"type": "signal", "signal": {"signal": 6, "name": "SIGABRT"}, "address": 0},
                "threads": [{
                    "index": thread, "crashed": thread == 0, "backtrace": {"skipped": 0, "contents": [
                        {"instruction_addr": address(index), "object_addr": APP_BASE, "object_name": "App0"}
                        for index in range(count(frames))]}} for thread in range(count(threads))]}}
        return [write(folder, "report.json", json.dumps(report)), *options]
    return make


def sentry(*options):
    def make(folder, size):
        event = {
            "event_id": "1", "platform": "cocoa", "debug_meta": {"images": [{
                "type": "macho", "image_addr": hex(APP_BASE), "image_size": 1 << 28, "debug_id": APP_IDENTITY,
                "code_file": "/private/var/containers/App"}]},
            "exception": {"values": [{"type": "EXC_CRASH", "value": "SIGABRT", "stacktrace": {"frames": [
                {"instruction_addr": hex(address(index)), "package": "/private/var/containers/App"}
                for index in range(size)]}}]}}
        return [write(folder, "event.json", json.dumps(event)), *options]
    return make


def spindump_fields(folder, size):
    """Fields above the processes, which every process is asked about."""
    fields = "".join(f"Key{index}: x\n" for index in range(size))
    text = SPINDUMP_HEAD.rstrip("\n") + "\n" + fields + "\n" + "\n".join(
        spindump_process(number, 1) for number in range(size))
    return [write(folder, "spindump.txt", text)]


def metrickit_context(beside):
    """What stands around diagnostics, which each of them is asked about."""
    def make(folder, size):
        frame = {"binaryUUID": APP_IDENTITY, "offsetIntoBinaryTextSegment": 0x4000, "address": APP_BASE + 0x4000}
        diagnostic = {"callStackTree": {"callStacks": [{"callStackRootFrames": [frame]}]}}
        if beside:
            value = {"environment": {f"k{index}": index for index in range(size)}, "diagnostics": [diagnostic] * size}
        else:
            value = {f"k{index}": diagnostic for index in range(size)}
            value["timeStampBegin"] = value["timeStampEnd"] = "2026-07-22"
        return [write(folder, "payload.json", json.dumps(value))]
    return make


def rtf(folder, size):
    lines = (CRASH_HEAD + "\n".join(map(crash_frame, range(size))) + "\n\n" + CRASH_IMAGE).split("\n")
    return [write(folder, "report.rtf", "{\\rtf1\\ansi\n" + "\\\n".join(lines) + "}")]


def lines_of_json(folder, size):
    lines = (CRASH_HEAD + "\n".join(map(crash_frame, range(size))) + "\n\n" + CRASH_IMAGE).split("\n")
    return [write(folder, "lines.json", json.dumps(lines))]


def broken_lines(folder, size):
    return [write(folder, "report.crash", CRASH_HEAD + crash_frame(0) + "\n" + "1 x\ny\n" * size + "\n" + CRASH_IMAGE)]


def gdb(folder, size):
    """Frames without names, far from each other."""
    frames = "".join(f"#{number}  {0x10000000000 + (number << 25):#018x} in ?? ()\n" for number in range(size))
    return [write(folder, "gdb.txt", "Core was generated by `/usr/lib/app'.\n" + frames)]


def works():
    return [Work(title, lambda folder, size, make=make: [*make(folder, size), "--jobs", "1"]) for title, make in [
        ("processes of a spindump", spindump(processes=True)),
        ("processes of a spindump, as JSON", spindump("--format", "json", processes=True)),
        ("processes of a spindump, summary", spindump("--summary", processes=True)),
        ("frames of a spindump", spindump()),
        ("frames of a spindump, as text", spindump("--format", "crash")),
        ("images of a spindump, as JSON", spindump("--format", "json", images=True)),
        ("processes and fields of a spindump", spindump_fields),
        ("diagnostics of MetricKit and their environment", metrickit_context(beside=True)),
        ("diagnostics of MetricKit in one object", metrickit_context(beside=False)),
        ("frames of a sample", sample()),
        ("frames of a sample, as JSON", sample("--format", "json")),
        ("threads of KSCrash", kscrash(threads=None)),
        ("frames of KSCrash", kscrash(frames=None)),
        ("frames of KSCrash, as text", kscrash("--format", "crash", frames=None)),
        ("images of KSCrash, as JSON", kscrash("--format", "json", images=None)),
        ("frames of Sentry", sentry()),
        ("frames of Sentry, summary", sentry("--summary")),
        ("frames in RTF", rtf),
        ("lines in an array of JSON", lines_of_json),
        ("lines that were broken", broken_lines),
        ("frames of gdb without names", gdb),
    ]]
