import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// A new format needs a reader and nothing else. This one reads an invented format:
///
/// ```text
/// at 0x1010 app+0x10 (main)
/// at 0x2020 lib+0x20
/// in app 0x1000 0x2000
/// ```
///
/// A report is a run of such lines.
private struct ToyReader: ReportReader {
  func reports(in input: ReportInput) -> [Report] {
    var reports: [Report] = []
    var run = Run()
    var claimed = input.claimedRanges[...]
    var next = 0
    while next < input.bytes.count {
      if let range = claimed.first, next >= range.lowerBound {
        reports += run.finish()
        claimed.removeFirst()
        next = max(next, range.upperBound)
        continue
      }
      let limit = claimed.first?.lowerBound ?? input.bytes.count
      let end = input.bytes[next..<limit].firstIndex(of: UInt8(ascii: "\n")) ?? limit
      if !run.take(input.bytes, next..<end) { reports += run.finish() }
      next = end + 1
    }
    return reports + run.finish()
  }

  /// The lines of the report that is being read.
  private struct Run {
    private var frames: [StackFrame] = []
    private var images: [BinaryImage] = []
    private var range: Range<Int>?

    /// Takes a line; returns false if it does not belong to this format.
    mutating func take(_ bytes: [UInt8], _ line: Range<Int>) -> Bool {
      let words = String(decoding: bytes[line], as: UTF8.self).split(separator: " ")
      switch words.first {
      case "at" where words.count >= 3:
        guard let frame = Self.frame(words, index: frames.count, line) else { return false }
        frames.append(frame)
      case "in" where words.count == 4:
        guard let image = Self.image(words, line) else { return false }
        images.append(image)
      default: return false
      }
      range = (range?.lowerBound ?? line.lowerBound)..<line.upperBound
      return true
    }

    mutating func finish() -> [Report] {
      defer { self = Run() }
      guard let range, let first = frames.first?.byteRange, let last = frames.last?.byteRange else {
        return []
      }
      let thread = Backtrace(
        kind: .thread, number: 0, isCrashed: true, frames: frames,
        byteRange: first.lowerBound..<last.upperBound)
      return [
        Report(
          format: .other("toy"), byteRange: range, facts: ReportFacts(), images: images,
          backtraces: [thread], faults: [])
      ]
    }

    private static func frame(_ words: [Substring], index: Int, _ line: Range<Int>) -> StackFrame? {
      let place = words[2].split(separator: "+")
      guard let address = number(words[1]), place.count == 2, let offset = number(place[1]),
        address >= offset
      else { return nil }
      var values = FrameValues(byteRange: line)
      values.index = index
      values.imageName = String(place[0])
      values.imageRelativeAddress = ImageRelativeAddress(
        base: LoadAddress(address - offset), offset: offset)
      if words.count == 4 {
        values.symbol = FrameSymbol(name: String(words[3].dropFirst().dropLast()))
      }
      return StackFrame(address: LoadAddress(address), carrier: .values(values))
    }

    private static func image(_ words: [Substring], _ line: Range<Int>) -> BinaryImage? {
      guard let start = number(words[2]), let end = number(words[3]) else { return nil }
      var values = BinaryImage.Values(byteRange: line)
      values.name = String(words[1])
      return BinaryImage(
        loadAddress: LoadAddress(start), endAddress: LoadAddress(end), values)
    }

    private static func number(_ text: Substring) -> UInt64? {
      text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
    }
  }
}

struct NewFormatTests {
  private static let toy = """
    at 0x1010 app+0x10 (main)
    at 0x2020 lib+0x20
    in app 0x1000 0x2000
    in lib 0x2000 0x2800
    """
  private static let apple = """
    Incident Identifier: I
    Process:             App [1]
    Path:                /App

    Thread 0 Crashed:
    0   App   0x1010 0x1000 + 16

    Binary Images:
    0x1000 - 0x1fff App (*) <bde08a08-d8cf-3e6b-8cee-8ab2cf246ccb> /App
    EOF
    """

  private func parse(
    _ text: String, with readers: [any ReportReader] = CrashLogParser.readers + [ToyReader()]
  ) throws -> [Report] {
    try CrashLogParser.parse(Array(text.utf8), with: readers)
  }

