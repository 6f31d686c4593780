import CrashLogParser
import SymbolicationModel

/// Puts answers into MetricKit's call stack trees: members into the objects of frames, after the
/// frame's own and before the frames in it. All other bytes stay as they are, white space included.
///
/// In a stack, an inlined call becomes a frame of its own around the function that it is inlined
/// into, because each frame holds its caller. In a tree of samples, inlined calls are left out.
struct MetricKitSplicer: ReportSplicer {
  private let bytes: [UInt8]
  /// Whether `/` is written as `\/`, as Apple's writer does. Looked for when it is needed.
  private lazy var escapesSlashes = bytes.hasEscapedSlash(in: range)
  private let range: Range<Int>

  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    var splicer = MetricKitSplicer(bytes: bytes, range: report.source.byteRange)
    for backtrace in report.backtraces where backtrace.isChanged {
      splicer.splice(backtrace, into: &edits)
    }
  }

  private init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.range = range
  }

  private mutating func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits) {
    // At one offset, what is removed comes after what is inserted.
    var tails: [Range<Int>] = []
    /// Where frames of a flat list begin that are dropped.
    var removalStart: Int?
    for row in backtrace.rows {
      let frame = backtrace.frames[row.frame]
      guard frame.answer != nil || row.content == .superseded,
        let object = frame.source.values?.json,
        let spelling = CallStackFrameSpelling(object, bytes)
      else { continue }
      let start = object.byteRange.lowerBound
      if spelling.isFlat, row.content == .superseded {
        removalStart = removalStart ?? start
        continue
      }
      // With the separators after them.
      if let removalStart { edits.remove(removalStart..<start) }
      removalStart = nil
      switch row.content {
      case .superseded: unwrap(object, edits: &edits, tails: &tails)
      case .inlined(let index):
        guard let answer = frame.answer, !backtrace.source.isCallTree else { continue }
        wrap(answer.inlined[index], around: spelling, into: &edits)
      case .frame:
        guard let answer = frame.answer else { continue }
        write(answer, spelling, into: &edits)
      }
    }
    for tail in tails { edits.remove(tail) }
  }

  // MARK: Members

  private mutating func write(
    _ answer: FrameAnswer, _ spelling: CallStackFrameSpelling, into edits: inout ByteEdits
  ) {
    let end = spelling.end
    edits.insert(at: end) {
      append(answer.function, keepsName: answer.keepsStatedName, spelling, to: &$0)
    }
    let keys = answer.keepsStatedName ? Self.locationKeys : Self.answerKeys
    var previousEnd: Int?
    var keepsOne = false
    let members = Array(spelling.object.members)
    for (index, member) in members.enumerated() {
      let range = member.byteRange
      defer { previousEnd = range.upperBound }
      guard keys.contains(where: { member.hasKey($0) }) else {
        keepsOne = true
        continue
      }
      // With the separator before it, or after it if nothing stays before it.
      if keepsOne, let previousEnd {
        edits.remove(previousEnd..<range.upperBound)
      } else {
        let isLast = index + 1 == members.count
        let next = isLast ? range.upperBound : members[index + 1].byteRange.lowerBound
        edits.remove(range.lowerBound..<next)
      }
    }
  }

  private static let locationKeys = ["sourceFile", "sourceLine", "fileName", "lineNumber"]
  private static let answerKeys =
    locationKeys + ["symbol", "symbolLocation", "symbolName", "offsetIntoSymbol"]

  /// Appends what is known about a frame, with the separator before each member.
  private mutating func append(
    _ text: FrameAnswer.FrameText, keepsName: Bool, _ spelling: CallStackFrameSpelling,
    to bytes: inout [UInt8]
  ) {
    let isOfStore = spelling.isOfStore
    if !keepsName {
      spelling.append(isOfStore ? "symbolName" : "symbol", to: &bytes)
      append(text.name, to: &bytes)
    }
    guard let location = text.location, let file = text.shownFile else { return }
    spelling.append(isOfStore ? "fileName" : "sourceFile", to: &bytes)
    append(file, to: &bytes)
    guard location.line > 0 else { return }
    spelling.append(isOfStore ? "lineNumber" : "sourceLine", to: &bytes)
    if isOfStore { bytes.append(UInt8(ascii: "\"")) }
    bytes.append(decimal: UInt64(location.line))
    if isOfStore { bytes.append(UInt8(ascii: "\"")) }
  }

  private mutating func append(_ text: String, to bytes: inout [UInt8]) {
    let hasSlash = text.utf8.contains(UInt8(ascii: "/"))
    JsonText.append(text, to: &bytes, escapesSlashes: hasSlash && escapesSlashes)
  }

  // MARK: Inlined calls

  /// Puts a frame for an inlined call around the frame of its caller; in a flat list, before it.
  private mutating func wrap(
    _ text: FrameAnswer.FrameText, around spelling: CallStackFrameSpelling,
    into edits: inout ByteEdits
  ) {
    // The end of an object that was cut is unknown.
    guard spelling.object.isComplete else { return }
    let range = spelling.object.byteRange
    edits.insert(at: range.lowerBound) { bytes in
      bytes.append(UInt8(ascii: "{"))
      bytes += spelling.afterOpeningBrace
      var isFirst = true
      for member in spelling.object.members
      where Self.placeKeys.contains(where: { member.hasKey($0) }) {
        if !isFirst { bytes += spelling.memberSeparator }
        bytes += self.bytes[member.byteRange]
        isFirst = false
      }
      append(text, keepsName: false, spelling, to: &bytes)
      spelling.append("inline", to: &bytes)
      bytes += "true".utf8
      if spelling.isFlat {
        bytes += spelling.beforeClosingBrace
        bytes += "},".utf8
        bytes += spelling.beforeObject
      } else {
        spelling.append("subFrames", to: &bytes)
        bytes.append(UInt8(ascii: "["))
        bytes += spelling.beforeObject
      }
    }
    guard !spelling.isFlat else { return }
    edits.insert(at: range.upperBound) { bytes in
      bytes += spelling.beforeObject
      bytes.append(UInt8(ascii: "]"))
      bytes += spelling.beforeClosingBrace
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Where a frame lies: an inlined call has the same.
  private static let placeKeys = [
    "binaryUUID", "binaryName", "offsetIntoBinaryTextSegment", "offsetAddress", "address",
    "sampleCount",
  ]

  /// Takes away the frame of an inlined call, and leaves the frame in it.
  private func unwrap(
    _ object: JsonValue, edits: inout ByteEdits, tails: inout [Range<Int>]
  ) {
    var inner = object["subFrames"]?.elements
    guard object.isComplete, let child = inner?.next(), inner?.next() == nil else { return }
    edits.remove(object.byteRange.lowerBound..<child.byteRange.lowerBound)
    tails.append(child.byteRange.upperBound..<object.byteRange.upperBound)
  }
}

extension [UInt8] {
  fileprivate func hasEscapedSlash(in range: Range<Int>) -> Bool {
    let span = span
    var offset = range.lowerBound
    while offset + 1 < Swift.min(range.upperBound, span.count) {
      if span[offset] == UInt8(ascii: "\\") {
        if span[offset + 1] == UInt8(ascii: "/") { return true }
        offset += 1
      }
      offset += 1
    }
    return false
  }
}
