import CrashLogParser
import SymbolicationModel

/// Puts answers into the JSON of an SDK: members into the objects of frames, with the SDK's own
/// keys, and objects for inlined calls beside them. All other bytes stay as they are.
///
/// A key that a frame has already gets a new value; others are added after the address. An inlined
/// call is a copy of the frame with an answer of its own and the mark `inlined`.
struct SdkJsonSplicer: ReportSplicer {
  private let bytes: [UInt8]
  private let keys: SdkFrameKeys

  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    guard let keys = report.source.format.sdkFrameKeys else { return }
    let splicer = SdkJsonSplicer(bytes: bytes, keys: keys)
    for backtrace in report.backtraces where backtrace.isChanged {
      splicer.splice(backtrace, into: &edits)
    }
  }

  private func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits) {
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
        if let answer = frame.answer, let spelling = JsonObjectSpelling(object, bytes) {
          insertInlined(answer, at: row.frame, of: backtrace, spelling, into: &edits)
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
    _ answer: FrameAnswer, at index: Int, of backtrace: SymbolicatedBacktrace,
    _ spelling: JsonObjectSpelling, into edits: inout ByteEdits
  ) {
    // A tree refers to its frames by their places.
    guard !answer.inlined.isEmpty, !backtrace.source.isCallTree,
      let object = backtrace.frames[index].source.values?.json
    else { return }
    let separator = frameSeparator(of: backtrace.frames, at: index)
    let frame = backtrace.frames[index]
    let range = object.byteRange
    if backtrace.source.isOutermostFirst {
      edits.insert(at: range.upperBound) { bytes in
        for text in answer.inlined.reversed() {
          bytes += separator
          append(inlined: text, of: frame, object, spelling, to: &bytes)
        }
      }
    } else {
      edits.insert(at: range.lowerBound) { bytes in
        for text in answer.inlined {
          append(inlined: text, of: frame, object, spelling, to: &bytes)
          bytes += separator
        }
      }
    }
  }

  private func append(
    inlined text: FrameAnswer.FrameText, of frame: SymbolicatedFrame, _ object: JsonValue,
    _ spelling: JsonObjectSpelling, to output: inout [UInt8]
  ) {
    output.append(UInt8(ascii: "{"))
    output += spelling.afterOpeningBrace
    var isFirst = true
    func separate(_ output: inout [UInt8]) {
      if !isFirst { output += spelling.memberSeparator }
      isFirst = false
    }
    let left = Set(keys.answers).union(keys.keptFromInlined)
    for member in object.members where !left.contains(member.key) {
      separate(&output)
      output += bytes[member.byteRange]
    }
    for member in members(text, of: frame, object, keepsName: false) {
      separate(&output)
      spelling.append(member.key, to: &output) { append(member.value, spelling, to: &$0) }
    }
    separate(&output)
    spelling.append(keys.inlined, to: &output) { $0 += "true".utf8 }
    output += spelling.beforeClosingBrace
    output.append(UInt8(ascii: "}"))
  }

  /// What separates two frames: a comma and the white space around it.
  private func frameSeparator(of frames: [SymbolicatedFrame], at index: Int) -> [UInt8] {
    for neighbour in [index + 1, index - 1] where frames.indices.contains(neighbour) {
      guard let one = frames[index].source.byteRange, let other = frames[neighbour].source.byteRange
      else { continue }
      let (start, end) = (
        min(one.upperBound, other.upperBound), max(one.lowerBound, other.lowerBound)
      )
      guard start <= end else { continue }
      let between = bytes[start..<end]
      let isSeparator = between.allSatisfy { byte in
        byte == UInt8(ascii: ",") || byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
      }
      if isSeparator { return Array(between) }
    }
    return Array(", ".utf8)
  }

  // MARK: Members

  private enum Value {
    case text(String)
    case line(UInt64)
    /// Spelt as the frame spells its own address.
    case address(UInt64, isNumber: Bool)
  }

  /// The members of an answer, in the order in which they are added.
  private func members(
    _ text: FrameAnswer.FrameText, of frame: SymbolicatedFrame, _ object: JsonValue,
    keepsName: Bool
  ) -> [(key: String, value: Value)] {
    var members: [(key: String, value: Value)] = []
    if !keepsName {
      members.append((keys.function, .text(text.name)))
      if let key = keys.functionStart, let address = frame.codeAddress?.value,
        address >= text.offset
      {
        let isNumber = object[keys.address]?.numberText != nil
        members.append((key, .address(address - text.offset, isNumber: isNumber)))
      }
    }
    guard let location = text.location, let file = text.shownFile else { return members }
    members.append((keys.file, .text(file)))
    if let key = keys.path { members.append((key, .text(location.path))) }
    if location.line > 0 { members.append((keys.line, .line(UInt64(location.line)))) }
    return members
  }

  private func append(
    _ value: Value, _ spelling: JsonObjectSpelling, to bytes: inout [UInt8]
  ) {
    switch value {
    case .text(let text): spelling.appendQuoted(text, to: &bytes)
    case .line(let line): bytes.append(decimal: line)
    case .address(let address, isNumber: true): bytes.append(decimal: address)
    case .address(let address, isNumber: false):
      bytes += "\"\(address.hexadecimal)\"".utf8
    }
  }

  private func write(
    _ answer: FrameAnswer, of frame: SymbolicatedFrame, into object: JsonValue,
    _ spelling: JsonObjectSpelling, _ edits: inout ByteEdits
  ) {
    guard let anchor = object[keys.address]?.byteRange.upperBound else { return }
    let new = members(answer.function, of: frame, object, keepsName: answer.keepsStatedName)
    for (key, value) in new {
      if let old = object[key] {
        edits.replace(old.byteRange) { append(value, spelling, to: &$0) }
      } else {
        edits.insert(at: anchor) { bytes in
          bytes += spelling.memberSeparator
          spelling.append(key, to: &bytes) { append(value, spelling, to: &$0) }
        }
      }
    }
  }
}
