public import SymbolicationModel

/// One frame of a Swift backtrace.
///
/// ```text
/// 3 [ra] [system] 0x00007f271c1a4cf6 swift_unexpectedError + 805 in libswiftCore.so at Error.cpp:3:7
/// index  attributes  address         content
/// ```
///
/// Without symbols the line ends with its address. In the form for people (`preset=friendly`) there are
/// no attributes, and no addresses where there is a place in a source file.
public struct SwiftBacktraceFrame: Sendable {
  public enum Kind: Hashable, Sendable {
    /// Without a mark: the instruction that was being executed.
    case programCounter
    /// `[ra]`: where a call returns to.
    case returnAddress
    /// `[async]`: where an asynchronous function will go on.
    case asyncResumePoint
  }

  public internal(set) var kind: Kind
  /// The number at the start of the line; nil where the report has none.
  public let index: Int?
  /// The address in the crashed process; nil where the report does not show it. A return address is
  /// where the call returns to, not one less.
  public let address: LoadAddress?
  /// What the report says the address is; nil where it says nothing, or `<unknown>`. The offset is from
  /// the start of the symbol to the address that was looked up: one less for a return address. Inlined
  /// calls have none.
  public internal(set) var symbol: FrameSymbol?
  /// The name of the image, where the report has symbols.
  public internal(set) var imageName: String?
  /// `[inlined]`: a call inlined into the next frame, which has the same address.
  public let isInlined: Bool
  /// `[system]`: a part of the runtime, or code of the compiler's own making.
  public let isSystem: Bool
  /// `[thunk]`: a function of the compiler's own making that calls another one.
  public let isThunk: Bool
  /// The line, without what a log has before it and without its line end; the object in a report as
  /// JSON.
  public let byteRange: Range<Int>
  /// The parts of the line; nil in a report as JSON.
  public internal(set) var text: TextRanges?
  /// The object in a report as JSON.
  package var json: JsonValue?

  /// Where the parts of a line are: half-open ranges of offsets in the input. They do not overlap.
  public struct TextRanges: Hashable, Sendable {
    /// The digits of the index.
    public let index: Range<Int>
    /// From the first bracket to the last; nil where there are no attributes.
    public let attributes: Range<Int>?
    /// The address, `0x` included; nil where there is none.
    public let address: Range<Int>?
    /// What follows, without the separator; empty, behind the address, where nothing does.
    public internal(set) var content: Range<Int>
  }
}