  @Test func aReaderIsEnough() throws {
    let text = "Hello\n" + Self.toy + "\nBye\n"
    let report = try require(parse(text).first)
    try expectEqual(parse(text).count, 1)
    expectEqual(report.format, .other("toy"))
    expectEqual(report.byteRange, 6..<6 + Self.toy.utf8.count)
    let thread = try require(report.crashedThread)
    expectEqual(report.threads.count, 1)
    expectEqual(thread.number, 0)
    expectEqual(thread.frames.map(\.index), [0, 1])
    expectEqual(thread.frames.map(\.address), [LoadAddress(0x1010), LoadAddress(0x2020)])
    expectEqual(thread.frames.map(\.imageName), ["app", "lib"])
    expectEqual(thread.frames.map(\.imageRelativeAddress?.offset), [0x10, 0x20])
    expectEqual(thread.frames.map(\.symbol), [FrameSymbol(name: "main"), nil])
    expectEqual(thread.frames.map(\.isInlined), [false, false])
    expectEqual(thread.frames.map { $0.line == nil && $0.object == nil }, [true, true])
    expectEqual(thread.frames.map { report.image(for: $0)?.name }, ["app", "lib"])
    expectEqual(report.images.map(\.byteCount), [0x1000, 0x800])
    expectEqual(report.image(containing: LoadAddress(0x27ff))?.name, "lib")
    expectNil(report.image(containing: LoadAddress(0x2800)))
    expectNil(report.facts.process.name)
    expectNesting(report, "toy")
    // No other reader takes these lines.
    #expect(throws: CrashLogParseError.noReportFound(.unknown)) {
      try parse(text, with: CrashLogParser.readers)
    }
  }

  @Test(arguments: [
    "\(toy)\n\n\(apple)\n", "\(apple)\n\n\(toy)\n", "\(toy)\n\n\(apple)\n\n\(toy)\n",
    "\(apple)\n\(toy)\n\(apple)\n\(toy)",
  ])
  func besideTextReports(text: String) throws {
    let bytes = Array(text.utf8)
    let orders: [[any ReportReader]] = [
      CrashLogParser.readers + [ToyReader()], [ToyReader()] + CrashLogParser.readers,
    ]
    for readers in orders {
      let reports = try parse(text, with: readers)
      expectEqual(
        reports.map { String(decoding: bytes[$0.byteRange], as: UTF8.self) },
        reports.map { $0.format == .other("toy") ? Self.toy : Self.apple })
      let found = reports.map { $0.format == .other("toy") ? "toy" : "apple" }
      let expected = text.split(separator: "\n").compactMap { line in
        line.hasSuffix("(main)") ? "toy" : line.hasPrefix("Incident") ? "apple" : nil
      }
      expectEqual(found, expected)
      for report in reports { expectNesting(report, "beside") }
    }
  }

  /// What a reader takes is not offered to those after it.
  @Test func aClaimedRangeBelongsToOneReport() throws {
    let lines = """
      Incident Identifier: I
      Process:             App [1]
      Path:                /App

      Application Specific Information:
      at 0x1010 app+0x10 (main)

      Thread 0 Crashed:
      0   App   0x1010 0x1000 + 16
      """
    let text = lines + "\n\n" + Self.toy
    let textFirst = try parse(text)
    expectEqual(textFirst.map(\.format), [.crashText, .other("toy")])
    expectEqual(textFirst.map(\.byteRange.lowerBound), [0, lines.utf8.count + 2])
    expectEqual(textFirst.first?.facts.applicationInformation, ["at 0x1010 app+0x10 (main)"])
    // Asked first, the other reader takes the line in the middle, which ends the text report.
    let toyFirst = try parse(text, with: [ToyReader()] + CrashLogParser.readers)
    expectEqual(toyFirst.map(\.format), [.crashText, .other("toy"), .crashText, .other("toy")])
    expectEqual(toyFirst.map(\.allFrames.count), [0, 1, 1, 2])
    var end = 0
    for report in toyFirst {
      #expect(report.byteRange.lowerBound >= end)
      end = report.byteRange.upperBound
    }
  }

  /// A report has many frames.
  @Test func framesAreSmall() {
    #expect(MemoryLayout<StackFrame>.size <= 40)
  }
}
