public import SymbolicationModel

/// One line of a backtrace: index, image, address, and what the writer knew of the address.
///
/// ```text
/// 2   libsystem_c.dylib             →0x00000001ed257ea8 0x1ed1fd000 + 372392
/// index  imageName                    address            content
/// ```
///
/// All ranges are half-open ranges of byte offsets in the input. A renderer replaces the bytes of
/// ``contentRange`` and nothing else.
public struct StackFrame: Sendable {
  private let source: TextSource
  private let lineSpan: ByteSpan
  private let indexSpan: ByteSpan
  private let imageNameSpan: ByteSpan
  private let addressSpan: ByteSpan
  private let contentSpan: ByteSpan

  /// The number at the start of the line, as written: writers count from 0, but a shortened backtrace
  /// may begin anywhere and leave numbers out.
  public let index: Int
  /// The address in the crashed process: the program counter in the first frame, a return address in
  /// the others.
  public let address: LoadAddress

  init(
    source: TextSource, line: ByteSpan, index: Int, indexSpan: ByteSpan, imageName: ByteSpan,
    address: LoadAddress, addressSpan: ByteSpan, content: ByteSpan
  ) {
    self.source = source
    self.lineSpan = line
    self.index = index
    self.indexSpan = indexSpan
    self.imageNameSpan = imageName
    self.address = address
    self.addressSpan = addressSpan
    self.contentSpan = content
  }

  /// The whole line, indentation included, line end not. Where the symbol has line ends in it, which
  /// some runtimes' failure messages have, the frame is all the lines that it takes up.
  public var byteRange: Range<Int> { lineSpan.range }
  /// The digits of ``index``.
  public var indexRange: Range<Int> { indexSpan.range }
  /// The name of the image, without the padding around it.
  public var imageNameRange: Range<Int> { imageNameSpan.range }
  /// The address, `0x` included.
  public var addressRange: Range<Int> { addressSpan.range }
  /// What follows the address and its separator, without the separators at the end of the line: the
  /// part to replace. An empty symbol (`0x19a4cc984  + -1 (:-1)`) leaves the space before its `+` in
  /// the content. Empty, at the end of the line, where nothing follows.
  public var contentRange: Range<Int> { contentSpan.range }

  /// The image as the line names it: a file name, or a bundle identifier in the reports of macOS 11
  /// and earlier. Not unique: find the image by address, with ``CrashReport/image(for:)``.
  ///
  /// Made from the bytes at each call, as are the other texts of a frame.
  public var imageName: String { source.string(imageNameSpan.range) }

  /// What the line says of the address, read from the bytes at each call.
  public var content: FrameContent { FrameContentReader(source: source, span: contentSpan).read() }

  /// The start of the frame's image as the line itself states it (`LOAD + offset`), or nil where the
  /// line has a symbol instead. 0 where the writer knew no image. Costs no allocation.
  public var statedImageLoadAddress: LoadAddress? {
    FrameContentReader(source: source, span: contentSpan).loadAddressAndOffset()?.loadAddress
  }

  /// Whether the line cannot be anything but a frame: `LOAD + offset` add up to its address.
  var isUnmistakable: Bool {
    let reader = FrameContentReader(source: source, span: contentSpan)
    guard let (load, offset) = reader.loadAddressAndOffset(), load.value > 0 else { return false }
    let (sum, overflow) = load.value.addingReportingOverflow(offset)
    return !overflow && sum == address.value
  }

  /// The same frame with more lines.
  func extended(lineEnd: Int, contentEnd: Int) -> StackFrame {
    StackFrame(
      source: source, line: ByteSpan(lineSpan.lowerBound, lineEnd), index: index,
      indexSpan: indexSpan, imageName: imageNameSpan, address: address, addressSpan: addressSpan,
      content: ByteSpan(contentSpan.lowerBound, contentEnd))
  }
}
