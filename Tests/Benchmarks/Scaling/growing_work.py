"""A kind of work that doubles."""


class Work:
    """`make(folder, size)` writes inputs of that size, and returns the arguments of `symbolicate`."""

    def __init__(self, title, make, first=1000, last=1 << 22):
        self.title = title
        self.make = make
        self.first = first
        self.last = last
