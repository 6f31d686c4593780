package import JsonReading
import SymbolicationModel

/// A frame as an object of an `.ips` report:
/// `{"imageOffset":236404,"symbol":"main","symbolLocation":8,"imageIndex":0}`.
///
/// All texts are read from the bytes each time they are asked for, and are nil if they are missing
/// or of the wrong kind.
package struct IpsFrame: Sendable {
  private let content: JsonContent
  /// The position of the object on the tape, in few bits: a report has a great many frames.
  private let position: UInt32
  /// ``imageIndex`` if it is less than the greatest number of this type, which stands for all
  /// others.
  private let smallImageIndex: UInt16
  /// How the object names its function.
  package let nameStatement: NameStatement
  /// What separates this frame from the one before it. For the first frame, what separates it from
  /// the second, or else what precedes it.
  package let separatorSpan: ByteSpan

  package init(
    content: JsonContent, position: Int, imageIndex: Int?, nameStatement: NameStatement,
    separatorSpan: ByteSpan
  ) {
    self.content = content
    self.position = UInt32(clamping: position)
    self.smallImageIndex = imageIndex.map { UInt16(clamping: $0) } ?? .max
    self.nameStatement = nameStatement
    self.separatorSpan = separatorSpan
  }

  /// How a frame names its function, as far as it is known without making a text of the name: a
  /// report has a great many frames, and few of their names are ever shown.
  package enum NameStatement: Sendable {
    /// Not at all, or with a name that says nothing (``StackFrame/symbol``).
    case none
    /// With a name, and at most a distance besides: neither a file nor a line, nor a mark of an
    /// inlined call.
    case plain
    /// In the same way, and the name is that of a signal trampoline.
    case trampoline
    /// The symbol must be read.
    case unread

    /// What a name says, by the first bytes of the string that begins at `start`.
    package init(ofStringIn bytes: Span<UInt8>, at start: Int) {
      guard start + 1 < bytes.count else {
        self = .unread
        return
      }
      switch bytes[start + 1] {
      case Ascii.quote: self = .none
      // `<redacted>`, an address as a name, an escape.
      case Ascii.less, Ascii.zero, Ascii.backslash: self = .unread
      case UInt8(ascii: "_"):
        let name = bytes.extracting(start + 1..<bytes.firstOffset(of: Ascii.quote, from: start + 1))
        self =
          name.holds(Ascii.backslash)
          ? .unread : SignalTrampoline.isName(name) ? .trampoline : .plain
      default: self = .plain
      }
    }
  }

  /// The object.
  package var value: JsonValue { JsonValue(content: content, position: Int(position)) }
  /// From brace to brace: a half-open range of offsets in the input.
  package var byteRange: Range<Int> { value.byteRange }

  /// The index of the image in the report's list, as written: it may be out of range.
  package var imageIndex: Int? {
    if smallImageIndex < .max { return Int(smallImageIndex) }
    return value[.imageIndex]?.unsignedInteger.flatMap { Int(exactly: $0) }
  }
  /// The distance of the address from the start of the image.
  package var imageOffset: UInt64? { value[.imageOffset]?.unsignedInteger }

  /// The function's name. It may contain line ends.
  package var symbol: String? { value[.symbol]?.string }
  /// The distance of the address from the start of the function.
  package var symbolLocation: UInt64? { value[.symbolLocation]?.unsignedInteger }
  /// The name of the source file, usually without its folders. It may be there without a line.
  package var sourceFile: String? { value[.sourceFile]?.string }
  /// The line, counted from 1; 0 if the compiler knew none.
  package var sourceLine: UInt64? { value[.sourceLine]?.unsignedInteger }
  /// Whether the frame is a call inlined into the frame after it.
  package var isInline: Bool { value[.inline]?.isAffirmative ?? false }

  /// What the object says about the address; nil without a name.
  var frameSymbol: FrameSymbol? {
    // Most frames have no line, and many no symbol: one look at the keys is enough for these.
    guard let places = symbolPlaces() else { return frameSymbolByKeys }
    guard let name = places.name.flatMap({ member(at: $0).string }) else { return nil }
    if places.hasMore { return frameSymbolByKeys }
    return FrameSymbol(
      name: name,
      offset: places.location.flatMap { member(at: $0).unsignedInteger }
        .flatMap { Int64(exactly: $0) })
  }

  private func member(at position: Int) -> JsonValue {
    JsonValue(content: content, position: position)
  }

  /// Where the values of the name and its distance are, and whether there is a file, a line or a
  /// mark of an inlined call. Nil if a key cannot be compared quickly.
  private func symbolPlaces() -> (name: Int?, location: Int?, hasMore: Bool)? {
    let (allBytes, wholeTape) = (content.bytes, content.tape)
    let (bytes, tape) = (allBytes.span, wholeTape.span)
    let object = Int(position)
    var name: Int?
    var location: Int?
    var hasMore = false
    guard object + 1 < tape.count else { return nil }
    let end = min(Int(tape[object + 1]), tape.count - 1)
    var keyPosition = object + JsonContent.containerHeadCount
    while keyPosition < end {
      guard let key = JsonPackedKey(in: bytes, at: Int(tape[keyPosition])) else { return nil }
      let valuePosition = keyPosition + 1
      switch key {
      case Self.symbolKey: name = name ?? valuePosition
      case Self.symbolLocationKey: location = location ?? valuePosition
      case Self.sourceFileKey, Self.sourceLineKey, Self.inlineKey: hasMore = true
      default: break
      }
      keyPosition = content.position(after: valuePosition)
    }
    return (name, location, hasMore)
  }

  private static let symbolKey = JsonPackedKey(IpsKey.symbol.rawValue)
  private static let symbolLocationKey = JsonPackedKey(IpsKey.symbolLocation.rawValue)
  private static let sourceFileKey = JsonPackedKey(IpsKey.sourceFile.rawValue)
  private static let sourceLineKey = JsonPackedKey(IpsKey.sourceLine.rawValue)
  private static let inlineKey = JsonPackedKey(IpsKey.inline.rawValue)

  private var frameSymbolByKeys: FrameSymbol? {
    guard let symbol else { return nil }
    // Apple's writer leaves out a line that is 0.
    let file = sourceFile
    let line = sourceLine.map { Int(clamping: $0) } ?? (file == nil ? nil : 0)
    return FrameSymbol(
      name: symbol, offset: symbolLocation.flatMap { Int64(exactly: $0) }, file: file,
      line: line, isInlined: isInline)
  }
}
