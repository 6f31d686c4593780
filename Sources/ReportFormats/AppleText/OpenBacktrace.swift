import ReportModel
import SymbolicationModel

/// A backtrace of a text report while its lines are being read.
struct OpenBacktrace {
  let kind: Backtrace.Kind
  var number: Int?
  var name = ByteSpan.empty
  var dispatchQueue = ByteSpan.empty
  /// Whether the heading says `Crashed`.
  var isCrashed = false
  /// Whether the heading says `Highlighted`: the thread that a report about something other than a
  /// crash points at.
  var isHighlighted = false
  /// Whether its lines begin with the outermost frame.
  var isOutermostFirst = false
  private(set) var frames: [StackFrame] = []
  private(set) var addressListRange: Range<Int>?
  private(set) var byteRange: Range<Int>

  init(_ kind: Backtrace.Kind, number: Int?, heading: TextLine) {
    self.kind = kind
    self.number = number
    byteRange = heading.start..<heading.end
  }

  /// The index of the last frame.
  var lastIndex: Int? { frames.last?.index }
  /// Whether it begins with a frame that has no address, or nothing else, or has none yet.
  var isBare: Bool { frames.first.map { $0.line?.contentRange.isEmpty ?? true } ?? true }

  mutating func extend(to end: Int) { byteRange = byteRange.lowerBound..<end }

  mutating func append(_ line: FrameLine, _ address: LoadAddress) {
    extend(to: line.byteRange.upperBound)
    // A list of addresses is the whole backtrace.
    guard addressListRange == nil else { return }
    frames.append(StackFrame(address: address, carrier: .line(line)))
  }

  /// Takes a frame without an address.
  mutating func append(_ frame: StackFrame, to end: Int) {
    extend(to: end)
    frames.append(frame)
  }

  mutating func replaceLast(_ line: FrameLine) {
    guard let last = frames.popLast(), let address = last.address else { return }
    append(line, address)
  }

  /// Takes the addresses of a list in place of frames.
  mutating func take(_ addresses: [LoadAddress], of list: Range<Int>) {
    addressListRange = list
    frames = addresses.map { StackFrame(address: $0, carrier: .listedAddress) }
    extend(to: list.upperBound)
  }

  func closed(in source: TextSource, isCrashed: Bool) -> Backtrace {
    func text(_ span: ByteSpan) -> String? { span.isEmpty ? nil : source.string(span.range) }
    return Backtrace(
      kind: kind, number: number, name: text(name), dispatchQueue: text(dispatchQueue),
      isCrashed: isCrashed, frames: isOutermostFirst ? frames.reversed() : frames,
      isOutermostFirst: isOutermostFirst, byteRange: byteRange,
      addressListRange: addressListRange)
  }
}

// Which of them the process crashed in.
extension TextReportBuilder {
  /// The backtraces in the order of ``Report/backtraces``.
  func closedBacktraces() -> [Backtrace] {
    let threads = backtraces.indices.filter { backtraces[$0].kind == .thread }
    let crashed = crashedThread(among: threads)
    return [.lastException, .applicationSpecific, .thread].flatMap { kind in
      backtraces.indices.filter { backtraces[$0].kind == kind }.map { index in
        var backtrace = backtraces[index]
        if index == crashed, backtrace.number == nil { backtrace.number = statedThreads.first }
        return backtrace.closed(in: source, isCrashed: index == crashed)
      }
    }
  }

  /// The numbers of the thread that crashed outside the headings: in the head, above registers.
  private var statedThreads: [Int] {
    ([fields.triggeredThreadNumber] + threadStates.map(\.threadNumber)).compactMap(\.self)
  }

  /// Whether the text marks a thread, and nowhere says that it crashed.
  var onlyHighlightsThread: Bool {
    !backtraces.contains(where: \.isCrashed) && threadStates.allSatisfy { $0.threadNumber == nil }
      && (fields.onlyHighlightThread
        || fields.triggeredThreadNumber == nil && backtraces.contains(where: \.isHighlighted))
  }

  /// The thread whose heading says that it crashed, else the one that the head names, else the one
  /// whose registers follow, else the one whose heading highlights it, else the one without a
  /// heading.
  private func crashedThread(among threads: [Int]) -> Int? {
    if let crashed = threads.first(where: { backtraces[$0].isCrashed }) {
      return threads.first { isCrashed(crashed, withNames: $0) } ?? crashed
    }
    let stated = statedThreads
    for number in stated {
      if let thread = threads.first(where: { backtraces[$0].number == number }) { return thread }
    }
    if let thread = threads.first(where: { backtraces[$0].isHighlighted }) { return thread }
    // The frames above all other threads, under no heading: it is lost, or cannot be read. Threads
    // stand in the order of their numbers, but for the one that crashed, which may be the first.
    guard let number = stated.first, let first = threads.first, backtraces[first].number == nil,
      backtraces[first].frames.first?.index == 0, let second = threads.dropFirst().first,
      let next = backtraces[second].number, next - 1 <= number,
      threads.dropFirst().allSatisfy({ backtraces[$0].number != nil })
    else { return nil }
    return first
  }

  /// Whether a thread is the crashed one once more, with the functions that it lacks: people show a
  /// stack before and after they looked up its addresses.
  private func isCrashed(_ crashed: Int, withNames other: Int) -> Bool {
    let (bare, named) = (backtraces[crashed], backtraces[other])
    return other > crashed && named.isCrashed && bare.number == named.number
      && named.frames.first?.symbol != nil && bare.frames.first?.symbol == nil
      && named.frames.count <= bare.frames.count
      && named.frames.elementsEqual(bare.frames.prefix(named.frames.count)) {
        $0.address != nil && $0.address == $1.address
      }
  }
}
