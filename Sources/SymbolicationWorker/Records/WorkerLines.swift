package import FileSystem
package import SystemPackage

/// The lines of a worker's input, each as soon as it is complete. They stay in the kept memory
/// until they are answered. A line that is longer than a record may be is passed over; only its
/// beginning is kept.
package struct WorkerLines {
  private let memory: KeptMemory
  private let descriptor: FileDescriptor
  /// How many bytes a line may have, without its end.
  private let limit: Int
  /// Where the next line begins in the kept text.
  private var start: Int
  /// Up to here there is no line end.
  private var searched: Int
  /// How far the text was moved towards the start of its memory.
  private var shift = 0
  /// The number of the next line. It counts on when the program starts anew.
  private var nextNumber: Int
  package private(set) var isAtEnd = false

  package struct Line: Sendable {
    /// Counts the lines of the input from 0.
    package let number: Int
    package let content: Content
    /// Where it ends: a position in the input since the program started.
    fileprivate let end: Int

    package var size: Int {
      switch content {
      case .whole(let bytes), .overlong(let bytes): bytes.count
      }
    }
  }

  package enum Content: Sendable {
    case whole([UInt8])
    /// The beginning of a line that is too long.
    case overlong(start: [UInt8])
  }

  /// Numbers in the kept memory.
  private static let answeredCount = KeptMemory.Number.first
  /// The start of the line that is too long, plus 1; 0 if the last one is not.
  private static let overlongStart = KeptMemory.Number.first + 1
  /// The first number that others may have.
  static let firstOtherNumber = KeptMemory.Number.first + 2

  /// How many bytes are read at a time.
  private static let chunkSize = 1 << 18
  /// How much of an overlong line is kept: enough for an id that comes first.
  private static let keptSize = WorkerRecord.idSize

  /// - Parameter memory: may hold lines that are not answered yet, if the program was started anew.
  package init(_ descriptor: FileDescriptor, limit: UInt64, memory: KeptMemory) {
    self.descriptor = descriptor
    self.limit = Int(clamping: min(limit, 1 << 40))
    self.memory = memory
    start = memory.text.lowerBound
    searched = start
    nextNumber = memory[Self.answeredCount]
  }

  /// The next line, without its end, if it is complete; nil if more must be read first, and after
  /// the last. A last line without an end counts.
  package mutating func next() -> Line? {
    let end = memory.firstOffset(of: UInt8(ascii: "\n"), from: searched)
    if end < memory.text.upperBound { return take(upTo: end, next: end + 1) }
    searched = end
    guard isAtEnd, start < end || isOverlong else { return nil }
    return take(upTo: end, next: end)
  }

  private var isOverlong: Bool { memory[Self.overlongStart] == start + 1 }

  private mutating func take(upTo lineEnd: Int, next: Int) -> Line {
    var end = lineEnd
    if next > lineEnd, end > start, memory.bytes(end - 1..<end) == [UInt8(ascii: "\r")] { end -= 1 }
    let isTooLong = isOverlong || end - start > limit
    let line = Line(
      number: nextNumber,
      content: isTooLong
        ? .overlong(start: memory.bytes(start..<min(end, start + Self.keptSize)))
        : .whole(memory.bytes(start..<end)),
      end: next + shift)
    start = next
    searched = next
    nextNumber += 1
    return line
  }

  /// Drops a line and all before it: they are answered.
  package mutating func drop(upTo line: Line) {
    memory.dropText(before: line.end - shift)
    memory[Self.answeredCount] = line.number + 1
    memory.dropMarks(below: line.number + 1)
    if memory[Self.overlongStart] <= line.end - shift { memory[Self.overlongStart] = 0 }
  }

  /// Reads more of the input, which may wait for it.
  package mutating func read() throws(Errno) {
    // A carriage return at the end does not count.
    if memory.text.upperBound - start > limit + 1 { memory[Self.overlongStart] = start + 1 }
    if isOverlong, memory.text.upperBound - start > Self.keptSize {
      memory.dropText(from: start + Self.keptSize)
      // A line without its middle must never be read as JSON, and this byte is in no UTF-8.
      memory.replaceByte(at: start + Self.keptSize - 1, with: 0xff)
      searched = memory.text.upperBound
    }
    let moved = try memory.makeRoom(for: Self.chunkSize)
    start -= moved
    searched -= moved
    shift += moved
    if memory[Self.overlongStart] > 0 { memory[Self.overlongStart] -= moved }
    isAtEnd = try memory.append(from: descriptor, count: Self.chunkSize) == 0
  }
}
