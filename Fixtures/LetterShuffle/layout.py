#!/usr/bin/env python3
"""layout.py LAYOUT OUT OBJECT...: lays out the functions of the objects as LAYOUT says.

Measures each function, then writes OUT/filler.s, functions of nothing but nops that fill the
gaps, and OUT/order.txt, the linker's order file. The text section starts at TEXT and ends at END.
`layout.py --check LAYOUT LINKED` looks whether the linked file has come out so.
"""
import re
import subprocess
import sys

BASE, TEXT, END, IMAGE_SIZE, PAGE = 0x100000000, 0x4000, 0x2A000, 0x44000, 0x4000
CALLS = ('bl', 'blr')


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def functions(path):
    """name -> [(address, mnemonic)] for a Mach-O file."""
    found, name = {}, None
    for line in output_of('llvm-objdump-19', '-d', '--no-show-raw-insn', '--show-all-symbols', path).splitlines():
        if label := re.fullmatch(r'[0-9a-f]+ <(.+)>:', line):
            if label[1].startswith('ltmp'):  # the assembler's own name for a section's start
                continue
            name = label[1]
            found[name] = []
        elif name and (row := re.match(r'\s*([0-9a-f]+):\s+(\S+)', line)):
            found[name].append((int(row[1], 16), row[2]))
    return found


def rules(path):
    """[(symbol, how, offset)], where how is `start`, `trap` or the number of a call."""
    for line in open(path):
        fields = line.split('#')[0].split()
        if fields:
            yield fields[0], fields[-2] if fields[1] != 'call' else int(fields[2]), int(fields[-1], 16)


def landmark(code, how):
    """The address that a rule speaks of, in code."""
    if how == 'start':
        return code[0][0]
    if how == 'trap':
        return next(address for address, mnemonic in code if mnemonic == 'brk')
    return [address for address, mnemonic in code if mnemonic in CALLS][how - 1] + 4


def lay_out(layout, out, objects):
    code = {}
    for path in objects:
        code.update(functions(path))
    placed = []
    for symbol, how, offset in rules(layout):
        body = code.pop(symbol)
        start = offset - (landmark(body, how) - body[0][0])
        placed.append((start, start + 4 * len(body), symbol))
    if code:
        sys.exit(f'{layout} does not place {", ".join(code)}')
    order, filler, at = [], [], TEXT
    for start, end, symbol in sorted(placed) + [(END, END, None)]:
        if start < at:
            sys.exit(f'{symbol} would start at {start:#x}, inside its neighbour')
        if start > at:
            name = f'_filler_{at:05x}'
            filler.append(f'.globl {name}\n.p2align 2\n{name}:\n.fill {(start - at) // 4}, 4, 0xd503201f\n')
            order.append(name)
        if symbol:
            order.append(symbol)
        at = end
    open(f'{out}/order.txt', 'w').write('\n'.join(order) + '\n')
    open(f'{out}/filler.s', 'w').write('.section __TEXT,__text,regular,pure_instructions\n'
                                       + ''.join(filler) + '.subsections_via_symbols\n')


def check(layout, linked):
    code = functions(linked)
    for symbol, how, offset in rules(layout):
        at = landmark(code[symbol], how) - BASE
        if at != offset:
            sys.exit(f'{symbol}: {how} is at {at:#x}, not at {offset:#x}')
    segments = re.findall(r'segname (\S+)\n\s*vmaddr (\S+)\n\s*vmsize (\S+)',
                          output_of('llvm-otool-19', '-l', linked))
    ends = {name: int(start, 16) + int(size, 16) - BASE for name, start, size in segments}
    last = max(end for name, end in ends.items() if name != '__PAGEZERO')
    if -(-last // PAGE) * PAGE != IMAGE_SIZE:
        sys.exit(f'the image does not end at {IMAGE_SIZE:#x}: ' + ', '.join(f'{n} {e:#x}' for n, e in ends.items()))


if sys.argv[1] == '--check':
    check(sys.argv[2], sys.argv[3])
else:
    lay_out(sys.argv[1], sys.argv[2], sys.argv[3:])
