#!/usr/bin/env python3
"""reports.py FILE [--frames N] [--images N]: makes a crash report as text with any number of frames and images.

The frames lie in the app of Fixtures/LetterShuffle, whose dSYM names them, and in the other images in turn. The
first image is the app. The same arguments give the same report.
"""
import argparse
import os
import random

FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Fixtures/LetterShuffle")
STORY = os.path.join(FIXTURES, "letter-shuffle.crash")
APP_DSYM = os.path.normpath(os.path.join(FIXTURES, "Letter Shuffle.app.dSYM"))
APP = "Letter Shuffle"
APP_BASE, APP_CODE = 0x100228000, range(0x100228000 + 0x6000, 0x100228000 + 0x28000, 4)
FRAMES_PER_THREAD = 100
SYSTEM_BASE, SYSTEM_SIZE = 0x1_8000_0000, 0x10000
# Of ten frames, this many are the app's.
APP_FRAMES_OF_TEN = 3


def write(path, frames=1000, images=500, seed=1):
    """`images` counts the app. Each thread has 100 frames."""
    source = random.Random(seed)
    with open(STORY) as file:
        story = file.read().split("\n")
    first_thread = next(index for index, line in enumerate(story) if line.startswith("Thread 0"))
    app_line = next(line for line in story if line.startswith(f"{APP_BASE:#x} - "))
    with open(path, "w") as file:
        file.write("\n".join(story[:first_thread]) + "\n")
        for start in range(0, frames, FRAMES_PER_THREAD):
            thread = start // FRAMES_PER_THREAD
            file.write(f"Thread {thread} name:  Dispatch queue: com.example.queue-{thread}\n")
            file.write(f"Thread {thread}{' Crashed' if thread == 0 else ''}:\n")
            for number in range(min(FRAMES_PER_THREAD, frames - start)):
                file.write(frame(number, (start + number) % 10 < APP_FRAMES_OF_TEN or images < 2, images, source))
            file.write("\n")
        file.write("Binary Images:\n" + app_line + "\n")
        for image in range(1, images):
            base = SYSTEM_BASE + image * SYSTEM_SIZE
            file.write(
                f"{base:#x} - {base + SYSTEM_SIZE - 1:#x} Library{image} arm64  <{image:032x}> "
                f"/usr/lib/Library{image}\n")


def frame(number, is_app, images, source):
    if is_app:
        name, base, address = APP, APP_BASE, source.choice(APP_CODE)
    else:
        image = source.randrange(1, images)
        name, base = f"Library{image}", SYSTEM_BASE + image * SYSTEM_SIZE
        address = base + source.randrange(0, SYSTEM_SIZE, 4)
    return f"{number:<4}{name:<30}\t0x{address:016x} {base:#x} + {address - base}\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--images", type=int, default=500)
    arguments = parser.parse_args()
    write(arguments.file, arguments.frames, arguments.images)
