package import JsonReading

/// A list of frames: of a thread, of the last exception, or one that the application added.
public struct Backtrace: Sendable {
  /// What a backtrace belongs to.
  public enum Kind: String, Hashable, Sendable {
    /// A thread of the process.
    case thread
    /// Where the uncaught exception was thrown.
    case lastException
    /// Added by the application or a library, for an exception for example.
    case applicationSpecific
    /// Frames that the writer picked from the threads: the heaviest stack of a spindump, the
    /// functions in the most stacks of a sample.
    case digest
  }

  /// Whether it is a thread's, the last exception's, or one that the application added.
  public let kind: Kind
  /// The number of the thread, or of the application's backtrace; both count from 0. Nil if the
  /// report has none: frames without a heading, or a number that is too large.
  public let number: Int?
  /// The thread's name.
  public let name: String?
  /// The label of the dispatch queue that the thread worked for.
  public let dispatchQueue: String?
  /// Whether this is the thread that crashed: its heading says so, else the head of the report
  /// does, else its heading highlights it. At most one thread, except in Swift's backtraces, which
  /// may mark several.
  public let isCrashed: Bool
  /// The frames, innermost first; those of a call tree as ``isCallTree`` says. May be empty.
  public package(set) var frames: [StackFrame]
  /// Whether the report shows the outermost frame first, as `leaks` does. All its frames are then
  /// calls.
  package let isOutermostFirst: Bool
  /// Whether the frames are a tree of many stacks that were sampled, as in `sample` and `spindump`.
  /// The frames are then in the order of the tree: a caller comes before all that it calls, and
  /// ``StackFrame/depth`` says which of them is its caller.
  public let isCallTree: Bool
  /// In how many samples the thread was seen; nil if the report does not say it.
  public let sampleCount: Int?
  /// From the heading to the last frame, without its line end; in JSON the value that holds the
  /// frames.
  public let byteRange: Range<Int>
  /// The range of the addresses if they are a list in parentheses, `(0x1ed76127c 0x1ec93b9f8 …)`,
  /// as iOS 14 and earlier write the last exception. A renderer replaces it with frame lines.
  public let addressListRange: Range<Int>?
  /// The text that the ranges of the frames refer to, if it is not the input but a string in JSON:
  /// the string with its escapes decoded. ``byteRange`` is then the string with its quotes. Nil if
  /// the ranges refer to the input.
  public let embeddedText: [UInt8]?
  /// Where the writer left frames out, in the order of the report.
  package let omissions: [Range<Int>]
  /// The JSON object of a thread of an `.ips`.
  package let json: JsonValue?

  /// Whether it is the heaviest stack of the main thread, which spindumps of hangs begin with.
  package var isDigestOfMainThread: Bool {
    kind == .digest && name?.hasPrefix("Heaviest stack for the main thread") == true
  }

  /// Whether the text has the end of the stack alone: its first frame is far from the innermost
  /// one, so that nothing in it says where the crash happened.
  package var hasOnlyOuterFrames: Bool {
    guard let first = frames.first?.index, !isCallTree, !isOutermostFirst else { return false }
    return first >= Self.outerFrame
  }

  /// Who quotes the frames of a program leaves fewer of the system's out above them.
  private static let outerFrame = 24

  package init(
    kind: Kind, number: Int? = nil, name: String? = nil, dispatchQueue: String? = nil,
    isCrashed: Bool = false, frames: [StackFrame], isOutermostFirst: Bool = false,
    isCallTree: Bool = false, sampleCount: Int? = nil, byteRange: Range<Int>,
    addressListRange: Range<Int>? = nil, embeddedText: [UInt8]? = nil,
    omissions: [Range<Int>] = [], json: JsonValue? = nil
  ) {
    self.kind = kind
    self.number = number
    self.name = name
    self.dispatchQueue = dispatchQueue
    self.isCrashed = isCrashed
    self.frames = frames
    self.isOutermostFirst = isOutermostFirst
    self.isCallTree = isCallTree
    self.sampleCount = sampleCount
    self.byteRange = byteRange
    self.addressListRange = addressListRange
    self.embeddedText = embeddedText
    self.omissions = omissions
    self.json = json
  }
}
