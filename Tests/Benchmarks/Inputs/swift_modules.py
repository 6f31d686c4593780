#!/usr/bin/env python3
"""swift_modules.py FOLDER: makes the dSYM of a large program of generated Swift, FOLDER/swift.dSYM.

Writes the sources of many modules, compiles them as Embedded Swift for arm64-apple-ios (which needs nothing
from Apple), optimised and with debug information, links them with ld64.lld and collects the debug information
with dsymutil. As in an app, a few modules are large and most are small. Much of the code is generic or
inlinable and comes from one module that all others use, so that addresses have chains of inlined calls through
several files. The same arguments give the same sources.

The defaults make a dSYM of about 50 MB, in about ten minutes on two processors.
"""
import argparse
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TARGET = "arm64-apple-ios18.0"
TYPES_PER_FILE = 10

FOUNDATIONS = {
    "Arithmetic.swift": """
@inlinable @inline(__always)
public func blend(_ first: Int, _ second: Int) -> Int {
  let product = first &* 0x9E37 &+ second
  return product ^ (product >> 7)
}

@inlinable @inline(__always)
public func bounded(_ value: Int, by limit: Int) -> Int {
  guard value < limit else { return blend(limit, value) }
  return value < 0 ? blend(value, 3) : value
}
""",
    "Sequences.swift": """
public protocol Weighed {
  var weight: Int { get }
}

@inlinable
public func accumulate<Item, Sum>(_ items: [Item], from start: Sum, _ add: (Sum, Item) -> Sum) -> Sum {
  var sum = start
  for item in items { sum = add(sum, item) }
  return sum
}

@inlinable
public func heaviest<Item: Weighed>(of items: [Item]) -> Item? {
  guard var best = items.first else { return nil }
  for item in items where item.weight > best.weight { best = item }
  return best
}
""",
    "Deque.swift": """
public struct Deque<Element> {
  @usableFromInline var front: [Element] = []
  @usableFromInline var back: [Element] = []

  @inlinable public init() {}

  @inlinable public var count: Int { front.count + back.count }

  @inlinable public mutating func append(_ element: Element) { back.append(element) }

  @inlinable public mutating func removeFirst() -> Element? {
    if front.isEmpty {
      while let last = back.popLast() { front.append(last) }
    }
    return front.popLast()
  }

  @inlinable public func reduced<Result>(_ start: Result, _ step: (Result, Element) -> Result) -> Result {
    var result = start
    for element in front { result = step(result, element) }
    for element in back { result = step(result, element) }
    return result
  }
}
""",
}

RECORD = """
public struct {name}: Weighed {{
  public enum State {{
    case empty
    case open(since: Int)
    case closed(at: Int, reason: Int)
  }}

  public var state = State.empty
  var amounts: [Int] = []
  var limit: Int

  public init(limit: Int) {{ self.limit = bounded(limit, by: {a}) }}

  public var weight: Int {{ accumulate(amounts, from: limit) {{ blend($0, $1) }} }}

  @inline(never)
  public mutating func advance(by step: Int) -> Int {{
    switch state {{
    case .empty:
      state = .open(since: blend(step, {b}))
    case .open(let since):
      state = since > {c} ? .closed(at: since, reason: bounded(step, by: {d})) : .open(since: since &+ step)
    case .closed(let end, let reason):
      limit = bounded(end &- reason, by: {a})
      state = .empty
    }}
    return blend(limit, step)
  }}

  @inline(never)
  public mutating func fill(upTo count: Int) {{
    for index in 0..<count where blend(index, {b}) & 5 == 1 {{
      amounts.append(bounded(index &* {c}, by: limit))
    }}
  }}

  @inline(never)
  public func matching(_ divisor: Int) -> [Int] {{
    amounts.filter {{ $0 % {d} != divisor }}.map {{ blend($0, limit) &+ {a} }}
  }}
}}
"""

WORKER = """
public final class {name}Worker {{
  var record: {name}
  var pending = Deque<Int>()
  var helpers: [{name}Worker] = []

  public init(_ seed: Int) {{ record = {name}(limit: seed &+ {b}) }}

  @inline(never)
  public func take(_ amount: Int) -> Int {{
    pending.append(record.advance(by: amount))
    if pending.count > {e}, let first = pending.removeFirst() {{ return blend(first, amount) }}
    return pending.reduced(amount) {{ blend($0, $1) }}
  }}

  @inline(never)
  public func delegate(_ depth: Int) -> Int {{
    var total = take(depth)
    for helper in helpers where depth > 0 {{ total = blend(total, helper.delegate(depth - 1)) }}
    return total
  }}

  @inline(never)
  public func position(of wanted: Int) -> Int? {{
    let values = record.matching({e})
    var low = 0
    var high = values.count
    while low < high {{
      let middle = (low + high) / 2
      if values[middle] == wanted {{ return middle }}
      if values[middle] < wanted {{ low = middle + 1 }} else {{ high = middle }}
    }}
    return nil
  }}
}}

extension {name} {{
  @inline(never)
  public func joined<Other: Weighed>(with other: Other) -> Int {{
    var copy = self
    return blend(copy.advance(by: other.weight), heaviest(of: [self, copy])?.weight ?? {c})
  }}
}}
"""

