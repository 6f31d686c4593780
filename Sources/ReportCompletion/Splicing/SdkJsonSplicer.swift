import CrashLogParser
import ReportSymbolication
import SymbolicationModel

/// Puts answers into the JSON of an SDK: members into the objects of frames, with the SDK's own
/// keys, and objects for inlined calls beside them. All other bytes stay as they are.
///
/// A key that a frame has already gets a new value; others are added after the address. An inlined
/// call is a copy of the frame with an answer of its own and the mark `inlined`.
struct SdkJsonSplicer: BacktraceSplicer {
  private let bytes: [UInt8]
  private let keys: SdkFrameKeys

  init?(_ report: SymbolicatedReport, of bytes: [UInt8]) {
    guard let keys = report.source.format.sdkFrameKeys else { return nil }
    self.bytes = bytes
    self.keys = keys
  }

  func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits) {
    // Earlier inlined calls, innermost first, that the next answer replaces.
    var superseded: [Range<Int>] = []
    for row in backtrace.rows {
      let frame = backtrace.frames[row.frame]
      guard let object = frame.source.values?.json else { continue }
      switch row.content {
      case .superseded: superseded.append(object.byteRange)
      // They are written with the frame that they are inlined into.
      case .inlined: continue
      case .frame:
        if let answer = frame.answer, object.isComplete, let spelling = JsonObjectSpelling(object) {
          insertInlined(answer, into: object, at: row.frame, of: backtrace, spelling, &edits)
          write(answer, of: frame, into: object, spelling, &edits)
        }
        remove(
          superseded, besides: object.byteRange, backtrace.source.isOutermostFirst, &edits)
        superseded.removeAll()
      }
    }
  }

  /// Removes the objects of earlier inlined calls, with what separates them from the frame.
  private func remove(
    _ ranges: [Range<Int>], besides frame: Range<Int>, _ isOutermostFirst: Bool,
    _ edits: inout ByteEdits
  ) {
    guard let innermost = ranges.first else { return }
    let range =
      isOutermostFirst
      ? frame.upperBound..<innermost.upperBound : innermost.lowerBound..<frame.lowerBound
    edits.remove(range)
  }

  // MARK: Inlined calls

  private func insertInlined(
    _ answer: FrameAnswer, into object: JsonValue, at index: Int,
    of backtrace: SymbolicatedBacktrace, _ spelling: JsonObjectSpelling, _ edits: inout ByteEdits
  ) {
    // A tree refers to its frames by their places.
    guard !answer.inlined.isEmpty, !backtrace.source.isCallTree else { return }
    let frame = backtrace.frames[index]
    let isOutermostFirst = backtrace.source.isOutermostFirst
    let separator = backtrace.separator(ofFrame: index, [index + 1, index - 1], in: bytes)
    let left = Set(keys.answers).union(keys.keptFromInlined)
    let copies = object.members.filter { !left.contains($0.key) }.map { bytes[$0.byteRange] }
    let range = object.byteRange
    edits.insert(at: isOutermostFirst ? range.upperBound : range.lowerBound) { output in
      for text in isOutermostFirst ? answer.inlined.reversed() : answer.inlined {
        if isOutermostFirst { output += separator }
        let new = members(text, of: frame, object, keepsName: false)
        spelling.appendObject(
          copying: copies, new + [AddedMember(keys.inlined, .yes)], to: &output,
          escapesSlashes: { escapesSlashes(object) })
        if !isOutermostFirst { output += separator }
      }
    }
  }

  // MARK: Members

  /// The members of an answer, in the order in which they are added.
  private func members(
    _ text: FrameAnswer.FrameText, of frame: SymbolicatedFrame, _ object: JsonValue,
    keepsName: Bool
  ) -> [AddedMember] {
    var members: [AddedMember] = []
    if !keepsName {
      members.append(AddedMember(keys.function, .text(text.name)))
      if let key = keys.functionStart, let address = frame.codeAddress?.value,
        address >= text.offset
      {
        // Spelt as the frame spells its own address.
        let start = address - text.offset
        let isNumber = object[keys.address]?.numberText != nil
        members.append(AddedMember(key, isNumber ? .number(start) : .text(start.hexadecimal)))
      }
    }
    guard let location = text.location, let file = text.shownFile else { return members }
    members.append(AddedMember(keys.file, .text(file)))
    if let key = keys.path { members.append(AddedMember(key, .text(location.path))) }
    if location.line > 0 { members.append(AddedMember(keys.line, .number(UInt64(location.line)))) }
    return members
  }

  private func write(
    _ answer: FrameAnswer, of frame: SymbolicatedFrame, into object: JsonValue,
    _ spelling: JsonObjectSpelling, _ edits: inout ByteEdits
  ) {
    guard let anchor = object[keys.address]?.byteRange.upperBound else { return }
    for member in members(answer.function, of: frame, object, keepsName: answer.keepsStatedName) {
      if let old = object[member.key] {
        edits.replace(old.byteRange) {
          member.appendValue(to: &$0, escapesSlashes: { escapesSlashes(object) })
        }
      } else {
        edits.insert(at: anchor) {
          spelling.append([member], to: &$0, escapesSlashes: { escapesSlashes(object) })
        }
      }
    }
  }

  /// Whether slashes in the object's strings are escaped (`\/`).
  private func escapesSlashes(_ object: JsonValue) -> Bool {
    bytes[object.byteRange].firstRange(of: Array(#"\/"#.utf8)) != nil
  }
}
