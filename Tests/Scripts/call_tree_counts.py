#!/usr/bin/env python3
"""Counts what samples, spindumps, diagnostics and stackshots hold, with regular expressions and
Python's json: an independent reading, which CallTreeCorpusTests compares with.

    call_tree_counts.py CORPUS          prints a row for each file that is one of these
    call_tree_counts.py CORPUS PROGRAM  also compares with `PROGRAM --format ndjson`

Columns: file, processes, threads (with lists such as the heaviest stack), frames with an address,
images, samples of all frames together.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

SAMPLE_FRAME = re.compile(r'^ {4}[ +!:|]*(\d+) (?!Thread_)(.*)$')
SAMPLE_ADDRESS = re.compile(r'\[0x[0-9a-f]+(?:,\S*)?\]|^0x[0-9a-f]+$')
SAMPLE_THREAD = re.compile(r'^ {4}(\d+) Thread_\d+')
SAMPLE_IMAGE = re.compile(r'^ +0x[0-9a-f]+ - +0x[0-9a-f]+ ')
DUMP_FRAME = re.compile(r'^ +\*?(\d+) +\S.* \[(?:0x[0-9a-f]+|0)\]')
DUMP_THREAD = re.compile(r'^ +Thread (?:0x|<)')
DUMP_IMAGE = re.compile(r'^ +\*?0x[0-9a-f]+ - +(?:0x[0-9a-f]+|\?\?\?) ')
DUMP_PROCESS = re.compile(r'^(?:Process|Powerstats for):')


def count_sample(lines):
    section, threads, frames, named, images, samples = 'head', 0, 0, 0, 0, 0
    lists = {}
    for line in lines:
        if line.startswith('Call graph:'):
            section = 'graph'
        elif line.startswith('Total number in stack'):
            section = 'totals'
        elif line.startswith('Sort by top of stack'):
            section = 'tops'
        elif line.startswith('Binary Images:'):
            section = 'images'
        elif section == 'graph':
            if SAMPLE_THREAD.match(line):
                threads += 1
            elif match := SAMPLE_FRAME.match(line):
                named += 1
                frames += bool(SAMPLE_ADDRESS.search(match[2]))
                samples += int(match[1])
        elif section in ('totals', 'tops'):
            if re.search(r'\[0x[0-9a-f]+\]', line):
                lists.setdefault(section, []).append(line)
                frames += 1
                named += 1
                samples += int(re.search(r'^ +(\d+)' if section == 'totals' else r'(\d+)$', line)[1])
        elif section == 'images':
            images += bool(SAMPLE_IMAGE.match(line))
    return 1, threads + len(lists), frames, images, samples


def count_dump(lines):
    processes, threads, frames, images, samples = 0, 0, 0, 0, 0
    # Diagnostics have stacks without a heading: a run of frames is a thread of its own then.
    state = None
    for line in lines:
        if line.startswith(('Kextstat:', 'Spindump binary format', 'System Profile:')):
            break
        if DUMP_PROCESS.match(line):
            processes += 1
            state = None
        elif line.startswith('Heaviest stack for '):
            threads += 1
            state = 'open'
        elif DUMP_THREAD.match(line):
            threads += 1
            state = 'open'
        elif line.strip() == '':
            state = None
        elif match := DUMP_FRAME.match(line):
            if state is None:
                threads += 1
                state = 'open'
            frames += 1
            samples += int(match[1])
        elif DUMP_IMAGE.match(line):
            images += 1
    return max(processes, 1), threads, frames, images, samples


def count_stackshot(text):
    body = json.loads(text.split('\n', 1)[1])
    listed = body['binaryImages']
    processes, threads, frames, images = 0, 0, 0, 0
    for process in body['processByPid'].values():
        processes += 1
        used = set()
        for thread in process.get('threadById', {}).values():
            for key in ('kernelFrames', 'userFrames', 'resampledUserFrames'):
                if key not in thread:
                    continue
                threads += 1
                for index, offset in thread[key]:
                    if listed[index][2] == 'A' and offset == 0:
                        continue
                    frames += 1
                    if listed[index][2] != 'A':
                        used.add(index)
        images += len(used)
    return processes, threads, frames, images, 0


def counts(path):
    text = path.read_bytes().decode('utf-8', 'replace')
    lines = [line.rstrip('\r') for line in text.split('\n')]
    if any(line.startswith(('Sampling process ', 'Analysis of sampling ')) for line in lines[:5]):
        return count_sample(lines)
    if re.search(r'"bug_type" ?: ?"288"', lines[0]) and '"processByPid"' in text:
        try:
            return count_stackshot(text)
        except ValueError:
            return None
    starts = [index for index, line in enumerate(lines[:12]) if line.startswith('Date/Time:')]
    if starts and any(line.startswith(('Data Source:', 'Steps:'))
                      for line in lines[starts[0]:starts[0] + 40]):
        return count_dump(lines)
    return None


def measured(path, program):
    result = subprocess.run([program, '--format', 'ndjson', path], capture_output=True, text=True)
    reports = [json.loads(line) for line in result.stdout.splitlines() if line]
    threads = [thread for report in reports for thread in report['backtraces']]
    frames = [frame for thread in threads for frame in thread['frames']]
    return (len(reports), len(threads), sum(frame['address'] is not None for frame in frames),
            sum(len([i for i in report['images'] if i['listed']]) for report in reports),
            sum(frame.get('samples') or 0 for frame in frames))


def main():
    corpus, program = Path(sys.argv[1]), sys.argv[2:]
    differences = 0
    for path in sorted((corpus / 'reports').rglob('*')):
        found = counts(path) if path.is_file() else None
        # An excerpt without threads has nothing to count.
        if not found or not found[1]:
            continue
        row = '\t'.join(map(str, (path.relative_to(corpus / 'reports'), *found)))
        if program:
            ours = measured(path, program[0])
            if ours != found:
                row += f'\tDIFFERENT: {ours}'
                differences += 1
        print(row)
    return differences > 0


if __name__ == '__main__':
    sys.exit(main())
