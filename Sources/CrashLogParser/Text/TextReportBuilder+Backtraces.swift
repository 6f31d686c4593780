internal import SymbolicationModel

// Threads, backtraces and their frames.
extension TextReportBuilder {
  mutating func consumeThreadLine(_ thread: ThreadLine, _ line: TextLine) {
    hasHeadings = true
    note(line)
    switch thread.kind {
    case .state(let flavor):
      section = .registers
      threadStates.append(
        ThreadState(
          source: source, flavor: flavor, threadNumber: thread.number,
          byteRange: line.start..<line.end))
    case .instructionStream: section = .other
    case .name: openThread(thread, line)
    case .heading(let isCrashed, let isHighlighted):
      if isHeadingOfNamedThread(thread) {
        threads[threads.count - 1].byteRange =
          threads[threads.count - 1].byteRange.lowerBound..<line.end
      } else {
        openThread(thread, line)
      }
      let last = threads.count - 1
      threads[last].isCrashed = isCrashed
      threads[last].isHighlighted = isHighlighted
      if threads[last].nameSpan.isEmpty { threads[last].nameSpan = thread.name }
      if threads[last].dispatchQueueSpan.isEmpty {
        threads[last].dispatchQueueSpan = thread.dispatchQueue
      }
      hasOpenNameLine = false
    }
  }

  private func isHeadingOfNamedThread(_ thread: ThreadLine) -> Bool {
    guard hasOpenNameLine, section == .thread, let last = threads.last else { return false }
    return last.number == thread.number && last.frames.isEmpty
  }

  private mutating func openThread(_ thread: ThreadLine, _ line: TextLine) {
    section = .thread
    if thread.number == nil { addFault(.unreadableNumber, line) }
    var opened = CrashThread(
      source: source, number: thread.number, byteRange: line.start..<line.end)
    opened.nameSpan = thread.name
    opened.dispatchQueueSpan = thread.dispatchQueue
    threads.append(opened)
    hasOpenNameLine = true
  }

  mutating func openThreadWithoutHeading(at line: TextLine) {
    section = .thread
    threads.append(CrashThread(source: source, number: nil, byteRange: line.start..<line.end))
    hasOpenNameLine = false
  }

  // MARK: Frames

  mutating func consumeFrameLine(_ line: TextLine) {
    switch source.frameLine(line) {
    case .frame(let frame):
      // After an empty line a backtrace goes on where frames were cut out, which leaves the numbers
      // rising. A backtrace that begins anew has lost its heading.
      if !isAttached, let last = lastFrameIndex, frame.index <= last {
        guard frame.isUnmistakable else {
          addFault(.frameOutsideBacktrace, line)
          return
        }
        openThreadWithoutHeading(at: line)
      }
      append(frame)
      if !line.isTerminated, case .unparsed = frame.content { addFault(.cutLine, line) }
    case .damaged:
      if isAttached {
        addFault(line.isTerminated ? .unreadableFrame : .cutLine, line)
        note(line)
      }
    case .other:
      if isAttached, !line.isTerminated { addFault(.cutLine, line) }
      if isAttached { note(line) }
    }
  }

  private var lastFrameIndex: Int? {
    switch section {
    case .thread: threads.last?.frames.last?.index
    case .lastException: lastException?.frames.last?.index
    case .applicationBacktrace: applicationBacktraces.last?.frames.last?.index
    default: nil
    }
  }

  /// Adds a frame to the open backtrace.
  mutating func append(_ frame: StackFrame) {
    let end = frame.byteRange.upperBound
    let last = threads.count - 1
    let lastBacktrace = applicationBacktraces.count - 1
    switch section {
    case .thread where last >= 0:
      threads[last].frames.append(frame)
      threads[last].byteRange = threads[last].byteRange.lowerBound..<end
    case .lastException:
      let start = lastException?.byteRange.lowerBound ?? frame.byteRange.lowerBound
      lastException?.frames.append(frame)
      lastException?.byteRange = start..<end
    case .applicationBacktrace where lastBacktrace >= 0:
      applicationBacktraces[lastBacktrace].frames.append(frame)
      applicationBacktraces[lastBacktrace].byteRange =
        applicationBacktraces[lastBacktrace].byteRange.lowerBound..<end
    default: return
    }
    followsFrame = true
    self.end = max(self.end, end)
    isAttached = true
  }

