"""What doubles in a report."""
import functools
import json
import os

import reports
from growing_work import ARGUMENTS, Work

HEADER = {"app_name": "App", "bug_type": "309", "incident_id": "7D56E642-EB2D-4F2B-824E-9F2901943895"}
APP_BASE, SYSTEM_BASE, IMAGE_SIZE = 0x1_0000_0000, 0x1_8000_0000, 0x10000
APP_IDENTITY = "4c4c44c1-5555-3144-a1c0-000000000001"


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def system_image(index, name=None, folder="/usr/lib/"):
    name = name or f"Library{index}"
    return {
        "source": "P", "arch": "arm64", "base": SYSTEM_BASE + index * IMAGE_SIZE, "size": IMAGE_SIZE,
        "uuid": f"{index + 1:032x}", "path": folder + name, "name": name}


def ips(folder, threads=None, images=None, **others):
    app = {
        "source": "P", "arch": "arm64", "base": APP_BASE, "size": 1 << 28, "uuid": APP_IDENTITY,
        "path": "/private/var/containers/App", "name": "App"}
    body = {
        "procName": "App", "pid": 7, "cpuType": "ARM-64", "incident": HEADER["incident_id"],
        "captureTime": "2026-07-22 22:00:19.7548 +0000", "exception": {"type": "EXC_CRASH", "signal": "SIGABRT"},
        "faultingThread": 0, "threads": threads if threads is not None else [thread(0)],
        "usedImages": [app] + (images or []), **others}
    return write(folder, "report.ips", json.dumps(HEADER) + "\n" + json.dumps(body) + "\n")


def frame(offset, image=0):
    return {"imageOffset": offset, "imageIndex": image}


def thread(number, frames=None):
    frames = frames if frames is not None else [frame(0x4000 + 4 * number)]
    return {"id": number, "queue": f"queue-{number}", "frames": frames}


def text(folder, threads, images, head="", tail=""):
    lines = [
        "Incident Identifier: 7D56E642-EB2D-4F2B-824E-9F2901943895", "Process:             App [7]",
        "Code Type:           ARM-64", "Exception Type:  EXC_CRASH (SIGABRT)", head.rstrip("\n"),
        "Triggered by Thread:  0", "", *threads, "Binary Images:", *images, tail, ""]
    return write(folder, "report.crash", "\n".join(lines))


def text_thread(number, frames):
    return "\n".join([f"Thread {number}{' Crashed' if number == 0 else ''}:", *frames, ""])


def text_frame(number, name, base, offset):
    return f"{number:<3} {name:<30}\t0x{base + offset:016x} {base:#x} + {offset}"


def text_image(base, name, identity, folder="/usr/lib/", size=IMAGE_SIZE):
    return f"{base:#x} - {base + size - 1:#x} {name} arm64  <{identity:032x}> {folder}{name}"


APP_LINE = text_image(APP_BASE, "App", 1, "/private/var/containers/Bundle/Application/", 1 << 28)


# Reports

def ips_threads(*options):
    return lambda folder, size: [ips(folder, [thread(number) for number in range(size)]), *options]


def ips_frames_in_one_thread(*options):
    return lambda folder, size: [
        ips(folder, [thread(0, [frame(4 * number) for number in range(size)])]), *options]


def ips_images(*options, name=None, folder="/usr/lib/"):
    """As many frames as images: each image has one."""
    def make(scratch, size):
        images = [system_image(index, name, folder) for index in range(size)]
        frames = [frame(0x100, index + 1) for index in range(size)]
        return [ips(scratch, [thread(0, frames)], images), *options]
    return make


def last_exception(folder, size):
    return [ips(folder, lastExceptionBacktrace=[frame(4 * number) for number in range(size)])]


def application_backtraces(folder, size):
    line = text_frame(0, "App", APP_BASE, 0x4000)
    return [ips(folder, asiBacktraces=[line] * size)]


def application_information(folder, size):
    return [ips(folder, asi={f"lib{index}": ["a message"] for index in range(size)}), "--summary"]


def faults(folder, size):
    frames = [{"imageOffset": "x", "imageIndex": 7} for _ in range(size)]
    return [ips(folder, [thread(0, frames)]), "--format", "json"]


