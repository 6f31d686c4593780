/// One thread with its backtrace.
public struct CrashThread: Sendable {
  private let source: TextSource
  var nameSpan = ByteSpan.empty
  var dispatchQueueSpan = ByteSpan.empty

  /// The number in the heading. Writers count from 0; shortened reports leave threads out. Nil where
  /// frames stand without a heading, and where the number does not fit.
  public let number: Int?
  /// Whether the heading says `Crashed`. ``CrashReport/crashedThread`` knows the reports that say it
  /// elsewhere.
  public internal(set) var isCrashed = false
  /// Whether the heading says `Highlighted`: the thread that a report of something else than a crash
  /// points at.
  public internal(set) var isHighlighted = false
  /// The frames, innermost first. Empty where the writer found none.
  public internal(set) var frames: [StackFrame] = []
  /// From the start of the first line of the thread (`Thread N name:` or the heading) to the end of its
  /// last frame, without the line end: a half-open range of offsets in the input.
  public internal(set) var byteRange: Range<Int>

  init(source: TextSource, number: Int?, byteRange: Range<Int>) {
    self.source = source
    self.number = number
    self.byteRange = byteRange
  }

  /// The name of the thread. Nil where it has none.
  public var name: String? { nameSpan.isEmpty ? nil : source.string(nameSpan.range) }
  /// The label of the dispatch queue that the thread worked for. Nil where there is none.
  public var dispatchQueue: String? {
    dispatchQueueSpan.isEmpty ? nil : source.string(dispatchQueueSpan.range)
  }
}
