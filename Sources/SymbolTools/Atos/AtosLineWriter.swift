import SymbolicationModel
import Synchronization
import Wording

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
  /// The greatest number of words whose output waits for all threads, and of bytes that their lines
  /// may take.
  private static let blockSize = 1 << 16
  private static let blockBytes = 1 << 26
  /// How many bytes may be composed on one thread before the pieces so far are written.
  private static let otherBytes = 1 << 22
  /// Fewer pieces are composed in less time than a thread takes to start.
  private static let piecesForThreads = 4

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
  ///   - other: the output for words that the table lacks. It is called on this thread, in the
  ///     order of the words.
  ///   - write: is called on several threads, one at a time.
  func write<Failure: Error>(
    _ words: AtosWordList, other: (String) -> String,
    to write: @escaping @Sendable ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let parts = OrderedParts(write)
    let blockSize = min(
      max(Self.blockBytes / table.largestAnswer, Self.pieceSize), Self.blockSize)
    var start = 0
    var number = 0
    while start < numbers.count {
      let end = min(start + blockSize, numbers.count)
      var pieces: [Piece] = []
      var otherBytes = 0
      while start < end, otherBytes < Self.otherBytes {
        let piece = piece(start..<min(start + Self.pieceSize, end), of: words, other: other)
        start = piece.words.upperBound
        otherBytes += piece.others.count
        pieces.append(piece)
      }
      let jobs = pieces.count < Self.piecesForThreads ? 1 : jobs
      ParallelWork.perform(count: pieces.count, jobs: jobs) { [pieces, number] index in
        parts.add(output(for: pieces[index], in: parts.buffer()), number: number + index)
      }
      number += pieces.count
      try parts.finish()
    }
  }

  /// Words that one thread composes.
  private struct Piece: Sendable {
    var words: Range<Int>
    /// The output for the words that the table lacks, one after the other.
    var others: [UInt8] = []
    var otherEnds: [Int] = []
  }

  /// The piece of the first of `words`: all, unless those that the table lacks take many bytes.
  private func piece(
    _ words: Range<Int>, of list: AtosWordList, other: (String) -> String
  ) -> Piece {
    var piece = Piece(words: words)
    guard !words.allSatisfy(hasLines) else { return piece }
    list.forEach(in: words) { index, bytes in
      guard index < piece.words.upperBound, !hasLines(index) else { return }
      piece.others.append(path: other(String(copying: bytes)))
      piece.otherEnds.append(piece.others.count)
      if piece.others.count >= Self.otherBytes { piece.words = words.lowerBound..<index + 1 }
    }
    return piece
  }

  /// The lines of the words of a piece. Each table is read for all words before the next one: the
  /// places are scattered, and so the processor waits for several of them at a time.
  private func lines(
    of piece: Piece
  ) -> (lines: [(number: UInt32, label: AtosLineTable.Label)], lineCounts: [UInt32]) {
    // Spans and not arrays: several threads would otherwise count references to the same arrays.
    let allAnswers = table.answers.span
    let allLines = table.lines.span
    let allLabels = table.labels.span
    let numbers = numbers.span
    var answers: [AtosLineTable.Answer] = []
    answers.reserveCapacity(piece.words.count)
    var count = 0
    for index in piece.words where numbers[index] >= 0 {
      answers.append(allAnswers[Int(numbers[index])])
      count += Int(answers[answers.count - 1].lineCount)
    }
    var lines: [AtosLineTable.Line] = []
    lines.reserveCapacity(count)
    for answer in answers {
      for place in answer.lines { lines.append(allLines[place]) }
    }
    var labelled: [(number: UInt32, label: AtosLineTable.Label)] = []
    labelled.reserveCapacity(count)
    for line in lines { labelled.append((line.number, allLabels[Int(line.label)])) }
    return (labelled, answers.map(\.lineCount))
  }

  private func output(for piece: Piece, in buffer: consuming [UInt8]) -> [UInt8] {
    var output = buffer
    let (lines, lineCounts) = lines(of: piece)
    let bytes = table.bytes.span
    let numbers = numbers.span
    let others = piece.others.span
    let locationEnd = locationEnd.span
    let distanceEnd = distanceEnd.span
    var nextCount = 0
    var nextLine = 0
    var nextOther = 0
    var otherStart = 0
    for index in piece.words {
      var count = 0
      if numbers[index] >= 0 {
        count = Int(lineCounts[nextCount])
        nextCount += 1
      }
      if count == 0 {
        let end = piece.otherEnds[nextOther]
        output.append(others.extracting(otherStart..<end))
        otherStart = end
        nextOther += 1
        continue
      }
      for place in nextLine..<nextLine + count {
        let (number, label) = lines[place]
        let end = label.hasLocation ? locationEnd : distanceEnd
        let count = Int(label.count)
        // A number has ten digits at most.
        output.append(addingCapacity: count + 10 + end.count) {
          $0.append(copying: bytes.extracting(label.start..<label.start + count))
          UInt64(number).appendDecimal(to: &$0)
          $0.append(copying: end)
        }
      }
      nextLine += count
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
    append(addingCapacity: bytes.count) { $0.append(copying: bytes) }
  }
}