def deep_json(folder, size):
    path = ips(folder)
    with open(path) as file:
        header, body = file.read().split("\n", 1)
    return [write(folder, "deep.ips", header + '\n{"deep":' + "[" * size + "]" * size + "," + body[1:])]


def many_keys(folder, size):
    return [ips(folder, **{f"key{index}": index for index in range(size)}), "--format", "json"]


def keys_of_a_frame(folder, size):
    plain = frame(0x4000)
    return [ips(folder, [thread(0, [{**{f"k{index}": 1 for index in range(size)}, **plain}])])]


def registers(folder, size):
    state = {"x": [{"value": index} for index in range(size)], "flavor": "ARM_THREAD_STATE64"}
    return [ips(folder, [{**thread(0), "triggered": True, "threadState": state}]), "--format", "crash"]


def ips_reports(folder, size):
    with open(ips(folder)) as file:
        one = file.read()
    return [write(folder, "many.ips", one * size)]


def ips_reports_as_json(folder, size):
    return [*ips_reports(folder, size), "--format", "json"]


def open_braces(folder, size):
    return [write(folder, "broken.ips", json.dumps(HEADER) + "\n" + '{"threads":[\n' * size)]


def thread_numbers(folder, size):
    path = ips(folder, [thread(number) for number in range(size)])
    # One argument has at most 128 KiB.
    return [path, "--threads", ",".join(str(number) for number in range(size))]


def text_threads(*options):
    def make(folder, size):
        line = text_frame(0, "App", APP_BASE, 0x4000)
        return [text(folder, [text_thread(number, [line]) for number in range(size)], [APP_LINE]), *options]
    return make


def text_images(*options, folder="/usr/lib/", is_listed=True, name=None):
    def make(scratch, size):
        bases = [SYSTEM_BASE + index * IMAGE_SIZE for index in range(size)]
        names = [name or f"Library{index}" for index in range(size)]
        frames = [text_frame(index, names[index], base, 64) for index, base in enumerate(bases)]
        images = [
            text_image(base, names[index], index + 2, folder)
            for index, base in enumerate(bases)] if is_listed else []
        return [text(scratch, [text_thread(0, frames)], [APP_LINE, *images]), *options]
    return make


def overlapping_images(folder, size):
    """All images cover all addresses of the frames."""
    images = [text_image(SYSTEM_BASE, f"Library{index}", index + 2, size=(index + 1) << 16) for index in range(size)]
    frames = [text_frame(index, "Library", SYSTEM_BASE, index << 16) for index in range(size)]
    return [text(folder, [text_thread(0, frames)], images)]


def contradictions(folder, size):
    images = [text_image(SYSTEM_BASE + index * IMAGE_SIZE, f"Library{index}", index + 2) for index in range(size)]
    frames = [
        f"{index:<3} Library{index}\t0x{SYSTEM_BASE + index * IMAGE_SIZE + 8:016x} {SYSTEM_BASE:#x} + 4"
        for index in range(size)]
    return [text(folder, [text_thread(0, frames)], [APP_LINE, *images])]


def inlined_frames(folder, size):
    line = f"0x{APP_BASE + 0x4000:016x} main + 4 (a.c:1) [inlined]"
    return [text(folder, [text_thread(0, [f"{index:<3} App\t{line}" for index in range(size)])], [APP_LINE])]


def bare_addresses(folder, size):
    """The last exception's addresses, all on one line."""
    addresses = " ".join(f"{APP_BASE + 0x4000 + 4 * index:#x}" for index in range(size))
    head = f"Last Exception Backtrace:\n({addresses})\n"
    return [text(folder, [head, text_thread(0, [])], [APP_LINE])]


def header_fields(*options):
    def make(folder, size):
        head = "\n".join(f"Field {index}:  value" for index in range(size))
        return [text(folder, [text_thread(0, [])], [APP_LINE], head), *options]
    return make


def text_registers(folder, size):
    tail = "Thread 0 crashed with ARM Thread State (64-bit):\n" + "\n".join(
        f"    x{index}: 0x{index:016x}" for index in range(size))
    return [text(folder, [text_thread(0, [])], [APP_LINE], tail=tail), "--format", "json"]


