import AddressResolver
import SymbolicationModel
import Wording

/// The output lines for one batch of answers. Each thread makes those of its batches.
struct AtosLines {
  private(set) var bytes: [UInt8] = []
  private(set) var labels: [AtosLineTable.Label] = []
  private(set) var lines: [AtosLineTable.Line] = []
  /// The numbers of the addresses, and indices in `lines`.
  private(set) var answers: [(number: Int, lines: Range<Int>)] = []
  /// In bytes of labels.
  private(set) var largestAnswer = 0
  /// By function: the path and label of its last line.
  private var lastLabels: [(path: Int32, label: Int32)]
  /// By function and path.
  private var allLabels: [UInt64: Int32] = [:]
  /// By path: the file as it is shown, and `:`. Empty until it is asked for.
  private var files: [[UInt8]]
  private let beforeFile: [UInt8]
  private let beforeDistance: [UInt8]
  private let showsFullPath: Bool

  /// In bytes: how long an answer may be, and how much the labels of a batch may take. Functions
  /// may share one long name, and each has a label of its own. An address that gets no lines here
  /// is answered alone, later.
  private static let answerSize = 1 << 14
  private static let labelSize = 1 << 23

  /// - Parameter imageName: the name printed after `in`.
  init(_ batch: ResolvedBatch, imageName: String, _ options: AtosOptions) {
    lastLabels = Array(repeating: (-1, -1), count: batch.functions.count)
    files = Array(repeating: [], count: batch.paths.count)
    beforeFile = Self.bytes(of: AtosLine.middle(imageName: imageName, hasFile: true))
    beforeDistance = Self.bytes(of: AtosLine.middle(imageName: imageName, hasFile: false))
    showsFullPath = options.showsFullPath
    let lineCount = options.showsInlinedFrames ? batch.frames.count : batch.answers.count
    lines.reserveCapacity(lineCount)
    answers.reserveCapacity(batch.answers.count)
    let frames = batch.frames.span
    for answer in batch.answers {
      let first = lines.count
      var size = 0
      let shown =
        options.showsInlinedFrames
        ? answer.frames : answer.frames.upperBound - 1..<answer.frames.upperBound
      for index in shown {
        let frame = frames[index]
        guard bytes.count < Self.labelSize, size < Self.answerSize,
          let number = Self.number(of: frame, at: answer.question.address)
        else {
          lines.removeSubrange(first...)
          break
        }
        let last = lastLabels[Int(frame.function)]
        let label =
          last.label >= 0 && last.path == frame.path
          ? last.label : label(of: frame, in: batch)
        size += Int(labels[Int(label)].count)
        lines.append(AtosLineTable.Line(label: label, number: number))
      }
      if size >= Self.answerSize { lines.removeSubrange(first...) }
      largestAnswer = max(largestAnswer, size)
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

  private mutating func label(of frame: ResolvedBatch.Frame, in batch: ResolvedBatch) -> Int32 {
    let key =
      UInt64(UInt32(bitPattern: frame.function)) << 32 | UInt64(UInt32(bitPattern: frame.path))
    let label = allLabels[key] ?? newLabel(of: frame, in: batch)
    allLabels[key] = label
    lastLabels[Int(frame.function)] = (frame.path, label)
    return label
  }

  /// Composed of bytes, because thousands of strings take longer than the lookups.
  private mutating func newLabel(of frame: ResolvedBatch.Frame, in batch: ResolvedBatch) -> Int32 {
    let start = bytes.count
    let hasFile = frame.path >= 0
    bytes.append(path: batch.functions[Int(frame.function)].name.withoutControlCharacters)
    bytes += hasFile ? beforeFile : beforeDistance
    if hasFile {
      let path = Int(frame.path)
      if files[path].isEmpty { files[path] = file(at: batch.paths[path]) }
      bytes += files[path]
    }
    labels.append(
      AtosLineTable.Label(
        start: start, count: Int32(clamping: bytes.count - start), hasLocation: hasFile))
    return Int32(truncatingIfNeeded: labels.count - 1)
  }

  private func file(at path: String) -> [UInt8] {
    let location = SourceLocation(path: path, line: 0)
    return Self.bytes(of: (showsFullPath ? path : location.fileName) + AtosLine.beforeLine)
  }

  private static func bytes(of text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(path: text.withoutControlCharacters)
    return bytes
  }
}

/// The output lines for many addresses. A line is a number and a label: the part before the number,
/// which all lines of one function and file share, as bytes.
struct AtosLineTable {
  /// `name (in image) (file:` or, without a location, `name (in image) + `.
  struct Label {
    /// The index in `bytes`.
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

  struct Answer {
    /// The index in `lines`.
    let firstLine: UInt32
    /// 0 for an address that was not answered.
    let lineCount: UInt32

    var lines: Range<Int> { Int(firstLine)..<Int(firstLine) + Int(lineCount) }
  }

  private(set) var bytes: [UInt8] = []
  private(set) var labels: [Label] = []
  private(set) var lines: [Line] = []
  /// By the number of the address.
  private(set) var answers: [Answer] = []
  /// In bytes of labels.
  private(set) var largestAnswer = 1

  /// In bytes. What is beyond is answered alone.
  private static let greatestSize = 1 << 27

  /// Makes room for the answers of the addresses with numbers below `count`.
  mutating func makeRoom(for count: Int) {
    answers += repeatElement(Answer(firstLine: 0, lineCount: 0), count: count - answers.count)
  }

  /// Whether the address with `number` was answered.
  func hasAnswer(_ number: Int) -> Bool { answers[number].lineCount > 0 }

  mutating func add(_ part: AtosLines) {
    let size =
      bytes.count + part.bytes.count
      + (lines.count + part.lines.count) * MemoryLayout<Line>.stride
    guard size <= Self.greatestSize, let firstLine = UInt32(exactly: lines.count),
      UInt32(exactly: lines.count + part.lines.count) != nil
    else { return }
    let firstLabel = Int32(truncatingIfNeeded: labels.count)
    let firstByte = bytes.count
    largestAnswer = max(largestAnswer, part.largestAnswer)
    bytes += part.bytes
    for label in part.labels {
      labels.append(
        Label(start: label.start + firstByte, count: label.count, hasLocation: label.hasLocation))
    }
    for line in part.lines {
      lines.append(Line(label: line.label &+ firstLabel, number: line.number))
    }
    for answer in part.answers {
      answers[answer.number] = Answer(
        firstLine: firstLine &+ UInt32(truncatingIfNeeded: answer.lines.lowerBound),
        lineCount: UInt32(truncatingIfNeeded: answer.lines.count))
    }
  }
}
