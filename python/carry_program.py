"""Puts the program that SYMBOLICATE_WHEEL_PROGRAM names into the wheel, as the command `symbolicate`,
with the tags of the systems that it runs on. Without the variable, the wheel has no program and runs
everywhere.
"""

import os
import pathlib
import struct

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The number of the processor in an ELF file, and its name in tags.
MACHINES = {62: "x86_64", 183: "aarch64"}
PT_INTERP = 3

# A static program uses no library of the system, neither glibc nor musl: both tags are true. The
# versions are the oldest that installers know for both processors; their systems have Linux 3.10 or
# newer, and the C library in the program needs 3.2 (3.7 on aarch64).
SYSTEMS = ["manylinux2014_{}", "manylinux_2_17_{}", "musllinux_1_1_{}"]


def static_machine(program: pathlib.Path) -> str:
    """The processor of a static ELF program of 64 bits. Refuses every other file, because the tags
    would promise that it runs."""
    data = program.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError(f"{program} is not an ELF program of 64 bits, little-endian")
    (machine,) = struct.unpack_from("<H", data, 18)
    (headers,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    kinds = [struct.unpack_from("<I", data, headers + size * each)[0] for each in range(count)]
    if PT_INTERP in kinds:
        raise ValueError(f"{program} needs shared libraries; `make build` makes a static program")
    if machine not in MACHINES:
        raise ValueError(f"{program} is for a processor that has no tag here: ELF machine {machine}")
    return MACHINES[machine]


class CarryProgram(BuildHookInterface):
    """Called by hatchling before it writes the wheel."""

    def initialize(self, version, build_data):
        named = os.environ.get("SYMBOLICATE_WHEEL_PROGRAM")
        if not named:
            return
        machine = static_machine(pathlib.Path(named))
        tags = ".".join(system.format(machine) for system in SYSTEMS)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tags}"
        # A script of the wheel: installers put it beside Python, as it is.
        build_data["shared_scripts"][named] = "symbolicate"
