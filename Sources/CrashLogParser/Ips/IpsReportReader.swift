internal import SymbolicationModel

/// Makes a report of the JSON of its body, and notes what is not as it should be.
struct IpsReportReader {
  private let document: JsonDocument
  private var faults: [ParseFault] = []
  private var images: [IpsImage] = []

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
      isAbsolutePseudoImage: isAbsolute || base ?? 0 == 0 && byteCount == 0)
  }

  private mutating func thread(_ value: JsonValue, index: Int) -> IpsThread? {
    guard isObject(value) else { return nil }
    check(value, IpsKeys.thread)
    let frames = value["frames"].map { self.frames(of: $0) } ?? []
    return IpsThread(
      value: value, index: index, identifier: value["id"]?.unsignedInteger,
      isTriggered: value["triggered"]?.isAffirmative ?? false, frames: frames)
  }

  private mutating func frames(of list: JsonValue) -> [IpsFrame] {
    guard list.kind == .array else { return [] }
    let separators = FrameSeparators(list)
    var frames: [IpsFrame] = []
    var previousEnd: Int?
    for value in list.elements {
      // The last one before the damage: of a frame that was cut, nothing is sure.
      guard value.isComplete else { break }
      let range = value.byteRange
      if isObject(value) {
        let separator =
          previousEnd.map { ByteSpan($0, range.lowerBound) } ?? separators.ofFirstFrame
        frames.append(frame(value, separator))
      }
      previousEnd = range.upperBound
    }
    return frames
  }

  private mutating func frame(_ value: JsonValue, _ separator: ByteSpan) -> IpsFrame {
    var offset: JsonValue?
    var index: JsonValue?
    for member in value.members {
      if offset == nil, member.hasKey("imageOffset") {
        offset = member.value
      } else if index == nil, member.hasKey("imageIndex") {
        index = member.value
      } else {
        check(member, IpsKeys.frame)
      }
    }
    let imageOffset = unsigned(offset)
    let imageIndex = unsigned(index).flatMap { Int(exactly: $0) }
    var address: LoadAddress?
    if let imageIndex, let index {
      if !images.indices.contains(imageIndex) {
        addFault(.imageIndexOutOfRange, index.byteRange)
      } else if let imageOffset, let base = images[imageIndex].base {
        let (sum, overflow) = base.addingReportingOverflow(imageOffset)
        address = overflow ? nil : LoadAddress(sum)
      }
    }
    return IpsFrame(
      value: value, imageIndex: imageIndex, imageOffset: imageOffset, address: address,
      separatorSpan: separator)
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
    guard let expected = keys.first(where: { member.hasKey($0.key) })?.kind else { return }
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

/// What stands before the first frame of a list, or between it and the next one.
private struct FrameSeparators {
  let ofFirstFrame: ByteSpan

  init(_ list: JsonValue) {
    var elements = list.elements.makeIterator()
    guard let first = elements.next()?.byteRange else {
      ofFirstFrame = .empty
      return
    }
    if let second = elements.next() {
      ofFirstFrame = ByteSpan(first.upperBound, second.byteRange.lowerBound)
    } else {
      ofFirstFrame = ByteSpan(list.byteRange.lowerBound + 1, first.lowerBound)
    }
  }
}