def long_line(folder, size):
    return [text(folder, [text_thread(0, [text_frame(0, "App", APP_BASE, 64) + " x" * size])], [APP_LINE])]


def spaces(folder, size):
    return [text(folder, [text_thread(0, ["0" + " " * size + "App"])], [APP_LINE])]


def text_reports(*options):
    def make(folder, size):
        with open(text(folder, [text_thread(0, [text_frame(0, "App", APP_BASE, 64)])], [APP_LINE])) as file:
            one = file.read()
        return [write(folder, "many.crash", one * size), *options]
    return make


def text_and_json_reports(folder, size):
    with open(text(folder, [text_thread(0, [])], [APP_LINE])) as file:
        one = file.read()
    with open(ips(folder)) as file:
        one += file.read()
    return [write(folder, "many.txt", one * size), "--summary"]


def swift_text(*options, threads=False, images=False):
    def make(folder, size):
        lines = ["*** Program crashed: Bad pointer dereference at 0x000000000deadbee ***", "",
                 "Platform: x86_64 Linux (Debian GNU/Linux 12 (bookworm))", ""]
        for number in range(size if threads else 1):
            lines += [f"Thread {number}{' crashed' if number == 0 else ''}:", ""]
            for index in range(1 if threads else size):
                base = SYSTEM_BASE + (index * IMAGE_SIZE if images else 0)
                lines.append(f"{index} [ra] 0x{base + 16 + (0 if images else index):016x}")
            lines.append("")
        lines += ["", "Images:", ""]
        for index in range(size if images else 1):
            base = SYSTEM_BASE + index * IMAGE_SIZE
            end = base + IMAGE_SIZE if images else base + (1 << 30)
            lines.append(f"0x{base:016x}–0x{end:016x} {index + 1:040x} lib{index}.so /usr/lib/lib{index}.so")
        return [write(folder, "swift.log", "\n".join(lines) + "\n"), *options]
    return make


def swift_json(*options):
    def make(folder, size):
        frames = [{"kind": "returnAddress", "address": f"{SYSTEM_BASE + index:#018x}"} for index in range(8)]
        report = {
            "timestamp": "2025-12-10T15:11:59.127552Z", "kind": "crashReport", "description": "Bad pointer",
            "faultAddress": "0xdeadbee", "platform": "Linux", "architecture": "x86_64",
            "threads": [{"crashed": not index, "frames": frames} for index in range(size)],
            "images": [{
                "name": "App", "buildId": "11" * 20, "path": "/srv/App", "baseAddress": f"{SYSTEM_BASE:#018x}",
                "endOfText": f"{SYSTEM_BASE + IMAGE_SIZE:#018x}"}]}
        return [write(folder, "swift.json", json.dumps(report)), *options]
    return make


def story(folder, frames=20_000):
    path = os.path.join(folder, "story.crash")
    reports.write(path, frames=frames, images=2)
    return path


def prefixes(folder, size):
    # All arguments together have at most two megabytes.
    rules = [part for index in range(size) for part in ("--strip-prefix", f"/Users/build{index}")]
    return [story(folder), "-d", reports.APP_DSYM, *rules]


def mappings(folder, size):
    rules = [part for index in range(size) for part in ("--map-path", f"/Users/build{index}=/b")]
    return [story(folder), "-d", reports.APP_DSYM, *rules]


def explained(folder, size):
    return [story(folder, size), "-d", reports.APP_DSYM, "--explain"]


def metrickit_frame(number, inner=None, image=0):
    value = {
        "binaryUUID": f"{image:08X}-5555-3144-A1C0-000000000001", "binaryName": "App",
        "offsetIntoBinaryTextSegment": 0x4000 + 4 * (number % 0x4000), "sampleCount": 1,
        "address": APP_BASE + image * IMAGE_SIZE * 16 + 0x4000 + 4 * (number % 0x4000)}
    return {**value, "subFrames": inner} if inner else value


