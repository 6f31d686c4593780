import JsonReading
package import SymbolicationModel

/// A frame as a line of a report in Apple's text format.
///
/// ```text
/// 2   libsystem_c.dylib             →0x00000001ed257ea8 0x1ed1fd000 + 372392
/// index  imageName                    address            content
/// ```
///
/// A renderer replaces ``contentRange`` and leaves all other bytes as they are. A report has many
/// frames, so only a few offsets are stored. The other ranges are found anew on each call, which
/// reads a few bytes.
public struct FrameLine: Sendable {
  private let source: TextSource
  private let span: ByteSpan
  private let addressOffset: UInt32
  private let addressLength: UInt8
  /// The distance from the start of the line to the name; the greatest number of this type if the
  /// distance is that or more.
  private let nameDistance: UInt16

  /// - Parameters:
  ///   - name: the offset of the image's name in the input.
  ///   - address: the range of the address in the input.
  package init(source: TextSource, line: ByteSpan, name: Int, address: Range<Int>) {
    self.source = source
    self.span = line
    self.addressOffset = UInt32(clamping: address.lowerBound)
    self.addressLength = UInt8(clamping: address.count)
    self.nameDistance = UInt16(clamping: name - line.lowerBound)
  }

  private init(_ line: FrameLine, extendedTo end: Int) {
    source = line.source
    span = ByteSpan(line.span.lowerBound, end)
    addressOffset = line.addressOffset
    addressLength = line.addressLength
    nameDistance = line.nameDistance
  }

  /// The whole line, including its indentation but not its line end. A symbol may contain line ends
  /// (some runtimes' failure messages do); the range then covers all of its lines.
  public var byteRange: Range<Int> { span.range }

  /// The digits of ``index``.
  public var indexRange: Range<Int> {
    let start = source.skipSeparators(from: span.lowerBound, limit: span.upperBound)
    var end = start
    while end < span.upperBound, Ascii.isDigit(source[end]) { end += 1 }
    return start..<end
  }

  /// The name of the image, without the padding around it.
  public var imageNameRange: Range<Int> {
    let start =
      nameDistance < .max
      ? span.lowerBound + Int(nameDistance)
      : source.skipSeparators(from: indexRange.upperBound, limit: Int(addressOffset))
    let end = source.trimEnd(from: start, to: Int(addressOffset))
    // Of `ipsw`.
    guard end - start > 2, source[end - 1] == UInt8(ascii: ")"),
      let slide = source.find(TextSource.slideMark, from: start, limit: end)
    else { return start..<end }
    return start..<source.trimEnd(from: start, to: slide)
  }

  /// The address, including its `0x`.
  public var addressRange: Range<Int> {
    Int(addressOffset)..<Int(addressOffset) + Int(addressLength)
  }

  /// What follows the address and its separator, without the separators at the end of the line: the
  /// part to replace. An empty symbol (`0x19a4cc984  + -1 (:-1)`) leaves the space before its `+`
  /// in the content. Empty, at the end of the line, if nothing follows.
  public var contentRange: Range<Int> {
    source.frameContent(after: addressRange.upperBound, limit: span.upperBound)
  }

  /// The number at the start of the line.
  public var index: Int {
    let start = source.skipSeparators(from: span.lowerBound, limit: span.upperBound)
    // The line was read as a frame, so its index is there and fits.
    return source.number(at: start, limit: span.upperBound).flatMap { Int(exactly: $0.value) } ?? 0
  }

  /// The image as the line names it.
  public var imageName: String { source.string(imageNameRange) }

  /// Whether the line names the image so. A name that may have to be decoded never compares equal.
  func hasImageName(_ name: String) -> Bool { source.isPlainText(name, imageNameRange) }

  /// What the line says about the address.
  public var content: FrameContent { contentReader.readBeforeProse() }

  /// What the line says about the address, with the name alone as the symbol if nothing is behind
  /// it.
  package var statement: (symbol: FrameSymbol?, address: ImageRelativeAddress?) {
    let reader = contentReader
    let content = reader.readBeforeProse()
    return (
      content == .unparsed ? reader.bareName() ?? reader.cutName() : content.symbol,
      content.imageRelativeAddress
    )
  }

