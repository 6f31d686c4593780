import CrashLogParser
import SymbolicationModel

/// Puts answers into a Swift backtrace as JSON: members into the objects of frames, with the keys
/// of the runtime and in its order, and objects of inlined calls before them. All other bytes,
/// white space included, stay as they are.
struct SwiftBacktraceJsonSplicer: ReportSplicer {
  private let bytes: [UInt8]

  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    let splicer = SwiftBacktraceJsonSplicer(bytes: bytes)
    for backtrace in report.backtraces where backtrace.isChanged {
      splicer.splice(backtrace, into: &edits)
    }
  }

  private func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits) {
    var removalStart: Int?
    for row in backtrace.rows {
      let frame = backtrace.frames[row.frame]
      guard let values = frame.source.values, let object = values.json else { continue }
      let start = values.byteRange.lowerBound
      if row.content == .superseded {
        removalStart = removalStart ?? start
        continue
      }
      // Remove the objects of earlier inlined calls and the separators after them.
      if let removalStart { edits.remove(removalStart..<start) }
      removalStart = nil
      guard let text = backtrace.answerText(of: row), let spelling = Spelling(object, bytes)
      else { continue }
      if case .inlined = row.content {
        let separator = frameSeparator(of: backtrace.frames, at: row.frame)
        edits.insert(at: start) { bytes in
          bytes.append(UInt8(ascii: "{"))
          bytes += spelling.afterOpeningBrace
          bytes += spelling.kind
          bytes += spelling.memberSeparator
          bytes += spelling.address
          Self.append(SwiftFrameText(text, of: frame, isInlined: true), spelling, to: &bytes)
          bytes += spelling.beforeClosingBrace
          bytes.append(UInt8(ascii: "}"))
          bytes += separator
        }
      } else {
        write(
          SwiftFrameText(text, of: frame, isInlined: values.isInlined),
          keepsName: frame.answer?.keepsStatedName == true, object, spelling, into: &edits)
      }
    }
  }

  private func write(
    _ text: SwiftFrameText, keepsName: Bool, _ object: JsonValue, _ spelling: Spelling,
    into edits: inout ByteEdits
  ) {
    if !keepsName {
      // Edits at one offset are made in the order in which they are added.
      edits.insert(at: spelling.addressEnd) { Self.append(text, spelling, to: &$0) }
    }
    var end = spelling.addressEnd
    for member in object.members {
      let range = member.byteRange
      let isReplaced =
        keepsName ? member.key == "sourceLocation" : Self.replacedKeys.contains(member.key)
      // Remove a member together with the separator before it.
      if isReplaced, range.lowerBound > spelling.addressEnd {
        edits.remove(end..<range.upperBound)
      }
      if range.upperBound > spelling.addressEnd { end = range.upperBound }
    }
    guard keepsName, text.location != nil else { return }
    edits.insert(at: end) { Self.appendLocation(of: text, spelling, to: &$0) }
  }

  private static let replacedKeys: Set = [
    "inlined", "runtimeFailure", "thunk", "system", "symbol", "offset", "description", "image",
    "sourceLocation",
  ]

  // MARK: Members

  /// Appends the members that follow the address of a frame, with what separates them from it.
  private static func append(
    _ text: SwiftFrameText, _ spelling: Spelling, to bytes: inout [UInt8]
  ) {
    if text.isInlined { spelling.append("inlined", to: &bytes) { $0 += "true".utf8 } }
    if text.isThunk { spelling.append("thunk", to: &bytes) { $0 += "true".utf8 } }
    if text.isSystem { spelling.append("system", to: &bytes) { $0 += "true".utf8 } }
    spelling.append("symbol", to: &bytes) { appendQuoted(text.rawName, to: &$0) }
    spelling.append("offset", to: &bytes) { $0.append(decimal: text.offset) }
    spelling.append("description", to: &bytes) { appendQuoted(text.description, to: &$0) }
    spelling.append("image", to: &bytes) { appendQuoted(text.imageName, to: &$0) }
    appendLocation(of: text, spelling, to: &bytes)
  }

  /// The runtime writes this object on one line.
  private static func appendLocation(
    of text: SwiftFrameText, _ spelling: Spelling, to bytes: inout [UInt8]
  ) {
    guard let location = text.location else { return }
    spelling.append("sourceLocation", to: &bytes) { bytes in
      bytes += #"{ "file": "#.utf8
      appendQuoted(location.path, to: &bytes)
      bytes += #", "line": "#.utf8
      bytes.append(decimal: UInt64(location.line))
      bytes += #", "column": "#.utf8
      bytes.append(decimal: UInt64(location.column))
      bytes += " }".utf8
    }
  }

  private static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    JsonText.append(text, to: &bytes, escapesSlashes: false)
  }

  // MARK: Spelling

  /// What separates two frames: a comma and the white space around it.
  private func frameSeparator(of frames: [SymbolicatedFrame], at index: Int) -> [UInt8] {
    for (first, second) in [(index - 1, index), (index, index + 1)]
    where frames.indices.contains(first) && frames.indices.contains(second) {
      guard let left = frames[first].source.byteRange, let right = frames[second].source.byteRange,
        left.upperBound <= right.lowerBound
      else { continue }
      let between = bytes[left.upperBound..<right.lowerBound]
      let isSeparator = between.allSatisfy { byte in
        byte == UInt8(ascii: ",") || byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
      }
      if isSeparator { return Array(between) }
    }
    return Array(", ".utf8)
  }

  /// The white space and punctuation of a frame's object, judging by its first members.
  private struct Spelling {
    let afterOpeningBrace: ArraySlice<UInt8>
    let keySeparator: ArraySlice<UInt8>
    let memberSeparator: ArraySlice<UInt8>
    let beforeClosingBrace: ArraySlice<UInt8>
    /// The member `kind`, as it is.
    let kind: ArraySlice<UInt8>
    /// The member `address`, as it is.
    let address: ArraySlice<UInt8>
    /// Where the address ends.
    let addressEnd: Int

    /// Nil if the object does not begin with kind and address, as the runtime writes it.
    init?(_ object: JsonValue, _ bytes: [UInt8]) {
      var members = object.members.makeIterator()
      guard object.isComplete, let kind = members.next(), kind.hasKey("kind"),
        let address = members.next(), address.hasKey("address")
      else { return nil }
      var last = address
      while let member = members.next() { last = member }
      let (kindRange, addressRange) = (kind.byteRange, address.byteRange)
      let range = object.byteRange
      afterOpeningBrace = bytes[(range.lowerBound + 1)..<kindRange.lowerBound]
      keySeparator = bytes[kind.keyRange.upperBound..<kind.value.byteRange.lowerBound]
      memberSeparator = bytes[kindRange.upperBound..<addressRange.lowerBound]
      beforeClosingBrace = bytes[last.byteRange.upperBound..<(range.upperBound - 1)]
      self.kind = bytes[kindRange]
      self.address = bytes[addressRange]
      addressEnd = addressRange.upperBound
    }

    /// Appends a member, and what separates it from the one before.
    func append(_ key: String, to bytes: inout [UInt8], value: (inout [UInt8]) -> Void) {
      bytes += memberSeparator
      bytes.append(UInt8(ascii: "\""))
      bytes += key.utf8
      bytes.append(UInt8(ascii: "\""))
      bytes += keySeparator
      value(&bytes)
    }
  }
}