def metrickit(roots, diagnostics=1, stacks=1):
    stack = {"threadAttributed": True, "callStackRootFrames": roots}
    tree = {"callStackPerThread": True, "callStacks": [stack] * stacks}
    return {"crashDiagnostics": [
        {"callStackTree": tree, "diagnosticMetaData": {"signal": 6}}] * diagnostics}


def metrickit_diagnostics(*options):
    return lambda folder, size: [write(folder, "payload.json", json.dumps(
        metrickit([metrickit_frame(1)], diagnostics=size))), *options]


def metrickit_stacks(folder, size):
    return [write(folder, "payload.json", json.dumps(metrickit([metrickit_frame(1)], stacks=size)))]


def metrickit_roots(*options, images=False):
    return lambda folder, size: [write(folder, "payload.json", json.dumps(metrickit(
        [metrickit_frame(number, image=number if images else 0) for number in range(size)]))),
        *options]


def metrickit_depth(*options):
    """Each frame holds the next one."""
    def make(folder, size):
        head = json.dumps(metrickit_frame(1))[:-1] + ', "subFrames": ['
        frames = head * size + json.dumps(metrickit_frame(2)) + "]}" * size
        payload = json.dumps(metrickit(["FRAMES"])).replace('"FRAMES"', frames)
        return [write(folder, "payload.json", payload), *options]
    return make


def telemetry(folder, size):
    tree = json.dumps(metrickit([metrickit_frame(1)])["crashDiagnostics"][0]["callStackTree"])
    record = {"attributes": [{
        "key": "metrickit.diagnostic.crash.exception.stacktrace_json",
        "value": {"stringValue": tree}}]}
    return [write(folder, "telemetry.json", json.dumps({"logRecords": [record] * size}))]


def report_arguments(folder, size):
    path = ips(folder)
    copies = []
    for number in range(size):
        copies.append(os.path.join(folder, f"{number}.ips"))
        os.link(path, copies[-1])
    return [*copies, "--output-dir", os.path.join(folder, "out")]


def doctor(folder, size):
    return ["doctor", ips_images(folder="/private/var/containers/")(folder, size)[0]]


def group_lines(key=lambda number: 1, device=lambda number: 1, day=lambda number: 1, version=lambda number: 1):
    """Lines of `--format ndjson`, whose parts are those of the functions."""
    def make(folder, size):
        lines = [json.dumps({
            "schema": "symbolicate-report", "version": 1, "input": f"{number}.ips", "format": "ips",
            "date": f"{1900 + day(number) // 336}-{1 + day(number) // 28 % 12:02}-{1 + day(number) % 28:02} 12:00:00 +0000",
            "crashReporterKey": str(device(number)), "process": {"name": "App", "version": f"1.{version(number)}"},
            "os": {"name": "iOS", "version": f"17.{version(number)}"},
            "signature": {"version": 1, "text": f"EXC_CRASH | function{key(number)}"}},
            separators=(",", ":")) for number in range(size)]
        return ["group", write(folder, "reports.ndjson", "\n".join(lines) + "\n"), "--format", "ndjson"]
    return make


def partial_groups(key=lambda number: 1):
    def make(folder, size):
        lines = [json.dumps({
            "schema": "symbolicate-group", "version": 1, "by": "signature", "key": f"EXC_CRASH | function{key(number)}",
            "count": 2, "devices": {"count": 2, "more": False, "ids": [f"{number:016x}", f"{number + 1:016x}"]},
            "first": "2026-07-22T22:00:19.754Z", "last": "2026-07-22T22:00:19.754Z",
            "days": {"values": [{"day": "2026-07-22", "count": 2}], "more": False},
            "appVersions": {"values": [{"version": f"1.{number}", "count": 2}], "more": False},
            "osVersions": {"values": [], "more": False}, "sample": f"{number}.ips"},
            separators=(",", ":")) for number in range(size)]
        return ["group", "--merge", write(folder, "groups.ndjson", "\n".join(lines) + "\n"), "--format", "ndjson"]
    return make


def group_files(folder, size):
    path = ips(folder)
    os.mkdir(os.path.join(folder, "reports"))
    for number in range(size):
        os.link(path, os.path.join(folder, "reports", f"{number}.ips"))
    return ["group", os.path.join(folder, "reports")]


