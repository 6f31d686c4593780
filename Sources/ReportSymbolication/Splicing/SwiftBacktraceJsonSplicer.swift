import CrashLogParser
import SymbolicationModel

/// Puts answers into a Swift backtrace as JSON: members into the objects of frames, with the keys
/// of the runtime and in its order, and objects of inlined calls before them. All other bytes,
/// white space included, stay as they are.
struct SwiftBacktraceJsonSplicer: ReportSplicer {
  static let showsColumns = true
  static let hasPlaceForSourceLines = false
  static let appleText = AppleTextOrigin.none

  private let bytes: [UInt8]

  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    let splicer = SwiftBacktraceJsonSplicer(bytes: bytes)
    for backtrace in report.backtraces { splicer.splice(backtrace, into: &edits) }
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
        let members =
          spelling.kindAndAddress
          + Self.members(SwiftFrameText(text, of: frame, isInlined: true), spelling)
        edits.insert(
          Array("{".utf8) + spelling.afterOpeningBrace
            + Array(members.joined(separator: spelling.memberSeparator))
            + spelling.beforeClosingBrace + Array("}".utf8)
            + frameSeparator(of: backtrace.frames, at: row.frame),
          at: start)
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
      edits.insert(
        Self.members(text, spelling).flatMap { spelling.memberSeparator + $0 },
        at: spelling.addressEnd)
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
    guard keepsName, let location = Self.location(text, spelling) else { return }
    edits.insert(spelling.memberSeparator + location, at: end)
  }

  private static let replacedKeys: Set = [
    "inlined", "runtimeFailure", "thunk", "system", "symbol", "offset", "description", "image",
    "sourceLocation",
  ]

  // MARK: Members

  /// The members that follow the address of a frame.
  private static func members(_ text: SwiftFrameText, _ spelling: Spelling) -> [[UInt8]] {
    var members: [[UInt8]] = []
    func add(_ key: String, _ value: String) {
      members.append(spelling.member(key, value))
    }
    if text.isInlined { add("inlined", "true") }
    if text.isThunk { add("thunk", "true") }
    if text.isSystem { add("system", "true") }
    add("symbol", quoted(text.rawName))
    add("offset", String(text.offset))
    add("description", quoted(text.description))
    add("image", quoted(text.imageName))
    return members + [location(text, spelling)].compactMap(\.self)
  }

  /// The runtime writes this object on one line.
  private static func location(_ text: SwiftFrameText, _ spelling: Spelling) -> [UInt8]? {
    guard let location = text.location else { return nil }
    return spelling.member(
      "sourceLocation",
      "{ \"file\": \(quoted(location.path)), \"line\": \(location.line), \"column\": \(location.column) }"
    )
  }

  private static func quoted(_ text: String) -> String {
    JsonText.quoted(text, escapesSlashes: false)
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
    let afterOpeningBrace: [UInt8]
    let keySeparator: [UInt8]
    let memberSeparator: [UInt8]
    let beforeClosingBrace: [UInt8]
    /// The members `kind` and `address`, as they are.
    let kindAndAddress: [[UInt8]]
    /// Where the address ends.
    let addressEnd: Int

    /// Nil if the object does not begin with kind and address, as the runtime writes it.
    init?(_ object: JsonValue, _ bytes: [UInt8]) {
      var members = object.members.makeIterator()
      guard object.isComplete, let kind = members.next(), kind.hasKey("kind"),
        let address = members.next(), address.hasKey("address")
      else { return nil }
      var end = address.byteRange.upperBound
      for member in object.members { end = member.byteRange.upperBound }
      let range = object.byteRange
      afterOpeningBrace = Array(bytes[(range.lowerBound + 1)..<kind.keyRange.lowerBound])
      keySeparator = Array(
        bytes[kind.keyRange.upperBound..<kind.value.byteRange.lowerBound])
      memberSeparator = Array(
        bytes[kind.byteRange.upperBound..<address.keyRange.lowerBound])
      beforeClosingBrace = Array(bytes[end..<(range.upperBound - 1)])
      kindAndAddress = [Array(bytes[kind.byteRange]), Array(bytes[address.byteRange])]
      addressEnd = address.byteRange.upperBound
    }

    func member(_ key: String, _ value: String) -> [UInt8] {
      Array("\"\(key)\"".utf8) + keySeparator + Array(value.utf8)
    }
  }
}
