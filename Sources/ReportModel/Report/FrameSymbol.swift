import JsonReading

/// A symbol as a report shows it.
public struct FrameSymbol: Hashable, Sendable {
  /// The name as shown, demangled or not. Empty if the writer had none (` + -1 (:-1)`). It may
  /// contain anything, even line ends.
  public var name: String
  /// Bytes from the start of the symbol to the address, as printed; -1 if the writer did not know.
  /// Nil if the report has none.
  public var offset: Int64?
  /// The source file, usually without its folders. Nil if the report has none, or an empty one
  /// (`(:-1)`).
  public var file: String?
  /// The line, counted from 1; 0 for code without a line. Nil if the report has none, or -1.
  public var line: Int?
  /// The column, counted from 1; nil if the report has none. Swift's backtraces have columns.
  public var column: Int?
  /// Whether the frame is a call inlined into the next frame, which has the same address.
  public var isInlined: Bool

  /// Makes a symbol from its name and whatever else is known about it.
  public init(
    name: String, offset: Int64? = nil, file: String? = nil, line: Int? = nil,
    column: Int? = nil, isInlined: Bool = false
  ) {
    self.name = name
    self.offset = offset
    self.file = file
    self.line = line
    self.column = column
    self.isInlined = isInlined
  }
}