USE = """
@inline(never)
public func exercise{name}(_ seed: Int) -> Int {{
  let worker = {name}Worker(seed)
  worker.helpers.append({name}Worker(blend(seed, {b})))
  var record = {name}(limit: seed)
  record.fill(upTo: seed & 127)
  let found = worker.position(of: record.weight) ?? {e}
  return blend(worker.delegate(2), blend(record.joined(with: {other}(limit: found)), record.matching(found).count))
}}
"""

NOUNS = ["Invoice", "Harbour", "Ticket", "Garden", "Signal", "Recipe", "Voyage", "Ledger", "Canvas"]


def module_sources(number, type_count, source):
    """{file name: text} of one module."""
    names = [f"{NOUNS[index % len(NOUNS)]}{number}n{index}" for index in range(type_count)]
    texts = []
    for index, name in enumerate(names):
        values = {letter: source.randrange(5, 9000) for letter in "abcd"}
        values.update(name=name, e=source.randrange(3, 40), other=names[(index + 1) % type_count])
        texts.append((RECORD + WORKER).format(**values) + USE.format(**values))
    files = {}
    for start in range(0, type_count, TYPES_PER_FILE):
        files[f"Part{start // TYPES_PER_FILE}.swift"] = "import Foundations\n" + "".join(
            texts[start:start + TYPES_PER_FILE])
    return files


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(" ".join(command[:4]) + " …\n" + (result.stderr or result.stdout)[-4000:])


def compile_module(folder, name, files):
    """Returns the path of the object file. A file that exists is not made again."""
    object_path = os.path.join(folder, name + ".o")
    if os.path.exists(object_path):
        return object_path
    sources = os.path.join(folder, name)
    os.makedirs(sources, exist_ok=True)
    paths = []
    for file_name, text in files.items():
        paths.append(os.path.join(sources, file_name))
        with open(paths[-1], "w") as file:
            file.write(text)
    run("swiftc", "-target", TARGET, "-enable-experimental-feature", "Embedded", "-wmo", "-parse-as-library",
        "-O", "-g", "-Xfrontend", "-disable-stack-protector", "-I", folder, "-module-name", name,
        "-emit-module", "-emit-module-path", os.path.join(folder, name + ".swiftmodule"),
        "-c", *paths, "-o", object_path + ".unfinished")
    os.rename(object_path + ".unfinished", object_path)
    return object_path


def module_sizes(module_count, type_count):
    """The number of types in each module: in the n-th, it is proportional to n to the power of -0.8."""
    shares = [(index + 1) ** -0.8 for index in range(module_count)]
    return [max(2, round(type_count * share / sum(shares))) for share in shares]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--modules", type=int, default=160)
    parser.add_argument("--types", type=int, default=2800, help="in all modules together")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--llvm-suffix", default=os.environ.get("SYMBOLICATE_LLVM_SUFFIX", "-19"))
    arguments = parser.parse_args()

    folder = os.path.join(arguments.folder, "swift-modules")
    os.makedirs(folder, exist_ok=True)
    objects = [compile_module(folder, "Foundations", FOUNDATIONS)]
    source = random.Random(arguments.seed)
    modules = [
        (f"Module{number}", module_sources(number, size, source))
        for number, size in enumerate(module_sizes(arguments.modules, arguments.types))]
    with ThreadPoolExecutor(arguments.jobs) as workers:
        objects += workers.map(lambda module: compile_module(folder, *module), modules)
    # A library: of a program the linker would leave out what nothing calls.
    image = os.path.join(folder, "swift")
    run("ld64.lld" + arguments.llvm_suffix, "-arch", "arm64", "-platform_version", "ios", "18.0", "18.0",
        "-undefined", "dynamic_lookup", "-dylib", "-o", image, *objects)
    bundle = os.path.join(arguments.folder, "swift.dSYM")
    run("dsymutil" + arguments.llvm_suffix, image, "-o", bundle)
    dwarf = os.path.join(bundle, "Contents", "Resources", "DWARF", "swift")
    print(f"{bundle}: {os.path.getsize(dwarf) / 1e6:.1f} MB", file=sys.stderr)
