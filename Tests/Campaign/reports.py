"""Mutants of reports: text, `.ips`, Swift backtraces and whatever else a folder holds."""

import json
import re

NUMBERS = [b"0", b"-1", b"1", b"255", b"65536", b"2147483648", b"4294967295", b"4294967296",
           b"9223372036854775807", b"9223372036854775808", b"18446744073709551615",
           b"18446744073709551616", b"1e400", b"0.5", b"00", b"99999999999999999999999999"]
HEXADECIMAL = [b"0x0", b"0x1", b"0x7fffffffffffffff", b"0x8000000000000000",
               b"0xffffffffffffffff", b"0xfffffffffffffff0", b"0x10000000000000000", b"0x", b"0xg"]
HARMFUL = [b"\x1b[2J", b"\x1b]0;x\x07", b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\xc2\x9b2J", b"\x00",
           b"\xff", b"\xed\xa0\x80", b"\r", b"\\ud800", b"\\u0000", b"\\u202e", b"{", b"}", b"[",
           b'"', b"\n\n", b"%s%n", b"\xef\xbb\xbf"]
DECIMAL_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?![\w.])")
HEXADECIMAL_NUMBER = re.compile(rb"0x[0-9a-fA-F]+")


def mutate(random, data, other):
    """A mutant of `data`; `other` is another seed, for splices."""
    for _ in range(random.choice([1, 1, 1, 2, 3, 6])):
        data = random.choice(MUTATIONS)(random, data, other)
    return data


def flip(random, data, _):
    bytes_ = bytearray(data)
    for _ in range(random.randint(1, 8)):
        if bytes_:
            bytes_[random.randrange(len(bytes_))] = random.randrange(256)
    return bytes(bytes_)


def insert(random, data, _):
    at = random.randint(0, len(data))
    return data[:at] + random.choice(HARMFUL) + data[at:]


def truncate(random, data, _):
    return data[:random.randint(0, len(data))]


def lines(random, data, _):
    parts = data.splitlines(keepends=True)
    if not parts:
        return data
    first = random.randrange(len(parts))
    count = random.choice([1, 1, 2, 5, 20])
    chosen = parts[first:first + count]
    match random.randrange(4):
        case 0:
            del parts[first:first + count]
        case 1:
            parts[first:first] = chosen * random.choice([1, 2, 50])
        case 2:
            at = random.randint(0, len(parts))
            parts[at:at] = chosen
        case 3:
            random.shuffle(chosen)
            parts[first:first + count] = chosen
    return b"".join(parts)


def number(random, data, _):
    matches = list(DECIMAL_NUMBER.finditer(data))
    if not matches:
        return data
    match = random.choice(matches)
    return data[:match.start()] + random.choice(NUMBERS) + data[match.end():]


def address(random, data, _):
    matches = list(HEXADECIMAL_NUMBER.finditer(data))
    if not matches:
        return data
    match = random.choice(matches)
    return data[:match.start()] + random.choice(HEXADECIMAL) + data[match.end():]


def splice(random, data, other):
    return data[:random.randint(0, len(data))] + other[random.randint(0, len(other)):]


def both(random, data, other):
    return data + random.choice([b"", b"\n"]) + other


def long_line(random, data, _):
    at = random.randint(0, len(data))
    return data[:at] + random.choice([b"A", b" ", b"\t", b"(", b"_Z", b"9"]) * 20000 + data[at:]


def json_value(random, data, _):
    """Changes a value of the JSON in the report: it stays JSON."""
    start = data.find(b"\n{") + 1 if data[:1] == b"{" and b"\n{" in data else 0
    try:
        document = json.loads(data[start:])
    except ValueError:
        return number(random, data, None)
    places = []
    collect(document, places)
    if not places:
        return data
    container, key = random.choice(places)
    match random.randrange(5):
        case 0:
            container[key] = random.choice([None, True, -1, 1 << 64, 1e308, "", "\ud800", [], {}, 0.5])
        case 1 if isinstance(container, dict):
            del container[key]
        case 2 if isinstance(container, list):
            container.extend([container[key]] * random.choice([1, 100, 3000]))
        case 3 if isinstance(container[key], int):
            container[key] = random.choice([0, -1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 64])
        case _:
            value = container[key]
            for _ in range(random.choice([1, 10, 600, 5000])):
                value = [value] if random.randrange(2) else {"frames": value}
            container[key] = "deep" if depth_is_too_much(value) else value
    try:
        return data[:start] + json.dumps(document).encode("utf-8", "replace")
    except RecursionError:
        return data


def depth_is_too_much(value):
    depth = 0
    while isinstance(value, (list, dict)) and value:
        value = value[0] if isinstance(value, list) else next(iter(value.values()))
        depth += 1
    return depth > 900


def collect(value, places):
    pending = [value]
    while pending:
        value = pending.pop()
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, child in pairs:
            places.append((value, key))
            if isinstance(child, (dict, list)):
                pending.append(child)


MUTATIONS = [flip, flip, insert, truncate, lines, lines, number, number, address, address, splice,
             both, long_line, json_value, json_value]
