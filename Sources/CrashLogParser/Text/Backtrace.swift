public import SymbolicationModel

/// A backtrace that belongs to no thread of the report: the one of the last exception, or one that the
/// application put into the report.
public struct Backtrace: Sendable {
  /// The number in `Application Specific Backtrace N:`; nil for that of the last exception.
  public let number: Int?
  /// The frames, innermost first. Empty where the addresses stand in ``rawAddressList``.
  public internal(set) var frames: [StackFrame] = []
  /// The addresses in one pair of parentheses, as devices up to iOS 14 write the backtrace of the last
  /// exception.
  public internal(set) var rawAddressList: RawAddressList?
  /// From the heading's start to the end of the last frame, without its line end: a half-open range of
  /// offsets in the input.
  public internal(set) var byteRange: Range<Int>
}

/// `(0x1ed76127c 0x1ec93b9f8 0x1ed66b4b0)`: a backtrace without images.
public struct RawAddressList: Sendable {
  /// From the opening parenthesis to the closing one, as a half-open range of offsets in the input:
  /// the part to replace by frame lines.
  public let byteRange: Range<Int>
  /// The addresses, innermost first.
  public let addresses: [LoadAddress]
}
