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

  /// Makes room for the answers of the addresses with numbers below `count`.
  mutating func makeRoom(for count: Int) {
    answers += repeatElement(Answer(firstLine: 0, lineCount: 0), count: count - answers.count)
  }

  /// Whether the address with `number` was answered.
  func hasAnswer(_ number: Int) -> Bool { answers[number].lineCount > 0 }

  mutating func add(_ part: AtosLines) {
    guard let firstLine = UInt32(exactly: lines.count),
      UInt32(exactly: lines.count + part.lines.count) != nil
    else { return }
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
      answers[answer.number] = Answer(
        firstLine: firstLine &+ UInt32(truncatingIfNeeded: answer.lines.lowerBound),
        lineCount: UInt32(truncatingIfNeeded: answer.lines.count))
    }
  }
}
