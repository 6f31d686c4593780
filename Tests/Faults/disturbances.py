"""What else may go wrong around the program: each check gives its name, how much was tried, and the
failures."""
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import time

import cases


def checks(all_cases, program, options):
    small = options.small
    folder = all_cases[0].folder.parent.parent / "disturbances" if all_cases else None
    if not all_cases or options.only:
        return
    yield short_transfers(all_cases, options)
    yield file_size_limits(all_cases, 3 if small else 12)
    yield streams(all_cases[:4] if small else all_cases)
    yield kills(program, folder, 4 if small else 60)
    yield changing_files(program, folder, 10 if small else 300)
    yield one_index(program, folder, 5 if small else 20)


def short_transfers(all_cases, options):
    """Every read and write moves a few bytes only, and each second one is interrupted first. A
    library of ours does that (short_transfers.c), so it takes a program that loads the C library."""
    failures, tried = [], 0
    program = options.dynamic or options.program
    compiler = shutil.which("clang") or shutil.which("cc")
    kind = subprocess.run(["file", "-bL", program], capture_output=True, text=True).stdout \
        if shutil.which("file") else pathlib.Path(program).read_bytes()[:8192].decode("latin-1")
    if "ld-linux" not in kind and "interpreter" not in kind or not compiler:
        return "short reads and writes (needs --dynamic and a C compiler)", 0, []
    library = all_cases[0].folder.parent.parent / "short_transfers.so"
    source = pathlib.Path(__file__).with_name("short_transfers.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    for case in all_cases:
        command, case.command = case.command, [program] + case.command[1:]
        baseline = case.run()
        result = case.run(environment={"LD_PRELOAD": str(library)})
        case.command = command
        tried += 1
        if result != baseline:
            failures.append(f"{case.name} with short transfers: {result.summary(baseline)}")
    return "short reads and writes, interrupted", tried, failures


def file_size_limits(all_cases, count):
    """RLIMIT_FSIZE: SIGXFSZ must not end the program, and the error names the file."""
    failures, tried = [], 0
    for case in all_cases:
        baseline = case.run()
        sizes = [len(content) for name, content in baseline.files.items()
                 if content != case.before.get(name)]
        if not sizes:
            continue
        for step in range(count):
            limit = max(sizes) * step // count
            result = case.run(
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            tried += 1
            problem = case.problem(result, baseline)
            if not problem and result.status != 74 and result.files == baseline.files:
                problem = f"status {result.status}"
            if problem:
                failures.append(f"{case.name}, files of at most {limit} bytes: {problem}")
    return "limits of the size of files", tried, failures


def streams(all_cases):
    """Each standard stream closed, full, or a pipe that nobody reads."""
    failures, tried = [], 0
    for case in all_cases:
        baseline = case.run()
        writes = bool(baseline.output)
        for kind in ["0 closed", "1 closed", "2 closed", "all closed", "1 full", "2 full",
                     "1 broken", "2 broken"]:
            stream, state = kind.split()
            numbers = [0, 1, 2] if stream == "all" else [int(stream)]
            keywords = {}
            if state == "closed":
                keywords["preexec_fn"] = lambda: [os.close(number) for number in numbers]
            else:
                if state == "full":
                    target = os.open("/dev/full", os.O_WRONLY)
                else:
                    reader, target = os.pipe()
                    os.close(reader)
                keywords["stdout" if numbers == [1] else "stderr"] = target
            result = case.run(**keywords)
            if state != "closed":
                os.close(target)
            tried += 1
            problem = case.problem(result, baseline)
            if not problem and 1 in numbers and writes and result.status == baseline.status:
                problem = f"status {result.status} although standard output is lost"
            if not problem and numbers == [2] and (
                    result.status, result.output, result.files
            ) != (baseline.status, baseline.output, baseline.files):
                problem = "standard error changes a result: " + result.summary(baseline)
            if not problem and kind == "1 broken" and "standard output" in result.errors:
                problem = "a reader that has left is talked about"
            if problem:
                failures.append(f"{case.name}, stream {kind}: {problem}")
    return "closed, full and broken streams", tried, failures


def kills(program, folder, count):
    """Signals in the middle of --in-place over many files, and of -o FOLDER."""
    failures, tried, left = [], 0, 0
    old = cases.REPORT.read_bytes()
    environment = os.environ | {"XDG_CACHE_HOME": "/dev/null"}
    names = [f"{number:03}.crash" for number in range(200)]
    command = [program, *names, "-d", str(cases.BUNDLE), "--in-place"]

    def prepare():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).write_bytes(old)

    def run(delay=None, number=None):
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if number is not None:
            time.sleep(delay)
            process.send_signal(number)
        return process.wait(timeout=600), time.monotonic() - start

    prepare()
    status, duration = run()
    new = (folder / names[0]).read_bytes()
    if status != 0 or new == old:
        return "signals", 0, [f"--in-place fails without signals: {status}"]
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]:
        for step in range(count):
            prepare()
            status, _ = run(duration * (step + 0.5) / count, number)
            tried += 1
            where = f"{signal.Signals(number).name} after {step}/{count} of the run"
            if status not in (0, -number):
                failures.append(f"{where}: status {status}")
            if any((folder / name).read_bytes() not in (old, new) for name in names):
                failures.append(f"{where}: a file is neither old nor new")
            rest = sorted({path.name for path in folder.iterdir()} - set(names))
            if rest and number != signal.SIGKILL:
                failures.append(f"{where}: left behind: {rest}")
            if number == signal.SIGKILL:
                left += len(rest)
                if any(not name.startswith(".symbolicate-") for name in rest):
                    failures.append(f"{where}: left behind: {rest}")
                status, _ = run()
                if status != 0 or any((folder / name).read_bytes() != new for name in names):
                    failures.append(f"{where}: the next run stumbles: status {status}")
    return f"signals during --in-place ({left} temporary files left by SIGKILL)", tried, failures


