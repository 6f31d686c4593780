import JsonReading
import ReportModel
import SymbolicationModel

/// Makes a report from the JSON of its body, and notes what is not as it should be.
struct IpsBodyReader {
  private let document: JsonDocument
  private let allowance: ReportAllowance
  private var faults: [ParseFault] = []
  private var images: [BinaryImage] = []
  /// The base of each image; nil if it is not stated.
  private var bases: [UInt64?] = []
  private let imageOffsetKey = JsonPackedKey(IpsKey.imageOffset.rawValue)
  private let imageIndexKey = JsonPackedKey(IpsKey.imageIndex.rawValue)
  private let symbolKey = JsonPackedKey(IpsKey.symbol.rawValue)
  private let symbolLocationKey = JsonPackedKey(IpsKey.symbolLocation.rawValue)
  private let frameKeys = IpsKey.inFrame
  private let imageKeys = IpsKey.inImage

  init(document: JsonDocument, allowance: ReportAllowance) {
    self.document = document
    self.allowance = allowance
  }

  mutating func read(header: JsonHeader?) -> Report {
    let root = document.root
    let body = IpsBody(root, header: header)
    check(root, IpsKey.inBody)
    // Frames need the images, which Apple's writer puts after them.
    for value in elements(of: .usedImages) {
      guard allowance.takeImage(at: value.byteRange, &faults) else { break }
      readImage(value)
    }
    var backtraces: [Backtrace] = []
    if let list = root[.lastExceptionBacktrace], list.kind == .array,
      allowance.takeThread(at: list.byteRange, &faults)
    {
      backtraces.append(
        Backtrace(kind: .lastException, frames: frames(of: list), byteRange: list.byteRange))
    }
    backtraces += applicationSpecificBacktraces()
    let threads = threads(faulting: body.faultingThread)
    if let damage = document.damage {
      addFault(.damagedJson, damage.offset..<damage.offset)
    }
    faults.sort { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
    let start = header?.byteRange.lowerBound ?? document.byteRange.lowerBound
    var facts = ReportFacts(
      body, header: header, crashedThread: threads.first(where: \.isCrashed)?.number)
    // The list of threads may break off above it.
    if document.damage != nil {
      facts.statedCrashedThread = facts.crashedThread ?? body.faultingThread
    }
    facts.takeArchitecture(from: images)
    return Report(
      format: .ipsCrash, byteRange: start..<document.byteRange.upperBound, header: header,
      facts: facts,
      images: images, backtraces: backtraces + threads, faults: faults, json: root)
  }

  // MARK: Images

  private mutating func readImage(_ value: JsonValue) {
    // An entry that was cut may have said more.
    guard value.isComplete else { return }
    guard isObject(value) else {
      bases.append(nil)
      images.append(
        BinaryImage(
          kind: .absolute, loadAddress: LoadAddress(0), byteCount: 0, carrier: .object(value)))
      return
    }
    let (baseValue, sizeValue, sourceValue) = imageMembers(value)
    let source = sourceValue?.string
    let base = baseValue?.unsignedInteger ?? (source == "A" ? 0 : nil)
    let byteCount = sizeValue?.unsignedInteger ?? 0
    let isAbsolute =
      source == "A" || base ?? 0 == 0 && (byteCount == 0 || byteCount > UInt64(UInt32.max))
    bases.append(base)
    images.append(
      BinaryImage(
        kind: isAbsolute ? .absolute : source == "S" ? .sharedCache : .image,
        loadAddress: LoadAddress(base ?? 0), byteCount: byteCount, carrier: .object(value)))
  }

  /// Checks all members of an image, and finds those that it is placed by, in one pass: a report
  /// has hundreds of images.
  private mutating func imageMembers(
    _ object: JsonValue
  ) -> (base: JsonValue?, size: JsonValue?, source: JsonValue?) {
    var found: (base: JsonValue?, size: JsonValue?, source: JsonValue?)
    for member in object.members {
      guard let expected = IpsKey.expectation(of: member, among: imageKeys) else { continue }
      let value = member.value
      if !expected.kind.fits(value) { addFault(.unexpectedJsonValue, value.byteRange) }
      switch expected.key {
      case .base where found.base == nil: found.base = value
      case .size where found.size == nil: found.size = value
      case .source where found.source == nil: found.source = value
      case .uuid where value.withStringBytes(ImageIdentity.isUuid) == false:
        addFault(.unreadableImageIdentity, value.byteRange)
      default: break
      }
    }
    return found
  }

  // MARK: Backtraces

  private mutating func threads(faulting: Int?) -> [Backtrace] {
    var entries: [(value: JsonValue, index: Int, isTriggered: Bool)] = []
    for (index, value) in elements(of: .threads).enumerated() where isObject(value) {
      guard allowance.takeThread(at: value.byteRange, &faults) else { break }
      check(value, IpsKey.inThread)
      entries.append((value, index, value[.triggered]?.isAffirmative ?? false))
    }
    // Of a list that begins within a thread, no numbers are known.
    let isPiece = entries.first?.value[IpsKey.keyOfPiece] != nil
    let crashed =
      entries.first(where: \.isTriggered)?.index ?? (isPiece ? nil : faulting)
      ?? onlyFailure(entries.map(\.value))
    return entries.map { value, index, _ in
      Backtrace(
        kind: .thread, number: isPiece ? nil : index, name: value[.name]?.string,
        dispatchQueue: value[.queue]?.string, isCrashed: index == crashed,
        frames: value[.frames].map { frames(of: $0) } ?? [], byteRange: value.byteRange,
        json: value)
    }
  }

  /// The place of the only thread whose registers show an abort or a breakpoint: others entered the
  /// kernel with a system call.
  ///
  /// Source: Arm Architecture Reference Manual, ESR_ELx (exception classes 0x20, 0x24 and 0x3c; of
  /// an abort, status 0 to 3 are those of an address size fault, which stale registers show).
  private func onlyFailure(_ threads: [JsonValue]) -> Int? {
    let failed = threads.indices.filter { index in
      guard let syndrome = threads[index][.threadState]?["esr"]?[.value]?.unsignedInteger else {
        return false
      }
      let kind = syndrome >> 26 & 0x3f
      return kind == 0x3c || (kind == 0x20 || kind == 0x24) && syndrome & 0x3c != 0
    }
    return failed.count == 1 ? failed[0] : nil
  }

  /// The strings of `asiBacktraces`, each with a frame on every line.
  private mutating func applicationSpecificBacktraces() -> [Backtrace] {
    var backtraces: [Backtrace] = []
    for value in elements(of: .applicationSpecificBacktraces) {
      guard let text = value.string else {
        addFault(.unexpectedJsonValue, value.byteRange)
        continue
      }
      guard allowance.takeThread(at: value.byteRange, &faults) else { break }
      let bytes = Array(text.utf8)
      let frames = TextReportBuilder.frames(ofBacktraceText: bytes).prefix {
        _ in allowance.takeFrame(at: value.byteRange, &faults)
      }
      backtraces.append(
        Backtrace(
          kind: .applicationSpecific, number: backtraces.count,
          frames: Array(frames), byteRange: value.byteRange, embeddedText: bytes))
    }
    return backtraces
  }

  // MARK: Kinds

  private mutating func addFault(_ kind: ParseFault.Kind, _ range: Range<Int>) {
    faults.append(ParseFault(kind: kind, byteRange: range))
  }

  private func elements(of key: IpsKey) -> JsonElements {
    (document.root[key] ?? document.root).elements  // The body is an object and has none.
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

  private mutating func check(_ object: JsonValue, _ keys: [IpsKey.Expectation]) {
    for member in object.members { check(member, keys) }
  }

  private mutating func check(_ member: JsonMember, _ keys: [IpsKey.Expectation]) {
    guard let expected = IpsKey.expectation(of: member, among: keys)?.kind else { return }
    if !expected.fits(member.value) { addFault(.unexpectedJsonValue, member.value.byteRange) }
  }
}

// MARK: - Frames

/// Frames make up almost all of a report. They are read off the tape without a `JsonValue` for each
/// member, which would retain and release the document each time.
extension IpsBodyReader {
  private mutating func frames(of list: JsonValue) -> [StackFrame] {
    guard list.kind == .array else { return [] }
    let content = list.content
    let (allBytes, wholeTape) = (content.bytes, content.tape)
    let (bytes, tape) = (allBytes.span, wholeTape.span)
    let end = content.position(after: list.position)
    var frames: [StackFrame] = []
    frames.reserveCapacity(min(list.elementCount, allowance.remainingFrames))
    let separatorOfFirst = separatorOfFirstFrame(list)
    var previousEnd: Int?
    var position = list.position + JsonContent.containerHeadCount
    while position < end {
      let start = Int(tape[position])
      if bytes[start] == Ascii.openBrace {
        let objectEnd = tape[position + 2]
        // This is the last frame before the damage. Nothing but a name that ended is certain about
        // a frame that was cut.
        guard objectEnd != JsonContent.incompleteEnd else {
          if let frame = cutFrame(JsonValue(content: content, position: position)) {
            frames.append(frame)
          }
          break
        }
        guard
          allowance.takeFrame(at: start..<Int(objectEnd), &faults)
        else { break }
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

  /// The function of a frame in which the text breaks off; nil if its name is cut, too, or missing.
  private mutating func cutFrame(_ object: JsonValue) -> StackFrame? {
    guard let name = object[.symbol]?.string, !name.isEmpty,
      allowance.takeFrame(at: object.byteRange, &faults)
    else { return nil }
    var values = FrameValues(byteRange: object.byteRange)
    values.symbol = FrameSymbol(name: name)
    return StackFrame(address: nil, carrier: .values(values))
  }

  @inline(__always)
  private mutating func frame(
    at position: Int, _ content: JsonContent, _ bytes: Span<UInt8>, _ tape: Span<UInt32>,
    _ separator: ByteSpan
  ) -> StackFrame {
    var offsetPosition: Int?
    var indexPosition: Int?
    var nameStatement = IpsFrame.NameStatement.none
    var hasName = false
    var hasOtherKeys = false
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
      } else if key == symbolKey, !hasName, first == Ascii.quote {
        hasName = true
        nameStatement = IpsFrame.NameStatement(ofStringIn: bytes, at: Int(tape[valuePosition]))
      } else if key == symbolLocationKey, fewDigits(at: valuePosition, bytes, tape) != nil {
        // As it should be, and nothing that decides about the frame.
      } else {
        hasOtherKeys = true
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
        if !allowance.hasLeftOutImages {
          addFault(.imageIndexOutOfRange, value(at: indexPosition).byteRange)
        }
      } else if let imageOffset, let base = bases[imageIndex] {
        let (sum, overflow) = base.addingReportingOverflow(imageOffset)
        address = overflow ? nil : LoadAddress(sum)
      }
    }
    return StackFrame(
      address: address,
      carrier: .object(
        IpsFrame(
          content: content, position: position, imageIndex: imageIndex,
          nameStatement: hasOtherKeys ? .unread : nameStatement, separatorSpan: separator)))
  }

  /// What separates the first frame from the second, or else what precedes the first.
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

  /// Whether a key is the expected one. Its text is compared only if it has escapes or is long.
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
