import CrashLogParser
import ReportSymbolication
import SymbolicationModel

/// Puts answers into MetricKit's call stack trees: members into the objects of frames, after the
/// frame's own and before the frames in it. All other bytes stay as they are, white space included.
///
/// In a stack, an inlined call becomes a frame of its own around the function that it is inlined
/// into, because each frame holds its caller. In a tree of samples, inlined calls are left out.
struct MetricKitSplicer: BacktraceSplicer {
  private let bytes: [UInt8]
  private let range: Range<Int>
  /// Whether `/` is written as `\/`, as Apple's writer does. Looked for when it is needed.
  private lazy var escapesSlashes = bytes.hasEscapedSlash(in: range)

  init(_ report: SymbolicatedReport, of bytes: [UInt8]) {
    self.bytes = bytes
    range = report.source.byteRange
  }

  mutating func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits) {
    // At one offset, what is removed comes after what is inserted.
    var tails: [Range<Int>] = []
    var superseded = SupersededObjects()
    for row in backtrace.rows {
      let answer = backtrace.frames[row.frame].answer
      guard answer != nil || row.content == .superseded,
        let frame = FrameObject(backtrace.frames[row.frame].source.values?.json)
      else { continue }
      let isDropped = frame.isFlat && row.content == .superseded
      if superseded.take(isDropped, at: frame.object.byteRange.lowerBound, &edits) { continue }
      switch (row.content, answer) {
      case (.superseded, _): unwrap(frame.object, edits: &edits, tails: &tails)
      case (.inlined(let index), let answer?) where !backtrace.source.isCallTree:
        wrap(answer.inlined[index], around: frame, into: &edits)
      case (.frame, let answer?): write(answer, frame, into: &edits)
      default: continue
      }
    }
    for tail in tails { edits.remove(tail) }
  }

  // MARK: Members

  /// The object of a frame, and how it is written.
  private struct FrameObject {
    let object: JsonValue
    let spelling: JsonObjectSpelling
    /// Where new members are inserted: after the last member before the frames that it holds.
    let end: Int
    /// Whether numbers are strings and keys are those of App Store Connect.
    private(set) var isOfStore = false
    /// Whether the frame is one of a flat list.
    private(set) var isFlat = false

    /// Nil for an object without members, and for one that was cut before its frames.
    init?(_ object: JsonValue?) {
      guard let object, let spelling = JsonObjectSpelling(object) else { return nil }
      (self.object, self.spelling) = (object, spelling)
      var lastEnd: Int?
      var ownEnd: Int?
      for member in object.members {
        if member.hasKey("subFrames") {
          ownEnd = ownEnd ?? lastEnd
        } else if member.hasKey(in: Self.storeKeys) {
          isOfStore = true
        } else if member.hasKey(in: Self.numberKeys) {
          isOfStore = isOfStore || member.value.kind == .string
        } else if member.hasKey("offsetAddress") {
          isFlat = true
        }
        lastEnd = member.byteRange.upperBound
      }
      guard let end = ownEnd ?? (object.isComplete ? lastEnd : nil) else { return nil }
      self.end = end
    }

    private static let storeKeys = ["symbolName", "rawFrame", "isBlameFrame", "offsetIntoSymbol"]
    private static let numberKeys = ["address", "offsetIntoBinaryTextSegment"]
  }

  private mutating func write(
    _ answer: FrameAnswer, _ frame: FrameObject, into edits: inout ByteEdits
  ) {
    let new = members(answer.function, keepsName: answer.keepsStatedName, frame)
    edits.insert(at: frame.end) {
      frame.spelling.append(new, to: &$0) { escapesSlashes }
    }
    let keys = answer.keepsStatedName ? Self.locationKeys : Self.answerKeys
    for range in frame.object.removalRanges(where: { $0.hasKey(in: keys) }) { edits.remove(range) }
  }

  private static let locationKeys = ["sourceFile", "sourceLine", "fileName", "lineNumber"]
  private static let answerKeys =
    locationKeys + ["symbol", "symbolLocation", "symbolName", "offsetIntoSymbol"]

  private func members(
    _ text: FrameAnswer.FrameText, keepsName: Bool, _ frame: FrameObject
  ) -> [AddedMember] {
    let isOfStore = frame.isOfStore
    var members: [AddedMember] = []
    if !keepsName {
      members.append(AddedMember(isOfStore ? "symbolName" : "symbol", .text(text.name)))
    }
    guard let location = text.location, let file = text.shownFile else { return members }
    members.append(AddedMember(isOfStore ? "fileName" : "sourceFile", .text(file)))
    guard location.line > 0 else { return members }
    let line = UInt64(location.line)
    members.append(
      isOfStore
        ? AddedMember("lineNumber", .quotedNumber(line)) : AddedMember("sourceLine", .number(line)))
    return members
  }

  // MARK: Inlined calls

  /// Puts a frame for an inlined call around the frame of its caller; in a flat list, before it.
  private mutating func wrap(
    _ text: FrameAnswer.FrameText, around frame: FrameObject, into edits: inout ByteEdits
  ) {
    let (object, spelling) = (frame.object, frame.spelling)
    // The end of an object that was cut is unknown.
    guard object.isComplete else { return }
    let range = object.byteRange
    let copies = object.members.filter { $0.hasKey(in: Self.placeKeys) }.map { bytes[$0.byteRange] }
    let new = members(text, keepsName: false, frame) + [AddedMember("inline", .yes)]
    let space = bytes[bytes.spaceStart(before: range.lowerBound)..<range.lowerBound]
    edits.insert(at: range.lowerBound) { output in
      spelling.appendObject(copying: copies, new, isOpen: !frame.isFlat, to: &output) {
        escapesSlashes
      }
      if frame.isFlat {
        output.append(UInt8(ascii: ","))
      } else {
        output += spelling.memberSeparator
        spelling.appendKey("subFrames", to: &output)
        output.append(UInt8(ascii: "["))
      }
      output += space
    }
    guard !frame.isFlat else { return }
    edits.insert(at: range.upperBound) { output in
      output += space
      output.append(UInt8(ascii: "]"))
      spelling.appendEnd(to: &output)
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

extension JsonMember {
  fileprivate func hasKey(in keys: [String]) -> Bool { keys.contains { hasKey($0) } }
}

extension [UInt8] {
  /// Where the white space before an offset begins.
  fileprivate func spaceStart(before offset: Int) -> Int {
    var start = offset
    while start > 0, Ascii.isJsonSpace(self[start - 1]) { start -= 1 }
    return start
  }

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
