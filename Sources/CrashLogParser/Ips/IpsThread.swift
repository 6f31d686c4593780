/// One entry of `threads`: a thread with its backtrace.
public struct IpsThread: Sendable {
  /// The entry, with what has no property here, such as `threadState`.
  package let value: JsonValue

  /// The number of the thread: its place in the list, as `faultingThread` counts.
  public let index: Int
  /// The thread's identifier in the crashed system.
  public let identifier: UInt64?
  /// Whether the entry says that this thread caused the report. ``IpsReport/crashedThread`` knows the
  /// reports that say it elsewhere.
  public let isTriggered: Bool
  /// The frames, innermost first. Empty where the writer found none.
  public let frames: [IpsFrame]

  /// The name of the thread; nil where it has none. Read from the bytes at each call.
  public var name: String? { value["name"]?.string }
  /// The label of the dispatch queue that the thread worked for; nil where there is none.
  public var dispatchQueue: String? { value["queue"]?.string }
  /// The entry from brace to brace, as a half-open range of offsets in the input; to the damage for one
  /// that is not complete.
  public var byteRange: Range<Int> { value.byteRange }
  /// False for the thread in which the report was cut: it has the frames that were complete.
  public var isComplete: Bool { value.isComplete }
}

/// One string of `asiBacktraces`: a backtrace as text that the application or a library put into the
/// report, such as that of an exception, with a frame on each line.
public struct IpsTextBacktrace: Sendable {
  private let value: JsonValue

  init(_ value: JsonValue) { self.value = value }

  /// The string with its quotes, escaped as it is, as a half-open range of offsets in the input.
  public var byteRange: Range<Int> { value.byteRange }
  /// The text, escapes decoded. Made from the bytes at each call.
  public var text: String { value.string ?? "" }
}
