import CrashLogParser
import SymbolicationModel

/// Puts what was found out into a Swift backtrace as JSON: members into the frames' objects, with the keys
/// and in the order of the runtime, and objects of inlined calls before them. Everything else stays, white
/// space included.
struct SwiftBacktraceJsonSplicer {
  private let bytes: [UInt8]

  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    let splicer = SwiftBacktraceJsonSplicer(bytes: bytes)
    for backtrace in report.backtraces { splicer.splice(backtrace, into: &edits) }
  }

  private func splice(_ backtrace: SymbolicatedBacktrace, into edits: inout ByteEdits) {
    var removalStart: Int?
    for (place, frame) in backtrace.frames.enumerated() {
      guard case .swiftBacktrace(let line) = frame.origin, let object = line.json else { continue }
      if frame.isSuperseded {
        removalStart = removalStart ?? line.byteRange.lowerBound
        continue
      }
      // Objects of inlined calls that were there go, with what separates them from this one.
      if let start = removalStart { edits.remove(start..<line.byteRange.lowerBound) }
      removalStart = nil
      guard let answer = frame.answer, let spelling = Spelling(object, bytes) else { continue }
      let separator = frameSeparator(of: backtrace.frames, at: place)
      for inlined in answer.inlined {
        let form = SwiftFrameForm(inlined, of: frame, line, isInlined: true)
        let members = spelling.kindAndAddress + Self.members(form, spelling)
        edits.insert(
          Array("{".utf8) + spelling.afterOpeningBrace
            + Array(members.joined(separator: spelling.memberSeparator))
            + spelling.beforeClosingBrace + Array("}".utf8) + separator,
          at: line.byteRange.lowerBound)
      }
      let form = SwiftFrameForm(answer.function, of: frame, line, isInlined: line.isInlined)
      write(form, keepsName: answer.keepsStatedName, object, spelling, into: &edits)
    }
  }

  private func write(
    _ form: SwiftFrameForm, keepsName: Bool, _ object: JsonValue, _ spelling: Spelling,
    into edits: inout ByteEdits
  ) {
    if !keepsName {
      // Edits at one place are made in the order in which they are given.
      edits.insert(
        Self.members(form, spelling).flatMap { spelling.memberSeparator + $0 },
        at: spelling.addressEnd)
    }
    var end = spelling.addressEnd
    for member in object.members {
      let range = member.byteRange
      let isReplaced =
        keepsName ? member.key == "sourceLocation" : Self.replacedKeys.contains(member.key)
      // A member goes with the separator before it.
      if isReplaced, range.lowerBound > spelling.addressEnd {
        edits.remove(end..<range.upperBound)
      }
      if range.upperBound > spelling.addressEnd { end = range.upperBound }
    }
    guard keepsName, let location = Self.location(form, spelling) else { return }
    edits.insert(spelling.memberSeparator + location, at: end)
  }

  private static let replacedKeys: Set = [
    "inlined", "runtimeFailure", "thunk", "system", "symbol", "offset", "description", "image",
    "sourceLocation",
  ]

  // MARK: Members

  /// What a frame has behind its address.
  private static func members(_ form: SwiftFrameForm, _ spelling: Spelling) -> [[UInt8]] {
    var members: [[UInt8]] = []
    func add(_ key: String, _ value: String) {
      members.append(spelling.member(key, value))
    }
    if form.isInlined { add("inlined", "true") }
    if form.isThunk { add("thunk", "true") }
    if form.isSystem { add("system", "true") }
    add("symbol", quoted(form.rawName))
    add("offset", String(form.offset))
    add("description", quoted(form.description))
    add("image", quoted(form.imageName))
    return members + [location(form, spelling)].compactMap(\.self)
  }

  /// The runtime writes this object on one line.
  private static func location(_ form: SwiftFrameForm, _ spelling: Spelling) -> [UInt8]? {
    guard let location = form.location else { return nil }
    return spelling.member(
      "sourceLocation",
      "{ \"file\": \(quoted(location.path)), \"line\": \(location.line), \"column\": \(location.column) }"
    )
  }

  private static func quoted(_ text: String) -> String {
    JsonText.quoted(text, escapesSlashes: false)
  }

  // MARK: Spelling

  /// Between two frames: a comma with what stands around it.
  private func frameSeparator(of frames: [SymbolicatedFrame], at place: Int) -> [UInt8] {
    for (first, second) in [(place - 1, place), (place, place + 1)]
    where frames.indices.contains(first) && frames.indices.contains(second) {
      guard case .swiftBacktrace(let left) = frames[first].origin,
        case .swiftBacktrace(let right) = frames[second].origin,
        left.byteRange.upperBound <= right.byteRange.lowerBound
      else { continue }
      let between = bytes[left.byteRange.upperBound..<right.byteRange.lowerBound]
      let isSeparator = between.allSatisfy { byte in
        byte == UInt8(ascii: ",") || byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d
      }
      if isSeparator { return Array(between) }
    }
    return Array(", ".utf8)
  }

  /// The white space and punctuation of a frame's object, by its first members.
  private struct Spelling {
    let afterOpeningBrace: [UInt8]
    let keySeparator: [UInt8]
    let memberSeparator: [UInt8]
    let beforeClosingBrace: [UInt8]
    /// The members `kind` and `address`, as they stand there.
    let kindAndAddress: [[UInt8]]
    /// Where the address ends.
    let addressEnd: Int

    /// Nil for an object that does not begin with kind and address, as the runtime writes it.
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
