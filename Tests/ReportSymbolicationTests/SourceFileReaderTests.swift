import Foundation
import Platform
import TestSupport
import Testing

@testable import ReportSymbolication

/// Lines of source files. Expected values are read off the files that each test writes.
struct SourceFileReaderTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func excerpt(
    _ path: String, _ line: Int, count: Int = 1, roots: [String] = []
  ) throws -> SourceExcerpt? {
    var reader = SourceFileReader(
      try require(SourceContext(lineCount: count, roots: roots)))
    return try reader.excerpts(of: path, around: [line])[line]
  }

  private func fault(
    _ path: String, _ line: Int = 1, roots: [String] = []
  ) throws -> SourceFileError? {
    do {
      _ = try excerpt(path, line, roots: roots)
      return nil
    } catch let fault as SourceFileError {
      return fault
    }
  }

  @Test func linesAroundALine() throws {
    let path = try directory.write("a\nb\n\nd\ne".utf8, to: "x.c")
    try expectEqual(excerpt(path, 1), SourceExcerpt(firstLine: 1, line: 1, lines: ["a", "b"]))
    try expectEqual(excerpt(path, 3), SourceExcerpt(firstLine: 2, line: 3, lines: ["b", "", "d"]))
    try expectEqual(excerpt(path, 5), SourceExcerpt(firstLine: 4, line: 5, lines: ["d", "e"]))
    try expectEqual(excerpt(path, 3, count: 0)?.lines, [""])
    try expectEqual(excerpt(path, 3, count: 1000)?.lines, ["a", "b", "", "d", "e"])
    try expectNil(excerpt(path, 6))
    try expectNil(excerpt(path, Int(UInt32.max), count: 1000))
    let terminated = try directory.write("a\nb\n".utf8, to: "y.c")
    try expectEqual(excerpt(terminated, 2)?.lines, ["a", "b"])
    try expectNil(excerpt(terminated, 3))
    try expectNil(excerpt(try directory.write([], to: "z.c"), 1))
  }

  @Test func severalLinesOfAFile() throws {
    let path = try directory.write((1...100).map { "\($0)\n" }.joined().utf8, to: "x.c")
    var reader = SourceFileReader(try require(SourceContext(lineCount: 2)))
    let excerpts = try reader.excerpts(of: path, around: [1, 4, 5, 50, 99, 101])
    expectEqual(excerpts.keys.sorted(), [1, 4, 5, 50, 99])
    expectEqual(excerpts[1]?.lines, ["1", "2", "3"])
    expectEqual(excerpts[4]?.lines, ["2", "3", "4", "5", "6"])
    expectEqual(excerpts[5]?.lines, ["3", "4", "5", "6", "7"])
    expectEqual(excerpts[50]?.lines, ["48", "49", "50", "51", "52"])
    expectEqual(excerpts[99]?.lines, ["97", "98", "99", "100"])
  }

  @Test func textIsShownSafely() throws {
    let bytes: [[UInt8]] = [
      [0xef, 0xbb, 0xbf] + Array("a\tb\r".utf8), Array("\u{1b}[2Jc\u{9b}d\r".utf8),
      [0xff, 0x41], Array(repeating: 0x78, count: 400), Array(repeating: 0x78, count: 401),
      Array(String(repeating: "é", count: 300).utf8),
      [0x78] + Array(String(repeating: "é", count: 300).utf8),
    ]
    let path = try directory.write(Array(bytes.joined(separator: [0x0a])), to: "x.c")
    try expectEqual(
      excerpt(path, 4, count: 3)?.lines,
      [
        "a\tb", "\u{fffd}[2Jc\u{fffd}d", "\u{fffd}A", String(repeating: "x", count: 400),
        String(repeating: "x", count: 400) + "…", String(repeating: "é", count: 200) + "…",
        "x" + String(repeating: "é", count: 199) + "…",
      ])
  }

  @Test(.timeLimit(.minutes(60))) func otherThanTextFilesAreNotRead() throws {
    try expectEqual(fault(directory.path("none.c")), .missing)
    let file = try directory.write("a\n".utf8, to: "x.c")
    try expectEqual(fault(file + "/y.c"), .missing)
    try expectEqual(fault(directory.path(String(repeating: "a", count: 300))), .missing)
    try expectEqual(fault(""), .missing)
    try expectEqual(fault(directory.path), .notRegularFile)
    try expectEqual(fault("/dev/zero"), .notRegularFile)
    let isPipeMade = unsafe mkfifo(directory.path("pipe"), 0o600) == 0
    try require(isPipeMade)
    try expectEqual(fault(directory.path("pipe")), .notRegularFile)
    try expectEqual(fault(try directory.write([0x61, 0, 0x62], to: "binary")), .notText)
    let large = try directory.write("a\n".utf8, to: "large.c")
    let isLarge = unsafe truncate(large, 16 << 20 + 1) == 0
    try require(isLarge)
    try expectEqual(fault(large), .tooLarge(limit: 16 << 20))
    // Some files of the kernel never end, and most state a size of 0. On some systems, the second
    // states the size that it has.
    for path in ["/proc/self/status", "/proc/cmdline"] {
      try expectEqual(fault(path), .notRegularFile)
    }
  }

  @Test func readsNoMoreThanALimit() throws {
    let path = try directory.write("a\nb\n".utf8, to: "x.c")
    var reader = SourceFileReader(
      try require(SourceContext(lineCount: 0)), totalLimit: 11)
    for _ in 0..<2 { try expectEqual(reader.excerpts(of: path, around: [2]).count, 1) }
    #expect(throws: SourceFileError.beyondLimit(limit: 11)) {
      try reader.excerpts(of: path, around: [2])
    }
  }

  @Test func rootsAreNotLeft() throws {
    let inside = try directory.makeDirectory("src")
    try directory.makeDirectory("src2")
    let file = try directory.write("in\n".utf8, to: "src/x.c")
    let outside = try directory.write("out\n".utf8, to: "src2/x.c")
    try directory.link("src/link.c", to: outside)
    try directory.link("other", to: inside)
    try expectEqual(excerpt(file, 1, roots: [inside])?.lines, ["in"])
    try expectEqual(excerpt(file, 1, roots: [inside + "/"])?.lines, ["in"])
    try expectEqual(excerpt("\(inside)/../src/x.c", 1, roots: [inside])?.lines, ["in"])
    try expectEqual(excerpt(directory.path("other/x.c"), 1, roots: [inside])?.lines, ["in"])
    try expectEqual(excerpt(file, 1, roots: [directory.path("other")])?.lines, ["in"])
    try expectEqual(excerpt(outside, 1, roots: ["/"])?.lines, ["out"])
    for path in [outside, "\(inside)/../src2/x.c", directory.path("src/link.c"), "/etc/passwd"] {
      try expectEqual(fault(path, roots: [inside]), .outsideRoots)
    }
    try expectEqual(fault(file, roots: [directory.path("none")]), .outsideRoots)
    try expectEqual(fault(directory.path("src/none.c"), roots: [inside]), .missing)
    // Relative paths start from each in turn.
    let roots = [directory.path("src2"), inside]
    try expectEqual(excerpt("x.c", 1, roots: roots)?.lines, ["out"])
    try expectEqual(excerpt("./x.c", 1, roots: [directory.path("none"), inside])?.lines, ["in"])
    try expectEqual(fault("../src2/x.c", roots: [inside]), .outsideRoots)
    try expectEqual(fault("y.c", roots: roots), .missing)
  }

  @Test func shownLines() {
    let excerpt = SourceExcerpt(
      firstLine: 9, line: 10, lines: ["\tif (a)\t{", "", "x 0x10 y"])
    let expected = [
      "         9│     if (a)  {", "      > 10│", "        11│ x 0x10 y",
    ]
    expectEqual(excerpt.shownLines, expected)
    for line in expected { expectTrue(SourceExcerpt.isShownLine(Array(line.utf8)[...])) }
    for line in [
      "", "      ", "     > 10│", "      > │", "      >10│", "      > 10 │", "      > 10|",
      "0   App  0x10 f + 1", "        10 App 0x10 f + 1",
    ] {
      expectFalse(SourceExcerpt.isShownLine(Array(line.utf8)[...]))
    }
  }
}
