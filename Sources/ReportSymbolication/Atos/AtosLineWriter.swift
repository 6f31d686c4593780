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

  /// The number of words that one thread composes at a time.
  private static let pieceSize = 1 << 10
  /// The number of words whose output waits for all threads.
  private static let blockSize = 1 << 16

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

  /// Composes the output for `words`, and passes it to `write` in parts, in the order of the words.
  ///
  /// - Parameters:
  ///   - other: the output for words that the table lacks. It is called on this thread, in the order
  ///     of the words.
  ///   - write: is called on several threads, one at a time.
  func write<Failure: Error>(
    _ words: AtosWordList, other: (String) -> String,
    to write: @escaping @Sendable ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let parts = OrderedParts(write)
    for start in stride(from: 0, to: numbers.count, by: Self.blockSize) {
      let end = min(start + Self.blockSize, numbers.count)
      let pieces = stride(from: start, to: end, by: Self.pieceSize).map {
        piece($0..<min($0 + Self.pieceSize, end), of: words, other: other)
      }
      ParallelWork.perform(count: pieces.count, jobs: jobs) { index in
        parts.add(
          output(for: pieces[index], in: parts.buffer()), number: start / Self.pieceSize + index)
      }
      try parts.finish()
    }
  }

  /// Words that one thread composes.
  private struct Piece: Sendable {
    let words: Range<Int>
    /// The output for the words that the table lacks, one after the other.
    var others: [UInt8] = []
    var otherEnds: [Int] = []
  }

  private func piece(
    _ words: Range<Int>, of list: AtosWordList, other: (String) -> String
  ) -> Piece {
    var piece = Piece(words: words)
    guard !words.allSatisfy(hasLines) else { return piece }
    list.forEach(in: words) { index, bytes in
      guard !hasLines(index) else { return }
      piece.others += other(String(copying: bytes)).utf8
      piece.otherEnds.append(piece.others.count)
    }
    return piece
  }

  private func output(for piece: Piece, in buffer: consuming [UInt8]) -> [UInt8] {
    var output = buffer
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
      let shown = numbers[index] < 0 ? 0..<0 : answers[Int(numbers[index])].lines
      if shown.isEmpty {
        let end = piece.otherEnds[nextOther]
        output.append(piece.others.span.extracting(otherStart..<end))
        otherStart = end
        nextOther += 1
        continue
      }
      for place in shown {
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

extension String {
  /// The text in `bytes`. Bytes that are not UTF-8 are replaced by U+FFFD.
  fileprivate init(copying bytes: Span<UInt8>) {
    var copy: [UInt8] = []
    copy.append(bytes)
    self.init(decoding: copy, as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ bytes: Span<UInt8>) {
    // Soundness: the pointer does not leave the closure. Appending byte by byte takes several times as
    // long.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  fileprivate mutating func appendDecimal(_ number: UInt32) {
    if number >= 10 { appendDecimal(number / 10) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}
