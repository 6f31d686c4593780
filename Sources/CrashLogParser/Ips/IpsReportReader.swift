internal import SymbolicationModel

/// Makes a report of the JSON of its body, and notes what is not as it should be.
struct IpsReportReader {
  private let document: JsonDocument
  private var faults: [ParseFault] = []
  private var images: [IpsImage] = []
  private let imageOffsetKey = JsonPackedKey("imageOffset")
  private let imageIndexKey = JsonPackedKey("imageIndex")
  private let frameKeys = IpsKeys.frame

  init(document: JsonDocument) { self.document = document }

  mutating func read(header: JsonHeader?) -> IpsReport {
    let body = document.root
    check(body, IpsKeys.body)
    // Frames need the images, which Apple's writer puts behind them.
    images = elements(of: body["usedImages"]).compactMap { image($0) }
    let lastException = body["lastExceptionBacktrace"].flatMap { value in
      value.kind == .array ? frames(of: value) : nil
    }
    var threads: [IpsThread] = []
    for (index, value) in elements(of: body["threads"]).enumerated() {
      if let thread = thread(value, index: index) { threads.append(thread) }
    }
    var texts: [IpsTextBacktrace] = []
    for value in elements(of: body["asiBacktraces"]) {
      if value.kind == .string {
        texts.append(IpsTextBacktrace(value))
      } else {
        addFault(.unexpectedJsonValue, value.byteRange)
      }
    }
    if let damage = document.damage {
      addFault(.damagedJson, damage.offset..<damage.offset)
    }
    faults.sort { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
    return IpsReport(
      header: header, document: document, threads: threads, lastExceptionBacktrace: lastException,
      applicationSpecificBacktraces: texts, images: images, faults: faults)
  }

  // MARK: Entries

  /// Nil for an entry that was cut: what it says may not be all that it said.
  private mutating func image(_ value: JsonValue) -> IpsImage? {
    guard value.isComplete else { return nil }
    guard isObject(value) else {
      return IpsImage(value: value, base: nil, byteCount: 0, isAbsolutePseudoImage: true)
    }
    check(value, IpsKeys.image)
    if let uuid = value["uuid"], let text = uuid.string, !Self.isUuid(text) {
      addFault(.unreadableImageIdentity, uuid.byteRange)
    }
    let isAbsolute = value["source"]?.string == "A"
    let base = value["base"]?.unsignedInteger ?? (isAbsolute ? 0 : nil)
    let byteCount = value["size"]?.unsignedInteger ?? 0
    return IpsImage(
      value: value, base: base, byteCount: byteCount,
      isAbsolutePseudoImage: isAbsolute
        || base ?? 0 == 0 && (byteCount == 0 || byteCount > UInt64(UInt32.max)))
  }

  private mutating func thread(_ value: JsonValue, index: Int) -> IpsThread? {
    guard isObject(value) else { return nil }
    check(value, IpsKeys.thread)
    let frames = value["frames"].map { self.frames(of: $0) } ?? []
    return IpsThread(
      value: value, index: index, identifier: value["id"]?.unsignedInteger,
      isTriggered: value["triggered"]?.isAffirmative ?? false, frames: frames)
  }

  // MARK: Kinds

  private mutating func addFault(_ kind: ParseFault.Kind, _ range: Range<Int>) {
    faults.append(ParseFault(kind: kind, byteRange: range))
  }

  private func elements(of value: JsonValue?) -> JsonElements {
    (value ?? document.root).elements  // The body is an object and has none.
  }

  private mutating func isObject(_ value: JsonValue) -> Bool {
    if value.kind == .object { return true }
    addFault(.unexpectedJsonValue, value.byteRange)
    return false
  }

  private mutating func unsigned(_ value: JsonValue?) -> UInt64? {
    guard let value, !value.isNull else { return nil }
    if let number = value.unsignedInteger { return number }
    addFault(.unexpectedJsonValue, value.byteRange)
    return nil
  }

  private mutating func check(_ object: JsonValue, _ keys: [IpsKeys.Expectation]) {
    for member in object.members { check(member, keys) }
  }

  private mutating func check(_ member: JsonMember, _ keys: [IpsKeys.Expectation]) {
    guard let expected = IpsKeys.expectation(of: member, among: keys)?.kind else { return }
    if !expected.fits(member.value) { addFault(.unexpectedJsonValue, member.value.byteRange) }
  }

  /// 32 hexadecimal digits, zeros included, with any dashes.
  private static func isUuid(_ text: String) -> Bool {
    var digits = 0
    for byte in text.utf8 where byte != Ascii.minus {
      guard hexadecimalDigitValue(byte) != nil else { return false }
      digits += 1
    }
    return digits == 32
  }
}

// MARK: - Frames

/// Frames are almost all of a report. They are read off the tape without a value for each member,
/// which would be counted as another user of the document each time.
extension IpsReportReader {
  private mutating func frames(of list: JsonValue) -> [IpsFrame] {
    guard list.kind == .array else { return [] }
    let content = list.content
    let (allBytes, wholeTape) = (content.bytes, content.tape)
    let (bytes, tape) = (allBytes.span, wholeTape.span)
    let end = content.position(after: list.position)
    var frames: [IpsFrame] = []
    frames.reserveCapacity(list.elementCount)
    let separatorOfFirst = separatorOfFirstFrame(list)
    var previousEnd: Int?
    var position = list.position + JsonContent.containerHeadCount
    while position < end {
      let start = Int(tape[position])
      if bytes[start] == Ascii.openBrace {
        let objectEnd = tape[position + 2]
        // The last one before the damage: of a frame that was cut, nothing is sure.
        guard objectEnd != JsonContent.incompleteEnd else { break }
        let separator = previousEnd.map { ByteSpan($0, start) } ?? separatorOfFirst
        frames.append(frame(at: position, content, bytes, tape, separator))
        previousEnd = Int(objectEnd)
        position = Int(tape[position + 1])
      } else {
        let value = JsonValue(content: content, position: position)
        guard value.isComplete else { break }
        addFault(.unexpectedJsonValue, value.byteRange)
        previousEnd = value.byteRange.upperBound
        position = content.position(after: position)
      }
    }
    return frames
  }