/// A line of output, in the format of Apple's `atos`.
enum AtosLine {
  /// What comes before the number of the line, or, without a file, before the distance from the
  /// start of the function.
  static func beginning(name: String, imageName: String, file: String?) -> String {
    let middle = middle(imageName: imageName, hasFile: file != nil)
    return (name + middle + (file.map { $0 + beforeLine } ?? "")).withoutControlCharacters
  }

  /// What comes between the name of the function and the file, or the distance.
  static func middle(imageName: String, hasFile: Bool) -> String {
    " (in \(imageName))" + (hasFile ? " (" : " + ")
  }

  /// What comes between the file and the line.
  static let beforeLine = ":"

  /// What comes behind the number.
  static func end(hasFile: Bool) -> String { hasFile ? ")" : "" }
}

/// Passes parts of an output on in the order of their numbers, on whichever thread finishes one
/// when it is its turn. No thread waits for another.
final class OrderedParts<Failure: Error>: Sendable {
  private let state = Mutex(State())
  private let pass: @Sendable ([UInt8]) throws(Failure) -> Void

  private struct State {
    /// The number of the next part to pass on.
    var next = 0
    /// Whether a thread is passing one on.
    var isPassing = false
    /// Parts that were finished before their turn.
    var waiting: [Int: [UInt8]] = [:]
    /// Memory of parts that were passed on: new memory costs more than filling it.
    var buffers: [[UInt8]] = []
    var failure: Failure?
  }

  /// - Parameter pass: gets each part. It is not called again after it has thrown.
  init(_ pass: @escaping @Sendable ([UInt8]) throws(Failure) -> Void) { self.pass = pass }

  /// An empty array to compose a part in.
  func buffer() -> [UInt8] { state.withLock { $0.buffers.popLast() } ?? [] }

  /// Adds the part with `number`. Numbers begin with 0.
  func add(_ part: consuming [UInt8], number: Int) {
    state.withLock { [part] in $0.waiting[number] = part }
    part = []
    while var next = takeNext() {
      var failure: Failure?
      do throws(Failure) { try pass(next) } catch { failure = error }
      next.removeAll(keepingCapacity: true)
      state.withLock { [next, failure] state in
        state.buffers.append(next)
        state.isPassing = false
        state.next += 1
        state.failure = failure
      }
    }
  }

  private func takeNext() -> [UInt8]? {
    state.withLock { state in
      guard !state.isPassing, state.failure == nil,
        let part = state.waiting.removeValue(forKey: state.next)
      else { return nil }
      state.isPassing = true
      return part
    }
  }

  /// Throws what passing on a part has thrown.
  func finish() throws(Failure) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
