#!/usr/bin/env python3
"""dsym_tree.py FOLDER [--count N]: makes a folder of N dSYMs (3,000), each with another UUID.

They are copies of a fixture, with the names and UUIDs of a counter, in folders of 100. The last one has the
UUID of the app in Fixtures/LetterShuffle, and is its dSYM.

  Tests/Benchmarks/Inputs/dsym_tree.py /tmp/dsyms
  symbolicate Fixtures/LetterShuffle/letter-shuffle.crash -s /tmp/dsyms
"""
import argparse
import hashlib
import os
import shutil

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../Fixtures')
SOURCE = os.path.join(FIXTURES, 'Signals/librelay.dSYM')
CONTENT = 'Contents/Resources/DWARF'
LC_UUID = bytes.fromhex('1b00000018000000')

parser = argparse.ArgumentParser()
parser.add_argument('folder')
parser.add_argument('--count', type=int, default=3000)
arguments = parser.parse_args()

name = os.listdir(os.path.join(SOURCE, CONTENT))[0]
binary = open(os.path.join(SOURCE, CONTENT, name), 'rb').read()
plist = open(os.path.join(SOURCE, 'Contents/Info.plist'), 'rb').read()
place = binary.index(LC_UUID) + len(LC_UUID)

for number in range(arguments.count - 1):
    bundle = os.path.join(arguments.folder, f'{number // 100:03}', f'Kit{number}.framework.dSYM')
    os.makedirs(os.path.join(bundle, CONTENT))
    identity = hashlib.md5(str(number).encode()).digest()
    with open(os.path.join(bundle, CONTENT, f'Kit{number}'), 'wb') as file:
        file.write(binary[:place] + identity + binary[place + 16:])
    with open(os.path.join(bundle, 'Contents/Info.plist'), 'wb') as file:
        file.write(plist)
shutil.copytree(
    os.path.join(FIXTURES, 'LetterShuffle/Letter Shuffle.app.dSYM'),
    os.path.join(arguments.folder, 'Letter Shuffle.app.dSYM'))