def with_html(make):
    return lambda folder, size: [*make(folder, size)[:-1], "html"]


def with_jobs(make):
    @functools.wraps(make)
    def limited(folder, size):
        arguments = make(folder, size)
        return [*arguments, "--jobs", "1"] if arguments[0] != "doctor" else arguments
    return limited


# Inputs of several formats

def repeated(line, *options, above=""):
    """Lines or objects that resemble reports, above a report."""
    def make(folder, size):
        report = text_thread(0, [text_frame(0, "App", APP_BASE, 0x4000)]) + "\nBinary Images:\n" + APP_LINE + "\n"
        return [write(folder, "report.crash", above + line * size + "\n\n" + report), *options]
    return make


def learnt_names(folder, size):
    """Names that frames of one system function have."""
    frames = [
        {"imageOffset": 0x4010, "symbol": f"n{index}", "symbolLocation": 16, "imageIndex": 1}
        for index in range(size)]
    report = ips(folder, [thread(0, frames)], [system_image(0)])
    return ["index", "--learn", report, "--index-dir", os.path.join(folder, "index")]


def several_formats(folder, size):
    report = "\n".join([
        text_thread(0, [text_frame(0, "App", APP_BASE, 0x4000)]), "Binary Images:", APP_LINE, "",
        "*** Program crashed: Bad pointer dereference at 0x0 ***", "", "Thread 0 crashed:", "",
        "0 0x0000000100004000 f() in App", "", '{"stacktrace":[{"frameAddress":"0x100004000"}]}', ""])
    return [write(folder, "report.crash", report * size)]