  /// `LOAD + OFFSET`, if the line states it. Costs no allocation.
  package var imageRelativeAddress: ImageRelativeAddress? { contentReader.imageRelativeAddress() }

  /// Whether the text ends within what follows the address.
  package var isCut: Bool { contentReader.isCut && !contentRange.isEmpty }

  /// What the text has of a name if it ends within it: `kit::Board<Card> KitBo`. Nil for what is
  /// left of an address.
  package var cutName: String? { contentReader.cutText }

  private var contentReader: FrameContentReader {
    var range = contentRange
    // `ipsw` writes names as symbol tables have them: those of C with an underscore in front.
    if range.count > 1, source[range.lowerBound] == UInt8(ascii: "_"),
      source[indexRange.upperBound] == Ascii.colon
    {
      range = range.lowerBound + 1..<range.upperBound
    }
    return FrameContentReader(source: source, range: range)
  }

  /// Whether the line cannot be anything but a frame: `LOAD + OFFSET` add up to its address.
  package func isUnmistakable(_ address: LoadAddress) -> Bool {
    guard let relative = imageRelativeAddress, relative.base.value > 0 else { return false }
    let (sum, overflow) = relative.base.value.addingReportingOverflow(relative.offset)
    return !overflow && sum == address.value
  }

  /// The same frame with more lines.
  package func extended(to lineEnd: Int) -> FrameLine { FrameLine(self, extendedTo: lineEnd) }
}

extension TextSource {
  /// What the slide of an image begins with in the frames of `ipsw`.
  package static let slideMark = "(slide=0x"

  /// What follows the address of a frame, without the separators at either end.
  fileprivate func frameContent(after addressEnd: Int, limit: Int) -> Range<Int> {
    var start = skipSeparators(from: addressEnd, limit: limit)
    if self[start] == Ascii.openParenthesis, has(Self.slideMark, at: start, limit: limit),
      let close = find(")", from: start, limit: min(limit, start + 32))
    {
      start = skipSeparators(from: close + 1, limit: limit)
    }
    // With two spaces before a plus sign, the second one belongs to the ` + ` of an empty symbol.
    // `+[Board new]` is a method.
    if start < limit, self[start] == Ascii.plus, start - addressEnd >= 2,
      start + 1 == limit || self[start + 1] != Ascii.openBracket,
      self[start - 1] == Ascii.space
    {
      start -= 1
    }
    return start..<trimEnd(from: start, to: limit)
  }
}

/// What a frame line says after the address.
public enum FrameContent: Hashable, Sendable {
  /// `0x1ed1fd000 + 372392`. The base is 0 if the writer knew no image (`0 + 70368744177778`).
  case unsymbolicated(ImageRelativeAddress)
  /// `pthread_kill + 268 (pthread.c:1721)`.
  case symbolicated(FrameSymbol)
  /// Image and symbol side by side: `0x3617c000 + 72220 (__pthread_kill + 8)`, as KSCrash writes
  /// it, and `0x10002c000 + 0x20dd8 // sym + 0x80`, as the crash reporter of jailbroken devices
  /// does.
  case sideBySide(ImageRelativeAddress, symbol: FrameSymbol)
  /// `-[MyClass crashingMethod] (in CrashingTest) (MyClass.m:20)`: output of `atos`, pasted into
  /// the line.
  case atos(FrameSymbol, imageName: String)
  /// `???`, or `? + 4373061536`: the writer says that it knows nothing.
  case unknown
  /// None of these. The text is in ``FrameLine/contentRange``.
  case unparsed

  /// `LOAD + OFFSET`, if the line states it.
  public var imageRelativeAddress: ImageRelativeAddress? {
    switch self {
    case .unsymbolicated(let address), .sideBySide(let address, _): address
    case .symbolicated, .atos, .unknown, .unparsed: nil
    }
  }

  /// The symbol, whichever way the line shows it.
  public var symbol: FrameSymbol? {
    switch self {
    case .symbolicated(let symbol), .sideBySide(_, let symbol), .atos(let symbol, _): symbol
    case .unsymbolicated, .unknown, .unparsed: nil
    }
  }
}
