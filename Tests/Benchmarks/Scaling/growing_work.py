"""A kind of work that doubles."""

# Why a kind of work is known not to be linear.
ARGUMENTS = "swift-argument-parser takes quadratic time for arguments, which only the user writes"


class Work:
    """`make(folder, size)` writes inputs of that size, and returns the arguments of `symbolicate`."""

    def __init__(self, title, make, first=1000, last=1 << 22, known=None):
        self.title = title
        self.make = make
        self.first = first
        self.last = last
        # Why it is not linear; None for work that must be.
        self.known = known