def works():
    app = "/private/var/containers/"
    kinds = [
        ("threads of an .ips", ips_threads()),
        ("threads of an .ips, as JSON", ips_threads("--format", "json")),
        ("threads of an .ips, as text", ips_threads("--format", "crash")),
        ("threads of an .ips, summary", ips_threads("--summary")),
        ("threads named with --threads", thread_numbers, 1000, 16_000),
        ("frames of one thread, .ips", ips_frames_in_one_thread()),
        ("frames of one thread, as JSON", ips_frames_in_one_thread("--format", "json")),
        ("frames of one thread, as text", ips_frames_in_one_thread("--format", "crash")),
        ("system images and frames, .ips", ips_images()),
        ("system images and frames, .ips as JSON", ips_images("--format", "json")),
        ("system images and frames, .ips as text", ips_images("--format", "crash")),
        ("app images and frames, .ips", ips_images(folder=app)),
        ("app images of one name, .ips", ips_images(name="Kit", folder=app)),
        ("app images of one name, .ips as JSON", ips_images("--format", "json", name="Kit", folder=app)),
        ("frames of the last exception", last_exception),
        ("backtraces of the application", application_backtraces),
        ("information of the application", application_information),
        ("faults in frames", faults),
        ("levels of JSON", deep_json),
        ("keys of an .ips", many_keys),
        ("keys of a frame", keys_of_a_frame),
        ("registers of an .ips, as text", registers),
        (".ips reports in a file", ips_reports),
        (".ips reports in a file, as JSON", ips_reports_as_json),
        ("objects that never end", open_braces),
        ("threads of a text report", text_threads()),
        ("threads of a text report, as JSON", text_threads("--format", "json")),
        ("threads of a text report, summary", text_threads("--summary")),
        ("system images and frames, text", text_images()),
        ("system images and frames, text as JSON", text_images("--format", "json")),
        ("unlisted images, text", text_images(is_listed=False)),
        ("unlisted images, text as JSON", text_images("--format", "json", is_listed=False)),
        ("app images of one name, text", text_images(folder=app, name="Kit")),
        ("overlapping images", overlapping_images),
        ("contradictions", contradictions),
        ("frames marked as inlined", inlined_frames),
        ("addresses on one line", bare_addresses),
        ("header fields", header_fields()),
        ("header fields, as JSON", header_fields("--format", "json")),
        ("registers of a text report, as JSON", text_registers),
        ("words of a line", long_line),
        ("spaces of a line", spaces),
        ("text reports in a file", text_reports()),
        ("text reports in a file, as JSON", text_reports("--format", "json")),
        ("text and JSON of one incident", text_and_json_reports),
        ("threads of a Swift backtrace", swift_text(threads=True)),
        ("threads of a Swift backtrace, as JSON", swift_text("--format", "json", threads=True)),
        ("frames of a Swift backtrace", swift_text()),
        ("images and frames of a Swift backtrace", swift_text(images=True)),
        ("threads of a Swift backtrace in JSON", swift_json()),
        ("diagnostics of MetricKit", metrickit_diagnostics()),
        ("diagnostics of MetricKit, as JSON", metrickit_diagnostics("--format", "json")),
        ("diagnostics of MetricKit, summary", metrickit_diagnostics("--summary")),
        ("stacks of MetricKit", metrickit_stacks),
        ("roots of a tree of MetricKit", metrickit_roots()),
        ("images of MetricKit", metrickit_roots("--format", "json", images=True)),
        ("levels of a tree of MetricKit", metrickit_depth()),
        ("levels of a tree of MetricKit, as JSON", metrickit_depth("--format", "json")),
        ("log records of OpenTelemetry", telemetry),
        ("reports of three formats", several_formats),
        ("names of a function, learnt", learnt_names, 1000, 1 << 17),
        ("objects on one line", repeated('{"a":"309"}')),
        # The reading of each expected as many values in the rest of the input.
        ("long objects on one line",
         repeated('{"bug_type":"309","threads":[' + "0," * 5_000 + "0]} "), 25, 4_000),
        ("headers of .ips on one line", repeated('{"bug_type":"298"}')),
        ("trees of MetricKit on one line", repeated('{"callStackTree":{"callStacks":[]}}')),
        ("events without frames on one line", repeated('{"stacktrace":[],"frameAddress":7}')),
        ("first lines of panics", repeated("panic(cpu 1 caller 0x1): \n")),
        ("tabs behind the first line of a panic", repeated("\t", above="panic(cpu 1 caller 0x1): ")),
        ("first lines of Java's fatal errors",
         repeated("# A fatal error has been detected by the Java Runtime Environment:\n\n")),
        ("first lines of samples", repeated("Sampling process 7 for 3 seconds\n")),
        ("headlines of Swift backtraces", repeated("*** Program crashed: x ***\n")),
        ("dates", repeated("Date/Time: x\n")),
        ("reports on one line",
         repeated("Process: A [1] Exception Type: E Thread 0: 0 A 0x0000000100001010 f + 1\n")),
        ("levels of a property list", repeated("a = {\n")),
        ("frames of a property list of KSCrash", repeated('{\n "instruction_addr" = 7;\n},\n')),
        ("messages of a log", repeated("May  5 10:57:39 a R[1] <E>: Process: A\n\tPath: /A\n")),
        ("exceptions with escaped stars",
         repeated("\\*\\*\\* Terminating app due to uncaught exception 'A', reason: 'b'\n")),
        ("panics of Rust in a log", repeated("[INFO] thread 'main' panicked at 'x'\n")),
        ("objects that are cut", repeated('{"processes":[{"name":"a","rpages":3}\n')),
        ("prefixes (--strip-prefix)", prefixes, 250, 2_000, ARGUMENTS),
        ("mappings (--map-path)", mappings, 250, 2_000, ARGUMENTS),
        ("frames, explained", explained),
        ("reports as arguments", report_arguments, 250, 16_000),
        ("images, doctor", doctor, 100, 1 << 22),
        ("reports of one crash, group", group_lines()),
        ("reports of one crash, group --format html", with_html(group_lines())),
        ("signatures, group", group_lines(key=int)),
        ("signatures, group --format html", with_html(group_lines(key=int))),
        ("devices, days and versions of a crash, group", group_lines(device=int, day=int, version=int)),
        ("partial results of one crash, group --merge", partial_groups()),
        ("partial results of as many crashes, group --merge", partial_groups(key=int)),
        ("files of a directory, group", group_files, 250, 16_000),
    ]
    return [Work(title, with_jobs(make), *sizes) for title, make, *sizes in kinds]
