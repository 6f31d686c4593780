"""Records to measure workers with. The same seed makes the same records."""

import json
import pathlib
import random
import re
import struct
import subprocess

STORY = pathlib.Path(__file__).parents[3] / "Fixtures" / "LetterShuffle"
REPORT = STORY / "letter-shuffle.crash"
UUID = "a4b1de49-70b3-301d-a644-58d6bc22f513"
# Where the code of the report's image is, as offsets from its start.
CODE = range(0x5000, 0x28000, 4)
# What the frames of an .ips without app code look like: image, symbol, offset in it.
SYSTEM = [
    ("libsystem_kernel.dylib", "mach_msg2_trap", 8), ("CoreFoundation", "__CFRunLoopRun", 1248),
    ("libsystem_pthread.dylib", "_pthread_wqthread", 288), ("UIKitCore", "UIApplicationMain", 336),
    ("libdispatch.dylib", "_dispatch_call_block_and_release", 32)]


def story(numbers, chance):
    """The report of 2019, 3 KB of text, with its own addresses or with others (`chance`)."""
    text = REPORT.read_text()
    frame = re.compile(r"(Letter Shuffle\s+)0x[0-9a-f]{16} 0x100228000 \+ \d+")

    def replaced(match):
        offset = numbers.choice(CODE)
        return f"{match[1]}0x{0x100228000 + offset:016x} 0x100228000 + {offset}"
    return frame.sub(replaced, text) if chance else text


def ips(numbers, chance):
    """A report of 100 KB as iOS 15 and later write it: 23 threads, a third of the frames in the app.
    With `chance`, each record has other addresses."""
    numbers = numbers if chance else random.Random(7)
    images = [{
        "source": "P", "arch": "arm64", "base": 0x100228000, "size": 278528, "uuid": UUID,
        "path": "/private/var/containers/Bundle/Application/Letter Shuffle.app/Letter Shuffle",
        "name": "Letter Shuffle"}]
    for number in range(160):
        name = SYSTEM[number][0] if number < len(SYSTEM) else f"Framework{number}"
        images.append({
            "source": "P", "arch": "arm64e", "base": 0x180000000 + number * 0x1000000,
            "size": 65536, "uuid": f"00000000-0000-3000-8000-{number:012x}",
            "path": f"/System/Library/Frameworks/{name}.framework/{name}", "name": name})
    threads = []
    for number in range(23):
        frames = []
        for depth in range(24):
            if depth % 3 == 1:
                frames.append({"imageOffset": numbers.choice(CODE), "imageIndex": 0})
            else:
                image = numbers.randrange(len(SYSTEM))
                _, symbol, location = SYSTEM[image]
                frames.append({
                    "imageOffset": 4096 + location, "symbol": symbol, "symbolLocation": location,
                    "imageIndex": image + 1})
        threads.append({"id": 1000 + number, "frames": frames})
    threads[0].update({"triggered": True, "queue": "com.apple.main-thread"})
    head = {"app_name": "Letter Shuffle", "timestamp": "2026-01-01 00:00:00.00 +0000",
            "bug_type": "309", "os_version": "iPhone OS 18.2 (22C152)", "incident_id": UUID.upper()}
    body = {
        "pid": 7, "procName": "Letter Shuffle", "cpuType": "ARM-64", "faultingThread": 0,
        "exception": {"type": "EXC_BREAKPOINT", "signal": "SIGTRAP"}, "threads": threads,
        "usedImages": images}
    return json.dumps(head) + "\n" + json.dumps(body, indent=1, separators=(",", " : "))


def elf_text(program):
    """The build-id of an ELF file of 64 bits, and the addresses of its code."""
    data = pathlib.Path(program).read_bytes()
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    sections = [struct.unpack_from("<IIQQQQ", data, table + size * n) for n in range(count)]
    found = {}
    for name, _, _, address, offset, length in sections:
        start = sections[names][4] + name
        found[data[start:data.index(b"\0", start)]] = (address, offset, length)
    address, _, length = found[b".text"]
    _, note, _ = found[b".note.gnu.build-id"]
    owner, described, _ = struct.unpack_from("<III", data, note)
    start = note + 12 + (owner + 3) // 4 * 4
    return data[start:start + described].hex(), range(address, address + length)


def write_records(path, kind, count, program, seed=1):
    """Writes records of a kind. Returns their size in bytes and the number of frames in all."""
    numbers = random.Random(seed)
    identity, code = elf_text(program) if kind.startswith("frames") else (None, None)
    fixed = [numbers.choice(code) for _ in range(20)] if identity else []
    reports = 0
    with open(path, "w") as file:
        for number in range(count):
            if identity:
                addresses = fixed if kind == "frames" else [numbers.choice(code) for _ in range(20)]
                values = {"frames": [
                    {"image": "symbolicate", "uuid": identity, "address": hex(address)}
                    for address in addresses]}
                reports += len(values["frames"])
            else:
                make, chance = {
                    "story": (story, False), "story, others": (story, True),
                    "ips": (ips, False), "ips, others": (ips, True)}[kind]
                values = {"report": make(numbers, chance)}
                reports += len(values["report"].encode())
            file.write(json.dumps({"id": number, **values}) + "\n")
    return reports


def make_indexes(program, folder):
    """Indexes of the report's image and of the program itself."""
    subprocess.run([program, "index", STORY, program, "--output", folder], check=True,
                   stdout=subprocess.DEVNULL)
