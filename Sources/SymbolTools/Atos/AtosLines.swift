import AddressResolver
import SymbolicationModel

/// The output lines for one batch of answers. Each thread makes those of its batches.
struct AtosLines {
  private(set) var bytes: [UInt8] = []
  private(set) var labels: [AtosLineTable.Label] = []
  private(set) var lines: [AtosLineTable.Line] = []
  /// The numbers of the addresses, and indices in `lines`.
  private(set) var answers: [(number: Int, lines: Range<Int>)] = []
  /// By function: the path and label of its last line.
  private var lastLabels: [(path: Int32, label: Int32)]
  /// By function and path.
  private var allLabels: [UInt64: Int32] = [:]

  /// - Parameter imageName: the name printed after `in`.
  init(_ batch: ResolvedBatch, imageName: String, _ options: AtosOptions) {
    lastLabels = Array(repeating: (-1, -1), count: batch.functions.count)
    let lineCount = options.showsInlinedFrames ? batch.frames.count : batch.answers.count
    lines.reserveCapacity(lineCount)
    answers.reserveCapacity(batch.answers.count)
    let frames = batch.frames.span
    for answer in batch.answers {
      let first = lines.count
      let shown =
        options.showsInlinedFrames
        ? answer.frames : answer.frames.upperBound - 1..<answer.frames.upperBound
      for index in shown {
        let frame = frames[index]
        guard let number = Self.number(of: frame, at: answer.question.address) else {
          lines.removeSubrange(first...)
          break
        }
        let last = lastLabels[Int(frame.function)]
        let label =
          last.label >= 0 && last.path == frame.path
          ? last.label : label(of: frame, in: batch, imageName, options)
        lines.append(AtosLineTable.Line(label: label, number: number))
      }
      answers.append((answer.question.number, first..<lines.count))
    }
  }

  /// Nil for a distance of more than 32 bits.
  private static func number(
    of frame: ResolvedBatch.Frame, at address: LinkAddress
  ) -> UInt32? {
    frame.path >= 0
      ? frame.line : UInt32(exactly: address.distance(from: frame.rangeStart) ?? 0)
  }

  private mutating func label(
    of frame: ResolvedBatch.Frame, in batch: ResolvedBatch, _ imageName: String,
    _ options: AtosOptions
  ) -> Int32 {
    let key =
      UInt64(UInt32(bitPattern: frame.function)) << 32 | UInt64(UInt32(bitPattern: frame.path))
    let label = allLabels[key] ?? newLabel(of: frame, in: batch, imageName, options)
    allLabels[key] = label
    lastLabels[Int(frame.function)] = (frame.path, label)
    return label
  }

  private mutating func newLabel(
    of frame: ResolvedBatch.Frame, in batch: ResolvedBatch, _ imageName: String,
    _ options: AtosOptions
  ) -> Int32 {
    var file: String?
    if frame.path >= 0 {
      let location = SourceLocation(path: batch.paths[Int(frame.path)], line: frame.line)
      file = options.showsFullPath ? location.path : location.fileName
    }
    let start = bytes.count
    bytes +=
      AtosLine.beginning(
        name: batch.functions[Int(frame.function)].name, imageName: imageName, file: file
      ).utf8
    labels.append(
      AtosLineTable.Label(
        start: start, count: Int32(clamping: bytes.count - start), hasLocation: file != nil))
    return Int32(truncatingIfNeeded: labels.count - 1)
  }
}