  private mutating func removeLastFrame() -> StackFrame? {
    switch section {
    case .thread where !threads.isEmpty: threads[threads.count - 1].frames.popLast()
    case .lastException: lastException?.frames.popLast()
    case .applicationBacktrace where !applicationBacktraces.isEmpty:
      applicationBacktraces[applicationBacktraces.count - 1].frames.popLast()
    default: nil
    }
  }

  /// A symbol may have line ends in it: failure messages of libc++ stand in the place of the symbol, so
  /// that the line after the frame is ` + 0 [inlined]`. Lines after a frame without an offset belong to
  /// it up to one that ends with an offset.
  mutating func consumeContinuation(_ line: TextLine) -> Int? {
    guard let frame = openFrameForContinuation else { return nil }
    var current = line
    for _ in 0..<8 {
      let end = source.trimEnd(from: current.start, to: current.end)
      let span = ByteSpan(frame.contentRange.lowerBound, end)
      if endsWithOffset(ByteSpan(current.start, end)) {
        guard case .symbolicated = FrameContentReader(source: source, span: span).read(),
          removeLastFrame() != nil
        else { return nil }
        append(frame.extended(lineEnd: current.end, contentEnd: end))
        return current.next
      }
      guard current.next < source.count else { return nil }
      current = source.line(at: current.next)
      let first = source.skipSeparators(from: current.start, limit: current.end)
      if first == current.end || source.threadLine(current) != nil
        || source.sectionHeading(current) != nil
      {
        return nil
      }
      if case .frame = source.frameLine(current) { return nil }
    }
    return nil
  }

  private var openFrameForContinuation: StackFrame? {
    let last: StackFrame? =
      switch section {
      case .thread: threads.last?.frames.last
      case .lastException: lastException?.frames.last
      case .applicationBacktrace: applicationBacktraces.last?.frames.last
      default: nil
      }
    guard let last, case .unparsed = last.content else { return nil }
    return last
  }

  private func endsWithOffset(_ span: ByteSpan) -> Bool {
    if case .symbolicated(let symbol) = FrameContentReader(source: source, span: span).read() {
      return symbol.offset != nil
    }
    return false
  }

  // MARK: Addresses without frames

  /// `(0x1ed76127c 0x1ec93b9f8 …)` below `Last Exception Backtrace:`; on more than one line where a
  /// mail program wrapped it.
  mutating func consumeAddressList(_ line: TextLine, at open: Int) -> Int? {
    guard section == .lastException, let backtrace = lastException, backtrace.frames.isEmpty,
      backtrace.rawAddressList == nil
    else { return nil }
    var addresses: [LoadAddress] = []
    var place = open + 1
    var current = line
    while true {
      place = source.skipSeparators(from: place, limit: current.end)
      if place == current.end {
        guard current.next < source.count else { break }
        current = source.line(at: current.next)
        place = current.start
        if source.isBlank(current) { return nil }
      } else if source[place] == Ascii.closeParenthesis {
        guard !addresses.isEmpty else { return nil }
        place += 1
        break
      } else if let (address, end) = source.hexadecimal(at: place, limit: current.end) {
        // The last digits of an address may be missing where the input ends.
        if end < source.count { addresses.append(LoadAddress(address)) }
        place = end
      } else if !current.isTerminated {
        place = current.end
        break
      } else {
        return nil
      }
    }
    guard !addresses.isEmpty else { return nil }
    if source[place - 1] != Ascii.closeParenthesis { addFault(.cutLine, current) }
    lastException?.rawAddressList = RawAddressList(byteRange: open..<place, addresses: addresses)
    lastException?.byteRange = backtrace.byteRange.lowerBound..<place
    note(current)
    return current.next
  }

  // MARK: Registers

  mutating func extendThreadState(_ line: TextLine, isIndented: Bool) {
    let last = threadStates.count - 1
    guard last >= 0 else { return }
    let isKnown = ["Logical CPU:", "Error Code:", "Trap Number:"].contains {
      source.has($0, at: line.start, limit: line.end)
    }
    guard isAttached || isIndented || isKnown else { return }
    threadStates[last].byteRange = threadStates[last].byteRange.lowerBound..<line.end
    note(line)
  }
}
