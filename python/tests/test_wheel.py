"""Which programs a wheel may carry. `make wheel` builds a whole one, and tries it."""

import json
import os
import pathlib
import struct
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import carry_program

PT_LOAD, PT_INTERP = 1, 3


def elf(machine, *headers, bits=2):
    """An ELF file that has nothing but its head and program headers (gABI, chapters 4 and 5)."""
    head = b"\x7fELF" + bytes([bits, 1, 1]) + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 64, 0, 0, 64, 56, len(headers), 0, 0, 0)
    return head + b"".join(struct.pack("<I", kind) + bytes(52) for kind in headers)


@pytest.mark.parametrize("machine, name", [(62, "x86_64"), (183, "aarch64")])
def test_static_programs(tmp_path, machine, name):
    (tmp_path / "program").write_bytes(elf(machine, PT_LOAD, PT_LOAD))
    assert carry_program.static_machine(tmp_path / "program") == name


@pytest.mark.parametrize("machine, name, oldest", [(62, "x86_64", "manylinux_2_5"),
                                                   (183, "aarch64", "manylinux_2_17")])
def test_tags(tmp_path, machine, name, oldest):
    """auditwheel reads the program in the wheel, and says on which systems it runs: on all that there are
    tags for, the oldest first."""
    program = tmp_path / "program"
    program.write_bytes(elf(machine, PT_LOAD, PT_LOAD))
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path,
         pathlib.Path(carry_program.__file__).parent],
        env={**os.environ, "SYMBOLICATE_WHEEL_PROGRAM": str(program)}, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("symbolicate-*.whl")
    assert f"-py3-none-manylinux2014_{name}.manylinux_2_17_{name}.musllinux_1_1_{name}.whl" in wheel.name
    shown = subprocess.run([sys.executable, "-m", "auditwheel", "show", "--json", wheel],
                           check=True, capture_output=True, text=True).stdout
    assert json.loads(shown)["overall_tag"] == f"{oldest}_{name}"


@pytest.mark.parametrize("content, reason", [
    (elf(62, PT_LOAD, PT_INTERP), "needs shared libraries; `make build` makes a static program"),
    (elf(243, PT_LOAD), "is for a processor that has no tag here: ELF machine 243"),
    (elf(3, PT_LOAD, bits=1), "is not an ELF program of 64 bits"),
    (b"#!/bin/sh\n", "is not an ELF program of 64 bits"),
])
def test_others_are_refused(tmp_path, content, reason):
    (tmp_path / "program").write_bytes(content)
    with pytest.raises(ValueError, match=reason):
        carry_program.static_machine(tmp_path / "program")


def test_program_of_a_debug_build_is_refused():
    """It needs the shared libraries of this machine, which a tag would deny."""
    with pytest.raises(ValueError, match="needs shared libraries"):
        carry_program.static_machine(pathlib.Path(os.environ["SYMBOLICATE"]))
