import JsonReading
import ReportModel
import SymbolicationModel

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
    case .name:
      if mayOpenBacktrace(at: line) { openThread(thread, line) }
    case .heading(let isCrashed, let isHighlighted):
      if isHeadingOfNamedThread(thread) {
        backtraces[backtraces.count - 1].extend(to: line.end)
      } else {
        guard mayOpenBacktrace(at: line) else { return }
        openThread(thread, line)
      }
      let last = backtraces.count - 1
      backtraces[last].isCrashed = isCrashed
      backtraces[last].isHighlighted = isHighlighted
      if backtraces[last].name.isEmpty { backtraces[last].name = thread.name }
      if backtraces[last].dispatchQueue.isEmpty {
        backtraces[last].dispatchQueue = thread.dispatchQueue
      }
      hasOpenNameLine = false
    }
  }

  private func isHeadingOfNamedThread(_ thread: ThreadLine) -> Bool {
    guard hasOpenNameLine, let last = openBacktrace, last.kind == .thread else { return false }
    return last.number == thread.number && last.frames.isEmpty
  }

  private mutating func openThread(_ thread: ThreadLine, _ line: TextLine) {
    if thread.number == nil { addFault(.unreadableNumber, line) }
    open(.thread, number: thread.number, at: line)
    backtraces[backtraces.count - 1].name = thread.name
    backtraces[backtraces.count - 1].dispatchQueue = thread.dispatchQueue
    hasOpenNameLine = true
  }

  /// The backtrace that frames belong to now.
  private var openBacktrace: OpenBacktrace? { section == .backtrace ? backtraces.last : nil }

  // MARK: Frames

  mutating func consumeFrameLine(_ line: TextLine) {
    switch source.frameLine(line) {
    case .frame(let frame, let address):
      // After a blank line a backtrace goes on if frames were cut out, which leaves the indexes
      // rising. A backtrace that starts again has lost its heading.
      if !isAttached, let last = openBacktrace?.lastIndex, frame.index <= last {
        guard frame.isUnmistakable(address) else {
          addFault(.frameOutsideBacktrace, line)
          return
        }
        guard mayOpenBacktrace(at: line) else { return }
        open(.thread, number: nil, at: line)
      }
      append(frame, address)
      if !line.isTerminated, case .unparsed = frame.content { addFault(.cutLine, line) }
    case .damaged where isBehindDocument, .other where isBehindDocument: break
    case .damaged where appendBare(line): break
    case .damaged where source.isBlank(below: line.end) && appendCut(line):
      if !line.isTerminated { addFault(.cutLine, line) }
    case .damaged:
      if isAttached {
        addFault(line.isTerminated ? .unreadableFrame : .cutLine, line)
        // The last line is a frame that is cut, and no part of the one before.
        if line.next < source.count { noteLoose(line) }
        note(line)
      }
    case .other:
      if isAttached, !line.isTerminated { addFault(.cutLine, line) }
      noteLoose(line)
      if isAttached { note(line) }
    }
  }

  /// Adds a frame without an address to a backtrace that begins with such a frame, or one of its
  /// frames that has nothing else.
  ///
  /// - Returns: false if the line is no such frame.
  private mutating func appendBare(_ line: TextLine) -> Bool {
    guard let last = openBacktrace, isAttached || last.frames.isEmpty, last.isBare,
      last.addressListRange == nil,
      let frame = source.numberedFunction(line, isFirst: last.frames.isEmpty, last.isCrashed)
        ?? source.bareFrame(line), frame.index ?? 0 > last.lastIndex ?? -1,
      // One alone may be any frame whose line was broken.
      frame.address == nil || !last.frames.isEmpty
        || source.beginsFrame(source.line(at: line.next), (frame.index ?? 0) + 1)
    else { return false }
    if allowance.takeFrame(at: line.start..<line.end, &faults) {
      backtraces[backtraces.count - 1].append(frame, to: line.end)
    }
    note(line)
    return true
  }

  /// Adds a frame that is nothing but a name, below the heading of a thread or such a frame: people
  /// retype stacks so. The first one is a function of C++, Rust or Objective-C beyond doubt, or has
  /// its distance behind it, on the thread that crashed; there the image may be in front of it, and
  /// there, or below the heading of an exception, any function counts that has its distance and its
  /// place.
  ///
  /// - Parameter first: where the line begins that is not a separator.
  /// - Returns: false if the line is no such frame.
  mutating func appendNamed(_ line: TextLine, at first: Int) -> Bool {
    if noteCutOut(line, at: first) { return true }
    guard isAttached, let last = backtraces.last, last.kind != .applicationSpecific,
      last.addressListRange == nil, last.frames.last.map({ $0.index == nil }) ?? true
    else { return false }
    if last.frames.isEmpty || last.frames.last?.address != nil {
      if let frame = source.numberlessFrame(line) {
        if allowance.takeFrame(at: line.start..<line.end, &faults) {
          backtraces[backtraces.count - 1].append(frame, to: line.end)
        }
        note(line)
        return true
      }
      guard last.frames.isEmpty else { return false }
    }
    let name = first..<source.trimEnd(from: first, to: line.end)
    guard name.count > 2, name.count < 1024 else { return false }
    // The rest of a frame that a mail program broke is below its number.
    guard let above = source.lineAbove(line),
      !Ascii.isDigit(source[source.skipSeparators(from: above.start, limit: above.end)])
    else { return false }
    let isFirst = last.frames.isEmpty
    let isWord =
      (!isFirst || last.isCrashed && source.isNamedFrame(below: line))
      && source.bytes[name].allSatisfy(TextSource.isOfName)
    let distant = last.isCrashed ? source.wordAndDistance(name) : nil
    let columns = last.isCrashed && distant == nil ? source.imageAndFunction(name) : nil
    let isInnermost = last.isCrashed || last.kind == .lastException
    guard
      isWord || distant != nil || columns != nil || source.isNamedFrame(name)
        || isInnermost && source.isPlacedFunction(name)
    else { return false }
    if allowance.takeFrame(at: name, &faults) {
      var values = FrameValues(byteRange: name)
      values.imageName = columns.map { source.string($0.image) }
      let content =
        columns?.function ?? FrameContentReader(source: source, range: name).read().symbol
      // Functions are shorter: the word is the image, or its nearest symbol, which says no more.
      if let distant, distant.bytes > 0x1_0000 {
        (values.imageName, values.imageOffset) = (source.string(distant.word), distant.bytes)
      } else {
        values.symbol = content ?? FrameSymbol(name: source.string(name))
      }
      backtraces[backtraces.count - 1].append(
        StackFrame(address: nil, carrier: .values(values)), to: line.end)
    }
    note(line)
    return true
  }

  /// Adds the innermost frame of a backtrace if the text breaks off in its address: it has no
  /// other, and the image says something.
  ///
  /// - Returns: false if the line is no such frame.
  private mutating func appendCut(_ line: TextLine) -> Bool {
    guard let last = openBacktrace, last.kind == .thread, last.frames.isEmpty,
      last.addressListRange == nil, let frame = source.cutFrame(line)
    else { return false }
    if allowance.takeFrame(at: line.start..<line.end, &faults) {
      backtraces[backtraces.count - 1].append(frame, to: line.end)
    }
    note(line)
    return true
  }

  /// Adds a frame to the open backtrace.
  mutating func append(_ frame: FrameLine, _ address: LoadAddress) {
    guard section == .backtrace, !backtraces.isEmpty else { return }
    if allowance.takeFrame(at: frame.byteRange, &faults) {
      backtraces[backtraces.count - 1].append(frame, address)
    }
    noteFrame(frame)
  }

  private mutating func noteFrame(_ frame: FrameLine) {
    followsFrame = true
    end = max(end, frame.byteRange.upperBound)
    isAttached = true
  }

  /// Takes the lines that a frame continues on.
  ///
  /// A symbol may contain line ends: a failure message of libc++ takes the place of the symbol, and
  /// the line after the frame is ` + 0 [inlined]`. Lines after a frame without an offset belong to
  /// it, up to one that ends with an offset.
  ///
  /// - Returns: the offset of the next line; nil if the frame does not continue.
  mutating func consumeContinuation(_ line: TextLine) -> Int? {
    guard let frame = openFrameForContinuation else { return nil }
    var current = line
    for _ in 0..<8 {
      let end = source.trimEnd(from: current.start, to: current.end)
      if endsWithOffset(current.start..<end) {
        let extended = frame.extended(to: current.end)
        guard case .symbolicated = extended.content else { return nil }
        // A mail program may have broken the line.
        noteLoose(line)
        backtraces[backtraces.count - 1].replaceLast(extended)
        noteFrame(extended)
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

  private var openFrameForContinuation: FrameLine? {
    guard let last = openBacktrace?.frames.last?.line, case .unparsed = last.content else {
      return nil
    }
    return last
  }

  private func endsWithOffset(_ range: Range<Int>) -> Bool {
    if case .symbolicated(let symbol) = FrameContentReader(source: source, range: range).read() {
      return symbol.offset != nil
    }
    return false
  }

  // MARK: Addresses without frames

  /// Takes `(0x1ed76127c 0x1ec93b9f8 …)` below `Last Exception Backtrace:`, which a mail program
  /// may have wrapped.
  mutating func consumeAddressList(_ line: TextLine, at open: Int) -> Int? {
    guard let backtrace = openBacktrace, backtrace.kind == .lastException,
      backtrace.frames.isEmpty
    else { return nil }
    var addresses: [LoadAddress] = []
    var position = open + 1
    var current = line
    while true {
      position = source.skipSeparators(from: position, limit: current.end)
      if position == current.end {
        guard current.next < source.count else { break }
        current = source.line(at: current.next)
        position = current.start
        if source.isBlank(current) { return nil }
      } else if source[position] == Ascii.closeParenthesis {
        guard !addresses.isEmpty else { return nil }
        position += 1
        break
      } else if let (address, end) = source.hexadecimal(at: position, limit: current.end) {
        // Digits of the last address may be missing at the end of the input.
        if end < source.count, allowance.takeFrame(at: position..<end, &faults) {
          addresses.append(LoadAddress(address))
        }
        position = end
      } else if !current.isTerminated {
        position = current.end
        break
      } else {
        return nil
      }
    }
    guard !addresses.isEmpty else { return nil }
    if source[position - 1] != Ascii.closeParenthesis { addFault(.cutLine, current) }
    backtraces[backtraces.count - 1].take(addresses, of: open..<position)
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

// MARK: - Backtraces on their own

extension TextReportBuilder {
  /// The frames of a backtrace whose text has no heading. Their ranges refer to `bytes`.
  static func frames(ofBacktraceText bytes: [UInt8]) -> [StackFrame] {
    let source = TextSource(bytes: bytes)
    guard !bytes.isEmpty else { return [] }
    let first = source.line(at: 0)
    var builder = TextReportBuilder(
      source: source, start: first, kind: .text, signs: .none,
      allowance: ReportAllowance(ResourceLimits()))
    builder.open(.applicationSpecific, number: nil, at: first)
    var next = 0
    while next < source.count, !builder.isClosed {
      next = builder.consume(source.line(at: next))
    }
    return builder.closedBacktraces().first { $0.kind == .applicationSpecific }?.frames ?? []
  }
}

// Where a stack begins without a heading.
extension TextReportBuilder {
  mutating func beginsRoboVMStack(_ line: TextLine) -> Bool {
    !hasBody && !fields.isEmpty && source.beginsRoboVMStack(line) && mayOpenBacktrace(at: line)
  }

  /// Whether the frames of the thread that crashed begin right below the fields that say which it
  /// is and why, as people shorten reports:
  ///
  /// ```text
  /// Exception Codes: KERN_PROTECTION_FAILURE at 0x0000000000000010
  /// Crashed Thread:  0
  /// 0   ???                  0x011e67e0
  /// 1   com.example.Board    Deck::deal() + 12
  /// ```
  func beginsCrashedThread(_ line: TextLine) -> Bool {
    guard !hasBody, isAttached, fields.count >= 2, fields.count < 64,
      source.beginsFrame(line, 0), source.beginsFrame(source.line(at: line.next), 1),
      fields.triggeredThreadNumber != nil, fields["Exception Type"] != nil
    else { return false }
    if case .frame = source.frameLine(line) { return true }
    return source.bareFrame(line) != nil
  }

  /// Whether frames follow in a report of Cr4shed.
  var isBelowCallStack: Bool { fields.last?.hasKey("Call stack") == true }

  /// Whether frames begin below fields, without a heading.
  func isFirstFrame(_ frame: FrameLine, _ address: LoadAddress) -> Bool {
    frame.index == 0 && fields.count >= 3 && address.value >= 0x1_0000
      && frame.statement.symbol != nil
  }

  /// The same, if what is behind the address is on the next line, because somebody broke the lines:
  /// `0   Board   0x0000000104a1c2f0` and ` 0x104a18000 + 17136`.
  func isBrokenFirstFrame(_ line: TextLine) -> Bool {
    let text = source.trimmed(line.start..<line.end)
    guard source[text.lowerBound] == Ascii.zero, fields.count >= 3, line.next < source.count,
      source.separatorLength(at: text.lowerBound + 1, limit: text.upperBound) > 0,
      let word = source.bytes[text].lastIndex(where: { $0 <= Ascii.space }),
      let (address, end) = source.hexadecimal(at: word + 1, limit: text.upperBound),
      end == text.upperBound
    else { return false }
    let below = source.line(at: line.next)
    let rest = source.trimmed(below.start..<below.end)
    guard (5..<64).contains(rest.count),
      let place = FrameContentReader(source: source, range: rest).imageRelativeAddress()
    else { return false }
    let (sum, overflows) = place.base.value.addingReportingOverflow(place.offset)
    return place.base.value > 0 && !overflows && sum == address
  }
}
