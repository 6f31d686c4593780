import ReportModel
import SymbolicationModel

/// What a line of a call tree says about a frame.
struct CallTreeFrame {
  var address: LoadAddress?
  /// Nil for `???`.
  var symbol: FrameSymbol?
  /// Nil for an image without a name.
  var imageName: String?
  /// Of an image that is only known by it.
  var identity: ImageIdentity?
  var imageRelativeAddress: ImageRelativeAddress?
  let parts: FrameValues.TreeParts

  func values(at line: TextLine, sampleCount: Int?) -> FrameValues {
    var values = FrameValues(byteRange: line.start..<line.end)
    values.sampleCount = sampleCount
    values.imageName = imageName
    values.imageRelativeAddress = imageRelativeAddress
    values.symbol = symbol
    values.treeParts = parts
    return values
  }
}

/// The heading of a thread.
struct CallTreeThread {
  var number: Int?
  var name: String?
  var queue: String?
  /// The samples in which the thread was seen.
  var count: Int?
}

/// A thread, or a list of frames, that is being read.
struct OpenCallTree {
  private let heading: CallTreeThread
  let kind: Backtrace.Kind
  private let start: Int
  var end: Int
  var tree = CallTreeBuilder()
  /// Whether it was left out because of a limit.
  var isLeftOut = false

  init(_ heading: CallTreeThread, _ kind: Backtrace.Kind, at line: TextLine) {
    (self.heading, self.kind) = (heading, kind)
    (start, end) = (line.start, line.end)
  }

  func backtrace(_ frames: [StackFrame]) -> Backtrace {
    Backtrace(
      kind: kind, number: heading.number, name: heading.name, dispatchQueue: heading.queue,
      frames: frames, isCallTree: true, sampleCount: heading.count, byteRange: start..<end)
  }
}
