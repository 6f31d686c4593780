"""What happens to workers and indexes when something else goes wrong. Each record gets its answer."""

import json
import os
import pathlib
import shutil
import struct
import subprocess

import pytest

from conftest import ROOT, STORY, lines_of

MEGABYTE = 1 << 20
DWARF = STORY / "Letter Shuffle.app.dSYM" / "Contents" / "Resources" / "DWARF" / "Letter Shuffle"


def work(program, lines, *options):
    """The answers of a worker with an empty environment, as `rdd.pipe` gives it one."""
    result = subprocess.run(
        [program, "worker", *options], input=b"".join(lines), env={}, capture_output=True)
    assert result.returncode == 0, result.stderr
    return lines_of(result.stdout), result.stderr.decode()


def line(identifier, **values):
    return json.dumps({"id": identifier, **values}).encode() + b"\n"


def functions(answer):
    """The functions with a file in the crashed thread."""
    (crashed,) = [each for each in answer["reports"][0]["backtraces"] if each["crashed"]]
    return [frame["function"] for frame in crashed["frames"] if frame["file"]]


def test_poisoned_records(program, story):
    """Each is one error, in its place, and the records around it are answered."""
    poisoned = [
        ("not-json", b"{\"id\": 1, \"report\": \n"),
        ("not-json", b"\n"),
        ("not-json", b"\xff\xfe\n"),
        ("not-json", b'{"id": 1, "report": "\\ud800"}\n'),
        ("record-too-large", line("large", report="x" * (100 * MEGABYTE))),
        ("bad-record", b"[1, 2]\n"),
        ("bad-record", line("frames", frames=7)),
        ("no-report", line("letter", report="Dear user")),
        ("unreadable", line("file", path="/nowhere/crash.ips")),
    ]
    lines = [line("first", report=story)]
    for number, (_, poison) in enumerate(poisoned):
        lines += [poison, line(number, report=story)]
    answers, _ = work(program, lines, "--search", STORY)
    assert len(answers) == len(lines)
    assert [answer["id"] for answer in answers[::2]] == ["first", *range(len(poisoned))]
    expected = functions(answers[0])
    assert "one-time initialization function for rounds" in expected
    assert [functions(answer) for answer in answers[::2]] == [expected] * (len(poisoned) + 1)
    assert [answer["error"]["code"] for answer in answers[1::2]] == [code for code, _ in poisoned]


