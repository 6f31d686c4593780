import SymbolicationModel
import Synchronization

/// Composes the output for many words. The lines of most are in a table; the text of the others is
/// given.
struct AtosLineWriter: Sendable {
  private let table: AtosLineTable
  /// By the index of the word: the number of its address; −1 if it has none.
  private let numbers: [Int32]
  private let jobs: Int
  private let locationEnd: [UInt8]
  private let distanceEnd: [UInt8]

  /// The number of words that one thread composes at a time. Smaller pieces are not worth a thread.
  private static let pieceSize = 1 << 13
  /// An estimate of the output for one word, in bytes.
  private static let usualLength = 128

  init(_ table: AtosLineTable, numbers: [Int32], _ options: AtosOptions) {
    self.table = table
    self.numbers = numbers
    jobs = options.jobs
    let delimiter = options.showsInlinedFrames ? options.inlineDelimiter : ""
    locationEnd = Array((AtosLine.end(hasFile: true) + delimiter).utf8)
    distanceEnd = Array((AtosLine.end(hasFile: false) + delimiter).utf8)
  }

  /// Whether the table has the lines of the word with `index`.
  func hasLines(_ index: Int) -> Bool {
    numbers[index] >= 0 && table.hasAnswer(Int(numbers[index]))
  }

  /// The output for `words`, in parts.
  ///
  /// - Parameter other: the output for one of the words that the table lacks. It is called on this
  ///   thread, in the order of the words.
  func output(for words: Range<Int>, other: (Int) -> String) -> [[UInt8]] {
    var pieces: [Piece] = []
    for start in stride(from: words.lowerBound, to: words.upperBound, by: Self.pieceSize) {
      var piece = Piece(words: start..<min(start + Self.pieceSize, words.upperBound))
      for index in piece.words where !hasLines(index) {
        piece.others += other(index).utf8
        piece.otherEnds.append(piece.others.count)
      }
      pieces.append(piece)
    }
    let results = Mutex<[[UInt8]]>(Array(repeating: [], count: pieces.count))
    ParallelWork.perform(count: pieces.count, jobs: jobs) { [pieces] index in
      let output = output(for: pieces[index])
      results.withLock { $0[index] = output }
    }
    return results.withLock { $0 }
  }

  /// Words that one thread composes.
  private struct Piece: Sendable {
    let words: Range<Int>
    /// The output for the words that the table lacks, one after the other.
    var others: [UInt8] = []
    var otherEnds: [Int] = []
  }

  private func output(for piece: Piece) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(piece.words.count * Self.usualLength + piece.others.count)
    // Spans and not arrays: several threads would otherwise count references to the same arrays.
    let answers = table.answers.span
    let lines = table.lines.span
    let labels = table.labels.span
    let bytes = table.bytes.span
    let numbers = numbers.span
    let locationEnd = locationEnd.span
    let distanceEnd = distanceEnd.span
    var nextOther = 0
    var otherStart = 0
    for index in piece.words {
      let answer = numbers[index] < 0 ? 0..<0 : answers[Int(numbers[index])]
      if answer.isEmpty {
        let end = piece.otherEnds[nextOther]
        output.append(piece.others.span.extracting(otherStart..<end))
        otherStart = end
        nextOther += 1
        continue
      }
      for place in answer {
        let line = lines[place]
        let label = labels[Int(line.label)]
        output.append(bytes.extracting(label.start..<label.start + Int(label.count)))
        output.appendDecimal(line.number)
        output.append(label.hasLocation ? locationEnd : distanceEnd)
      }
      output.append(UInt8(ascii: "\n"))
    }
    return output
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ bytes: Span<UInt8>) {
    // Safe: the pointer does not leave the closure. Appending byte by byte takes several times as
    // long.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  fileprivate mutating func appendDecimal(_ number: UInt32) {
    if number >= 10 { appendDecimal(number / 10) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}
