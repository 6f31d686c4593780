internal import SymbolicationModel

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
  private let smallImageIndex: UInt32
  /// What separates this frame from the one before it. For the first frame, what separates it from
  /// the second, or else what precedes it.
  let separatorSpan: ByteSpan

  init(content: JsonContent, position: Int, imageIndex: Int?, separatorSpan: ByteSpan) {
    self.content = content
    self.position = UInt32(clamping: position)
    self.smallImageIndex = imageIndex.map { UInt32(clamping: $0) } ?? .max
    self.separatorSpan = separatorSpan
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
    // Most frames have no symbol: one look at the keys is enough for these.
    guard let symbol else { return nil }
    // Apple's writer leaves out a line that is 0.
    let file = sourceFile
    let line = sourceLine.map { Int(clamping: $0) } ?? (file == nil ? nil : 0)
    return FrameSymbol(
      name: symbol, offset: symbolLocation.flatMap { Int64(exactly: $0) }, file: file,
      line: line, isInlined: isInline)
  }
}