def test_hostile_symbol_files(program, story, tmp_path):
    """The dSYM with its end missing, with noise in it, and with sizes that lie. The report is
    answered each time, and so is another one whose symbols are good."""
    data = DWARF.read_bytes()
    noise = bytearray(data)
    for offset in range(4096, len(noise), 7):
        noise[offset] = (noise[offset] * 31 + offset) & 0xFF
    # The sizes in all load commands behind that of the UUID (LC_UUID is 0x1b, 24 bytes).
    sizes = bytearray(data)
    for offset in range(32, 2048, 8):
        if struct.unpack_from("<II", sizes, offset) != (0x1B, 24):
            struct.pack_into("<I", sizes, offset + 4, 0xFFFF_FFF0)
    for name, hostile in {"half": data[: len(data) // 2], "noise": noise, "sizes": sizes}.items():
        (tmp_path / name).write_bytes(hostile)
        answers, _ = work(
            program, [line(1, report=story), line(2, report="x"), line(3, report=story)],
            "--dsym", tmp_path / name)
        assert [(answer["id"], answer["ok"]) for answer in answers] == [
            (1, True), (2, False), (3, True)]


def small_file_system(script, **names):
    """Runs a script with a file system of 8 KB at $FULL, which only this script sees."""
    arguments = ["--mount"] if os.geteuid() == 0 else ["--user", "--map-root-user", "--mount"]
    mount = "mount -t tmpfs -o size=8k none \"$FULL\"\n"
    command = ["unshare", *arguments, "bash", "-eu", "-c"]
    environment = {**os.environ, **{name: str(value) for name, value in names.items()}}
    if subprocess.run([*command, mount], env=environment, capture_output=True).returncode:
        pytest.skip("this system does not let tests mount a small file system")
    return subprocess.run([*command, mount + script], env=environment, capture_output=True)


def test_full_disk_for_the_index(program, story, tmp_path):
    """The message names the directory, nothing half-written stays, and workers answer as before."""
    (tmp_path / "full").mkdir()
    (tmp_path / "records").write_bytes(b"".join(line(n, report=story) for n in range(20)))
    result = small_file_system(
        """
        head -c 8192 /dev/zero > "$FULL/other" || true
        status=0
        "$PROGRAM" index "$STORY" --output "$FULL" || status=$?
        echo $status > "$OUT.status"
        ls -A "$FULL" > "$OUT.list"
        env -i "$PROGRAM" worker --search "$STORY" --index-dir "$FULL" < "$OUT/records" > "$OUT.full"
        rm "$FULL/other"
        "$PROGRAM" index "$STORY" --output "$FULL"
        env -i "$PROGRAM" worker --search "$STORY" --index-dir "$FULL" < "$OUT/records" > "$OUT.room"
        """, FULL=tmp_path / "full", PROGRAM=program, STORY=STORY, OUT=tmp_path)
    assert result.returncode == 0, result.stderr
    out = {name: pathlib.Path(f"{tmp_path}.{name}").read_bytes()
           for name in ["status", "list", "full", "room"]}
    assert int(out["status"]) in (73, 74)
    assert str(tmp_path / "full") in result.stderr.decode()
    assert out["list"].split() == [b"other"]
    assert [answer["id"] for answer in lines_of(out["full"])] == list(range(20))
    assert [answer["ok"] for answer in lines_of(out["full"])] == [True] * 20
    assert [functions(answer) for answer in lines_of(out["room"])] == [
        functions(answer) for answer in lines_of(out["full"])]


def checksum(data):
    """The checksum of indexes, as docs/index.md describes it."""
    state = 0x9E37_79B9_7F4A_7C15
    padded = data + bytes(-len(data) % 8)
    words = [word for (word,) in struct.iter_unpack("<Q", padded)]
    for word in [*words, len(data)]:
        state = (state ^ word) * 0x9FB2_1C65_1E98_DF25 % (1 << 64)
        state ^= state >> 32
    return state


def with_version(index, version):
    """An index as a program with another format of the trailer writes it."""
    number, size, _, magic = struct.unpack("<QII8s", index[-24:])
    body = index[-24 - size:-24]
    assert magic == b"SymIndex"
    assert number == checksum(body + index[-16:-8])
    numbers = struct.pack("<II", size, version)
    return index[:-24] + struct.pack("<Q", checksum(body + numbers)) + numbers + magic


@pytest.mark.parametrize("other", [1, 2, 99])
def test_index_of_another_version(program, indexes, story, other):
    """An older or newer program shares the directory. Its indexes are not used, whatever is in
    them, and `index` makes them anew: the last one wins, and nobody gets a wrong answer."""
    (path,) = indexes.iterdir()
    index = path.read_bytes()
    lines = [line(n, report=story) for n in range(3)]
    expected, _ = work(program, lines, "--search", STORY, "--output", "report")

    foreign = with_version(index.replace(b"GameData", b"OtherVer"), other)
    assert foreign != with_version(index, other)
    path.write_bytes(foreign)
    options = ["--search", STORY, "--index-dir", indexes, "--output", "report"]
    answers, errors = work(program, lines, *options)
    assert answers == expected
    assert path.name in errors

    command = [program, "index", STORY, "--output", indexes]
    subprocess.run(command, check=True, capture_output=True)
    assert path.read_bytes() == index
    answers, errors = work(program, lines, *options)
    assert (answers, errors) == (expected, "")


def test_versions_take_turns_while_workers_run(program, indexes, story, tmp_path):
    """Two programs replace each other's index again and again. A worker that starts in between gets
    one or the other, complete, and never a wrong or missing answer."""
    (path,) = indexes.iterdir()
    mine = path.read_bytes()
    theirs = with_version(mine.replace(b"GameData", b"OtherVer"), 99)
    lines = [line(n, report=story) for n in range(40)]
    expected, _ = work(program, lines, "--search", STORY, "--output", "report")
    for turn in range(10):
        workers = [
            subprocess.Popen(
                [program, "worker", "--search", STORY, "--index-dir", indexes, "--output", "report"],
                env={}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for _ in range(2)]
        for content in [theirs, mine] * 3:
            new = tmp_path / "new"
            new.write_bytes(content)
            os.replace(new, path)
        for worker in workers:
            output, _ = worker.communicate(b"".join(lines))
            assert lines_of(output) == expected


def test_programs_make_the_same_index_at_once(program, tmp_path):
    """All succeed, and the index is complete."""
    indexes = tmp_path / "indexes"
    command = [program, "index", STORY, "--output", indexes]
    makers = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(8)]
    assert [maker.communicate() and maker.returncode for maker in makers] == [0] * 8
    (path,) = indexes.iterdir()
    shutil.copy(path, tmp_path / "alone")
    path.unlink()
    subprocess.run(command, check=True, capture_output=True)
    assert path.read_bytes() == (tmp_path / "alone").read_bytes()