  @inline(__always)
  private mutating func frame(
    at position: Int, _ content: JsonContent, _ bytes: Span<UInt8>, _ tape: Span<UInt32>,
    _ separator: ByteSpan
  ) -> IpsFrame {
    var offsetPosition: Int?
    var indexPosition: Int?
    let end = Int(tape[position + 1])
    var keyPosition = position + JsonContent.containerHeadCount
    while keyPosition < end {
      let valuePosition = keyPosition + 1
      let key = JsonPackedKey(in: bytes, at: Int(tape[keyPosition]))
      let first = bytes[Int(tape[valuePosition])]
      if offsetPosition == nil, isKey(key, imageOffsetKey, "imageOffset", keyPosition) {
        offsetPosition = valuePosition
      } else if indexPosition == nil, isKey(key, imageIndexKey, "imageIndex", keyPosition) {
        indexPosition = valuePosition
      } else {
        checkFrameMember(key, keyPosition, first, bytes, tape)
      }
      let isContainer = first == Ascii.openBrace || first == Ascii.openBracket
      keyPosition = isContainer ? Int(tape[valuePosition + 1]) : valuePosition + 1
    }
    let imageOffset = offsetPosition.flatMap { unsigned(at: $0, bytes, tape) }
    let imageIndex = indexPosition.flatMap { unsigned(at: $0, bytes, tape) }
      .flatMap { Int(exactly: $0) }
    var address: LoadAddress?
    if let imageIndex, let indexPosition {
      if imageIndex >= images.count {
        addFault(.imageIndexOutOfRange, value(at: indexPosition).byteRange)
      } else if let imageOffset, let base = images[imageIndex].base {
        let (sum, overflow) = base.addingReportingOverflow(imageOffset)
        address = overflow ? nil : LoadAddress(sum)
      }
    }
    return IpsFrame(
      content: content, position: position, imageIndex: imageIndex, address: address,
      separatorSpan: separator)
  }

  /// What stands between the first frame and the second, or else before the first.
  private func separatorOfFirstFrame(_ list: JsonValue) -> ByteSpan {
    var elements = list.elements.makeIterator()
    guard let first = elements.next()?.byteRange else { return .empty }
    guard let second = elements.next() else {
      return ByteSpan(list.byteRange.lowerBound + 1, first.lowerBound)
    }
    return ByteSpan(first.upperBound, second.byteRange.lowerBound)
  }

  private func value(at position: Int) -> JsonValue {
    JsonValue(content: document.root.content, position: position)
  }

  /// Whether a key is the one that is looked for. Only where it has escapes is its text compared.
  @inline(__always)
  private func isKey(
    _ key: JsonPackedKey?, _ expected: JsonPackedKey?, _ text: String, _ keyPosition: Int
  ) -> Bool {
    if key != nil { return key == expected }
    return JsonMember(content: document.root.content, keyPosition: keyPosition).hasKey(text)
  }

  @inline(__always)
  private mutating func checkFrameMember(
    _ key: JsonPackedKey?, _ keyPosition: Int, _ first: UInt8, _ bytes: Span<UInt8>,
    _ tape: Span<UInt32>
  ) {
    guard let key else {
      return check(
        JsonMember(content: document.root.content, keyPosition: keyPosition), frameKeys)
    }
    for expected in frameKeys where expected.packedKey == key {
      switch expected.kind {
      case .string where first == Ascii.quote: break
      case .unsigned where fewDigits(at: keyPosition + 1, bytes, tape) != nil: break
      case let kind:
        let value = value(at: keyPosition + 1)
        if !kind.fits(value) { addFault(.unexpectedJsonValue, value.byteRange) }
      }
      return
    }
  }

  @inline(__always)
  private mutating func unsigned(
    at position: Int, _ bytes: Span<UInt8>, _ tape: Span<UInt32>
  ) -> UInt64? {
    fewDigits(at: position, bytes, tape) ?? unsigned(value(at: position))
  }

  @inline(__always)
  private func fewDigits(
    at position: Int, _ bytes: Span<UInt8>, _ tape: Span<UInt32>
  ) -> UInt64? {
    JsonValue.fewDigits(in: bytes, at: Int(tape[position]), end: document.byteRange.upperBound)
  }
}
