public import SymbolicationModel

/// One frame of a backtrace: an object such as
/// `{"imageOffset":236404,"symbol":"main","symbolLocation":8,"imageIndex":0}`.
///
/// All ranges are half-open ranges of offsets in the input.
public struct IpsFrame: Sendable {
  private let content: JsonContent
  /// The address in the crashed process: the program counter in the first frame, a return address in
  /// the others. Nil where the image is not in the list, or the sum is no 64-bit address.
  public let address: LoadAddress?
  /// Where the object is on the tape: a report has a great many frames, so that each is kept small.
  private let position: UInt32
  /// ``imageIndex`` where it is less than this type's greatest number, which stands for every other.
  private let smallImageIndex: UInt32
  /// What stands between the frame before this one and this one; for the first frame, what stands
  /// between it and the second, or else before it.
  let separatorSpan: ByteSpan

  init(
    content: JsonContent, position: Int, imageIndex: Int?, address: LoadAddress?,
    separatorSpan: ByteSpan
  ) {
    self.content = content
    self.address = address
    self.position = UInt32(clamping: position)
    self.smallImageIndex = imageIndex.map { UInt32(clamping: $0) } ?? .max
    self.separatorSpan = separatorSpan
  }

  /// The object.
  package var value: JsonValue { JsonValue(content: content, position: Int(position)) }

  /// The place of the frame's image in ``IpsReport/images``, as written: it may lie outside. Nil where
  /// it is missing or no such number.
  public var imageIndex: Int? {
    if smallImageIndex < .max { return Int(smallImageIndex) }
    return value["imageIndex"]?.unsignedInteger.flatMap { Int(exactly: $0) }
  }
  /// The distance of the address from the start of the image. Nil where it is missing or no such
  /// number. Read from the bytes at each call.
  public var imageOffset: UInt64? { value["imageOffset"]?.unsignedInteger }

  /// The object from brace to brace.
  public var byteRange: Range<Int> { value.byteRange }
}

/// What the frame says of its address. All is read from the bytes at each call, and nil where it is
/// missing or of the wrong kind.
extension IpsFrame {
  /// The function's name. It may have line ends in it.
  public var symbol: String? { value[Key.symbol.rawValue]?.string }
  /// The distance of the address from the start of the function.
  public var symbolLocation: UInt64? { value[Key.symbolLocation.rawValue]?.unsignedInteger }
  /// The name of the source file, most often without its folders. It may stand without a line.
  public var sourceFile: String? { value[Key.sourceFile.rawValue]?.string }
  /// The line, counted from 1; 0 where the compiler knew of none.
  public var sourceLine: UInt64? { value[Key.sourceLine.rawValue]?.unsignedInteger }
  /// Whether the frame is a call that was inlined into the frame after it: `true`, or the string
  /// `"true"`, which some tools write.
  public var isInline: Bool { value[Key.inline.rawValue]?.isAffirmative ?? false }
}

extension JsonValue {
  /// `true`, the string `"true"`, or a number other than 0: writers differ.
  var isAffirmative: Bool {
    switch kind {
    case .true: true
    case .string: string == "true"
    case .number: unsignedInteger.map { $0 != 0 } ?? false
    default: false
    }
  }
}