def changing_files(program, folder, count):
    """A symbol file that is cut or written over while it is read: an answer or a message, but no
    signal and no hang."""
    failures = []
    generator = random.Random(1)
    content = cases.DWARF.read_bytes()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    path = folder / "symbols"
    environment = os.environ | {"XDG_CACHE_HOME": "/dev/null"}
    addresses = "".join(f"{0x100228000 + step * 97:x}\n" for step in range(2000)).encode()
    for step in range(count):
        path.write_bytes(content)
        process = subprocess.Popen(
            [program, "atos", "-o", path, "-l", "100228000", "-i"], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.stdin.write(addresses[:len(addresses) // 2])
            process.stdin.flush()
            with open(path, "r+b") as file:
                if step % 2:
                    file.truncate(generator.randrange(len(content)))
                else:
                    file.seek(generator.randrange(len(content)))
                    file.write(generator.randbytes(generator.choice([1, 64, 8192])))
            process.stdin.write(addresses[len(addresses) // 2:])
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.stdin = None
        try:
            _, errors = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            process.kill()
            failures.append(f"change {step}: it hangs")
            continue
        if process.returncode not in (0, 1):
            failures.append(f"change {step}: status {process.returncode}: {errors[-300:]}")
    return "files that change while they are read", count, failures


def one_index(program, folder, count):
    """Many processes that index one file at once."""
    failures = []
    for arguments in [[], ["-o", str(folder / "out")]]:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
        processes = [
            subprocess.Popen([program, "index", str(cases.BUNDLE), *arguments], env=environment,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(count)
        ]
        results = [(*process.communicate(timeout=600), process.returncode) for process in processes]
        if len({output for output, _, _ in results}) != 1:
            failures.append("processes name different indexes")
        failures += [f"index: status {status}: {errors}" for _, errors, status in results if status]
        files = [path for path in folder.rglob("*") if path.is_file()]
        if len(files) != 1 or files[0].suffix != ".gsym":
            failures.append(f"index: these files are there: {files}")
        check = subprocess.run(
            [program, "atos", "-o", cases.BUNDLE, "-l", "100228000", "10022d010",
             *(["-index-dir", str(folder / "out")] if arguments else [])],
            env=environment, capture_output=True, text=True)
        if "AppDelegate.swift:13" not in check.stdout or check.stderr:
            failures.append(f"index: {check.stdout} {check.stderr}")
    return f"{count} processes that write one index", 2 * count, failures
