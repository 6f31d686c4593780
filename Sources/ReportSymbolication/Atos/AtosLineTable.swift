import AddressResolver
import SymbolicationModel

/// The output lines for many addresses. A line is a number and a label: the part before the number,
/// which all lines of one function and file share, as bytes.
struct AtosLineTable {
  /// `name (in image) (file:` or, without a location, `name (in image) + `.
  struct Label {
    let start: Int
    let count: Int32
    /// Whether the number is a line of a file. If not, it is a distance in bytes.
    let hasLocation: Bool
  }

  struct Line {
    /// The index in `labels`.
    let label: Int32
    let number: UInt32
  }

  /// The bytes of all labels.
  private(set) var bytes: [UInt8] = []
  private(set) var labels: [Label] = []
  private(set) var lines: [Line] = []
  /// By the number of the address: its lines; empty for one that was not answered.
  private(set) var answers: [Range<Int>] = []

  /// Makes room for the answers of the addresses with numbers below `count`.
  mutating func makeRoom(for count: Int) {
    answers += repeatElement(0..<0, count: count - answers.count)
  }

  /// Whether the address with `number` was answered.
  func hasAnswer(_ number: Int) -> Bool { !answers[number].isEmpty }

  mutating func add(_ part: Part) {
    let firstLine = lines.count
    let firstLabel = Int32(truncatingIfNeeded: labels.count)
    let firstByte = bytes.count
    bytes += part.bytes
    for label in part.labels {
      labels.append(
        Label(start: label.start + firstByte, count: label.count, hasLocation: label.hasLocation))
    }
    for line in part.lines {
      lines.append(Line(label: line.label &+ firstLabel, number: line.number))
    }
    for answer in part.answers {
      answers[answer.number] =
        answer.lines.lowerBound + firstLine..<answer.lines.upperBound + firstLine
    }
  }

  /// The lines of one batch of answers. Each thread makes those of its batches.
  struct Part {
    fileprivate private(set) var bytes: [UInt8] = []
    fileprivate private(set) var labels: [Label] = []
    fileprivate private(set) var lines: [Line] = []
    fileprivate private(set) var answers: [(number: Int, lines: Range<Int>)] = []
    /// By function: the last path and label, and those of other paths.
    private var lastLabels: [(path: Int32, label: Int32)]
    private var otherLabels: [OtherLabel: Int32] = [:]

    private struct OtherLabel: Hashable {
      let function: Int32
      let path: Int32
    }

    /// - Parameter imageName: the name printed after `in`.
    init(_ batch: ResolvedBatch, imageName: String, _ options: AtosOptions) {
      lastLabels = Array(repeating: (-1, -1), count: batch.functions.count)
      answers.reserveCapacity(batch.answers.count)
      lines.reserveCapacity(options.showsInlinedFrames ? batch.frames.count : batch.answers.count)
      for answer in batch.answers {
        let first = lines.count
        let frames = options.showsInlinedFrames ? answer.frames : answer.frames.suffix(1)
        for frame in batch.frames[frames] {
          guard let number = Self.number(of: frame, at: answer.question.address) else {
            lines.removeSubrange(first...)
            break
          }
          let label = label(of: frame) { Self.label(of: frame, in: batch, imageName, options) }
          lines.append(Line(label: label, number: number))
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
      of frame: ResolvedBatch.Frame, compose: () -> String
    ) -> Int32 {
      let function = Int(frame.function)
      if lastLabels[function].label >= 0, lastLabels[function].path == frame.path {
        return lastLabels[function].label
      }
      let key = OtherLabel(function: frame.function, path: frame.path)
      let label = otherLabels[key] ?? add(compose(), hasLocation: frame.path >= 0)
      otherLabels[key] = label
      lastLabels[function] = (frame.path, label)
      return label
    }

    private mutating func add(_ text: String, hasLocation: Bool) -> Int32 {
      let start = bytes.count
      bytes += text.utf8
      labels.append(
        Label(
          start: start, count: Int32(clamping: bytes.count - start), hasLocation: hasLocation))
      return Int32(truncatingIfNeeded: labels.count - 1)
    }

    private static func label(
      of frame: ResolvedBatch.Frame, in batch: ResolvedBatch, _ imageName: String,
      _ options: AtosOptions
    ) -> String {
      let name = batch.functions[Int(frame.function)].name
      guard frame.path >= 0 else {
        return AtosLine.beginning(name: name, imageName: imageName, file: nil)
      }
      let location = SourceLocation(path: batch.paths[Int(frame.path)], line: frame.line)
      return AtosLine.beginning(
        name: name, imageName: imageName,
        file: options.showsFullPath ? location.path : location.fileName)
    }
  }
}
