public import SymbolicationModel

/// What a frame line says after the address.
public enum FrameContent: Hashable, Sendable {
  /// `0x1ed1fd000 + 372392`: the start of the image, and the distance from it to the address. The
  /// load address is 0 where the writer knew no image (`0 + 70368744177778`).
  case unsymbolicated(loadAddress: LoadAddress, offset: UInt64)
  /// `pthread_kill + 268 (pthread.c:1721)`.
  case symbolicated(FrameSymbol)
  /// `0x3617c000 + 72220 (__pthread_kill + 8)` of KSCrash, and `0x10002c000 + 0x20dd8 // sym + 0x80` of
  /// the crash reporter of jailbroken devices: image and symbol, side by side.
  case sideBySide(loadAddress: LoadAddress, offset: UInt64, symbol: FrameSymbol)
  /// `-[MyClass crashingMethod] (in CrashingTest) (MyClass.m:20)`: the output of `atos`, put in place of
  /// what stood there.
  case atos(FrameSymbol, imageName: String)
  /// `???`, or `? + 4373061536`: the writer says that it knows nothing.
  case unknown
  /// None of these. The text is in ``StackFrame/contentRange``.
  case unparsed
}

/// A symbol as a frame line shows it.
public struct FrameSymbol: Hashable, Sendable {
  /// The name as shown, demangled or not. Empty where the writer had none (` + -1 (:-1)`). It may
  /// contain anything, line ends too.
  public var name: String
  /// Bytes from the symbol's start to the address, as printed; -1 where the writer did not know. Nil
  /// where the line has none.
  public var offset: Int64?
  /// The source file, most often without directories; nil where the line has none or an empty one
  /// (`(:-1)`).
  public var file: String?
  /// The line, 1-based; 0 for code without a line. Nil where the line has none, or -1.
  public var line: Int?
  /// The column, 1-based; nil where the line has none. Swift's backtraces have them.
  public var column: Int?
  /// Whether the frame is a call inlined into the next frame, which has the same address.
  public var isInlined: Bool

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
