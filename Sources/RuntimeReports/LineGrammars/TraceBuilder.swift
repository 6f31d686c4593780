import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Collects the stacks and the facts of one trace, line by line.
struct TraceBuilder {
  let grammar: TraceGrammar
  let source: TextSource
  let allowance: ReportAllowance
  var start: Int
  var end: Int
  var boundary: ReportBoundary
  var images: TraceImages
  var facts = ReportFacts()
  var backtraces: [Backtrace] = []
  var faults: [ParseFault] = []
  var open: Stack?
  /// The lines in a row that belong to nothing.
  private(set) var looseCount = 0
  /// The last of them, for a family that has the names of threads there.
  private var looseLine: Range<Int>?
  private(set) var isClosed = false
  /// What the exception says is not looked for above this offset.
  let reasonFloor: Int
  /// What caused the exception in the end: the last line about a cause.
  private(set) var cause: LineMatch?
  /// Whether the lines are those of a second crash in a list of several.
  private var isOfLaterCrash = false

  struct Stack {
    var kind = Backtrace.Kind.thread
    var number: Int?
    var name: String?
    var queue: String?
    var isCrashed = false
    var frames: [StackFrame] = []
    var addressList: Range<Int>?
    /// Whether somebody put one frame in front of the others.
    var isUnordered = false
    var start: Int
    var end: Int

    init(at range: Range<Int>) { (start, end) = (range.lowerBound, range.upperBound) }

    /// Takes away what the first frame says if it has where its image is loaded in the place of an
    /// address, above frames with distances in images: nothing is there.
    mutating func forgetLoadAddress() {
      guard let first = frames.first, let address = first.address?.value, frames.count > 2,
        address >= TraceGrammar.offsetLimit, address & 0x3fff == 0, var values = first.values,
        frames.dropFirst().allSatisfy({ ($0.address?.value ?? 0) < TraceGrammar.offsetLimit })
      else { return }
      (values.symbol, values.imageName) = (nil, nil)
      frames[0] = StackFrame(address: first.address, carrier: .values(values))
    }
  }

  /// - Parameter floor: no fact is looked for above this offset.
  init(_ input: ReportInput, _ grammar: TraceGrammar, at line: TextLine, above floor: Int) {
    source = input.source
    allowance = input.allowance
    self.grammar = grammar
    reasonFloor = floor
    start = line.start
    end = line.end
    boundary = ReportBoundary(source, input.signs)
    images = TraceImages(grammar, at: line.start)
    readFacts(above: line, floor)
    takeCompilerDump(above: line)
    // The oldest panic says what happened, and stands first. The lines were read upwards.
    if grammar.format == .goTrace { facts.applicationInformation.reverse() }
    if grammar.traits.hasLastWords, facts.exception.name == nil {
      var notes = HeadNotes()
      // Between the facts and the frames, else above the facts.
      for position in [line.start, start] where notes.lastWords.isEmpty {
        notes.takeLastWords(above: position, of: source, to: floor)
      }
      facts.applicationInformation += notes.lastWords.map(\.text)
      takeException(above: notes, floor)
      for note in notes.lastWords where facts.process.name == nil {
        let line = source.line(at: note.start)
        let range = source.trimmed(line.start..<line.end)
        if let message = source.logHeadEnd(range) { facts.takeWriter(range, message, source) }
      }
      facts.exception.takeThrown(from: &facts.applicationInformation)
    }
    if grammar.format == .callStack { takeWriter(above: start, floor) }
    let isNamed = facts.exception.name != nil || !facts.applicationInformation.isEmpty
    if !isNamed, grammar.traits.hasLastWords,
      let title = ExceptionTitle(above: line, of: source, floor: floor), line.start > floor
    {
      (facts.exception.name, facts.exception.reason) = (title.name, title.reason)
    }
    takeHang(above: line, floor)
  }

  // MARK: Lines

  /// Takes a line.
  ///
  /// - Returns: whether it belongs to the trace.
  mutating func consume(_ line: TextLine) -> Bool {
    let range = TraceGrammar.content(of: line, in: source)
    guard !range.isEmpty else { return false }
    switch grammar.reading(source, range) {
    case .frame(let match) where continues(match): add(match, range, line)
    case .addresses: addAddresses(range)
    case .line(let rule, let match): take(rule, match, range)
    case nil where takeEnding(range): break
    case .frame, nil:
      takeReason(range)
      if grammar.traits.hasIndentedDetails, open != nil,
        source.separatorLength(at: line.start, limit: line.end) > 0,
        source.threadLine(line) == nil
      {
        return false
      }
      if boundary.isReached(at: line) || source.threadLine(line) != nil
        || looseCount >= looseLimit
      {
        isClosed = true
      }
      looseCount += 1
      looseLine = range
      return false
    }
    looseCount = 0
    looseLine = nil
    end = max(end, range.upperBound)
    return true
  }

  /// Whether a frame follows the last one. A line without an address may be anything else.
  private func continues(_ match: LineMatch) -> Bool {
    guard match[.address] == nil, match[.place] == nil, let content = match[.content] else {
      return true
    }
    guard let index = match.integer(.index, source) else { return false }
    let symbol = FrameContentReader(source: source, range: content).read().traceSymbol
    let isNamed = symbol?.offset != nil
    guard let last = open?.frames.last?.index else {
      return grammar.format == .bareNames
        || index == 0
          && (open?.kind == .lastException || isNumberedCallStack
            || open?.isCrashed == true && (isNamed || facts.exception.isKnown))
    }
    // Somebody may have left frames out.
    return index == last + 1 || grammar.format == .bareNames && index == 0
      || index > last
        && (isNamed || isOfTable(match, content) || source.isMarkedFrame(match)
          || grammar.format == .bareNames && source.isInColumns(match))
  }

  /// Whether a bar is between the image and the function: nothing else has that shape.
  private func isOfTable(_ match: LineMatch, _ content: Range<Int>) -> Bool {
    guard let image = match[.image], image.upperBound < content.lowerBound else { return false }
    return source.bytes[image.upperBound..<content.lowerBound].contains(UInt8(ascii: "|"))
  }

  /// Takes a line between the name of an exception and its first frame: Crashlytics' pages have the
  /// reason there.
  private mutating func takeReason(_ range: Range<Int>) {
    guard let open, open.kind == .lastException, open.frames.isEmpty, looseCount == 0,
      facts.exception.name != nil, facts.exception.reason == nil,
      range.lowerBound == source.line(at: open.end).next
    else { return }
    facts.exception.reason = reason(in: range)
  }

  /// Without the asterisks of bold text.
  func reason(in range: Range<Int>) -> String {
    let start = "Description: "
    let whole = source.string(range)
    let text = whole.hasPrefix(start) ? String(whole.dropFirst(start.utf8.count)) : whole
    return text.hasSuffix("**") ? String(text.dropLast(2)) : text
  }

  private mutating func add(_ match: LineMatch, _ range: Range<Int>, _ line: TextLine) {
    let index = match.integer(.index, source)
    // The numbers of a stack begin anew.
    if let index, let last = open?.frames.last?.index, index < last {
      // What matters may stand in front of what is above it.
      if open?.frames.count == 1, index > 0, isBelowGap(line) {
        open?.isUnordered = true
      } else {
        closeStack()
      }
    }
    // Unity writes the stack once more, without numbers.
    if grammar.format == .androidTombstone, let last = open?.frames.last,
      (last.index == nil) != (index == nil)
    {
      closeStack()
    }
    // gdb shows the first frame when it stops, and again when it is asked for all.
    if grammar.format == .gdbBacktrace, index == 0, open?.frames.count == 1 {
      open?.frames.removeAll()
    }
    if open == nil {
      guard allowance.takeThread(at: range, &faults) else { return }
      let header = index.flatMap { headerRow(above: line, index: $0) }
      var stack = Stack(at: header?.range ?? range)
      stack.number = match.integer(.thread, source)
      if grammar.traits.isOfException, facts.exception.name != nil,
        !backtraces.contains(where: { $0.kind == .lastException })
      {
        stack.kind = .lastException
      }
      if grammar.traits.namesThreads, index == 0 { name(&stack, above: line) }
      if grammar.format == .bareNames, index == 0, isOfMainThread(line) {
        stack.queue = "com.apple.main-thread"
      }
      if let header { stack.frames = [header.frame] }
      open = stack
    }
    guard allowance.takeFrame(at: range, &faults) else { return }
    var reader = TraceFrameReader(source: source, grammar: grammar)
    let frame = reader.frame(match, range, &images, allowance, &faults)
    takeFailedCheck(frame, range)
    open?.frames.append(frame)
    open?.end = range.upperBound
    if index == 0, grammar.format == .gdbBacktrace, facts.nullArgument == nil,
      let arguments = match.text(.skip, source)
    {
      facts.nullArgument = nullArgument(among: arguments)
    }
  }

  /// Whether one of the few lines above the first frame has the name of the main queue.
  private func isOfMainThread(_ line: TextLine) -> Bool {
    var current = line
    for _ in 0..<3 {
      guard let above = source.lineAbove(current), above.end - above.start < 256 else {
        return false
      }
      if source.find("com.apple.main-thread", from: above.start, limit: above.end) != nil {
        return true
      }
      current = above
    }
    return false
  }

  private func isBelowGap(_ line: TextLine) -> Bool {
    source.lineAbove(line).map { source.isEllipsis($0) } ?? false
  }

  /// `page` of `page=0x0, count=3`.
  private func nullArgument(among arguments: String) -> String? {
    for argument in arguments.split(separator: ", ") where argument.hasSuffix("=0x0") {
      return String(argument.dropLast(4))
    }
    return nil
  }

  /// A line of its own above the first frame is the name of the thread.
  private mutating func name(_ stack: inout Stack, above line: TextLine) {
    var name = looseLine
    if name == nil, backtraces.isEmpty, let above = source.lineAbove(line) {
      let range = TraceGrammar.content(of: above, in: source)
      if grammar.reading(source, range) == nil { name = range }
    }
    guard let name, name.count < 100, !name.isEmpty,
      source[name.lowerBound] != UInt8(ascii: "`")
    else { return }
    stack.name = source.string(name)
  }

  private mutating func addAddresses(_ range: Range<Int>) {
    var addresses: [(address: LoadAddress, range: Range<Int>)] = []
    var position = range.lowerBound + 1
    while let (value, end) = source.hexadecimal(at: position, limit: range.upperBound) {
      if allowance.takeFrame(at: position..<end, &faults) {
        addresses.append((LoadAddress(value), position..<end))
      }
      position = source.skipSeparators(from: end, limit: range.upperBound)
    }
    guard !addresses.isEmpty, open?.frames.isEmpty != false else { return }
    if open == nil { open = Stack(at: range) }
    open?.frames = addresses.map { address, range in
      var values = FrameValues(byteRange: range)
      values.addressKind = grammar.traits.addressKind
      return StackFrame(address: address, carrier: .values(values))
    }
    open?.addressList = range
    open?.end = range.upperBound
  }

  private mutating func take(_ rule: TraceLine, _ match: LineMatch, _ range: Range<Int>) {
    let source = source
    switch rule.role {
    case .fact, .factAbove:
      if grammar.traits.isOfException, match[.exception] != nil { closeStack() }
      if !isOfLaterCrash { facts.take(match, source, title: rule.title) }
      if isNumberedCallStack, match[.signal] ?? match[.exception] != nil { open?.isCrashed = true }
      if case .fact = rule.role, let name = match.text(.threadName, source) { open?.name = name }
      // Flutter's file with the symbols is called so.
      if grammar.format == .dartTrace, let system = facts.system.name,
        let architecture = facts.architecture
      {
        images.nameOfOnlyImage = "app.\(system)-\(architecture).symbols"
      }
    case .build: images.takeBuild(match, source)
    case .mapping: images.takeMapping(match, source, system: facts.system.name)
    case .place: open?.placeLastFrame(match, source)
    case .thread(let isCrashed):
      openStack(at: range) { stack in
        stack.number = match.integer(.thread, source)
        stack.name = match.text(.threadName, source)
        stack.queue = match.text(.queue, source)
        stack.isCrashed = isCrashed
      }
      // Where the debugger stopped, and why.
      if let stop = match.text(.stop, source), isFirst(stop, range) {
        facts.take(stop: stop)
        open?.isCrashed =
          isCrashed || facts.exception.type != nil || facts.exception.signal != nil
      }
      if !isOfLaterCrash { facts.take(match, source, title: rule.title) }
    case .exception, .cause:
      closeStack()
      isOfLaterCrash = isOfLaterCrash || isBelowOtherCrash
      if case .cause = rule.role, facts.exception.name != nil { cause = match }
      let isFirst =
        !backtraces.contains { $0.kind == .lastException }
        && !isOfLaterCrash
      openStack(at: range) { stack in
        stack.kind = isFirst ? .lastException : .thread
        if !isFirst { stack.name = source.string(range) }
      }
      if isFirst {
        forgetOtherException(match)
        facts.take(match, source)
        if facts.exception.reason == nil {
          facts.exception.reason = source.thrownReason(above: range.lowerBound, floor: reasonFloor)
        }
      }
    }
  }

  /// Forgets an exception in the text above the trace, if the trace names another one.
  private mutating func forgetOtherException(_ match: LineMatch) {
    guard let name = match.text(.exception, source), let told = facts.exception.name, name != told,
      [name, told].allSatisfy({ $0.hasPrefix("NS") && $0.hasSuffix("Exception") })
    else { return }
    (facts.exception.name, facts.exception.reason) = (nil, nil)
  }

  private mutating func openStack(at range: Range<Int>, _ body: (inout Stack) -> Void) {
    closeStack()
    guard allowance.takeThread(at: range, &faults) else { return }
    var stack = Stack(at: range)
    body(&stack)
    open = stack
  }

  private mutating func closeStack() {
    guard var stack = open else { return }
    open = nil
    if grammar.traits.hasOffsetsAsAddresses { stack.forgetLoadAddress() }
    if stack.isUnordered { stack.frames.sort { $0.index ?? 0 < $1.index ?? 0 } }
    guard !stack.frames.isEmpty else { return }
    // Java's head shows the first frame, too.
    if grammar.format == .javaFatalError, stack.isCrashed, let head = backtraces.last,
      head.isCrashed, head.frames.count == 1
    {
      stack.name = stack.name ?? head.name
      backtraces.removeLast()
    }
    backtraces.append(
      Backtrace(
        kind: stack.kind, number: stack.number, name: stack.name, dispatchQueue: stack.queue,
        isCrashed: stack.isCrashed && !backtraces.contains(where: \.isCrashed),
        frames: stack.frames.markingInlinedCalls, byteRange: stack.start..<stack.end,
        addressListRange: stack.addressList))
  }

  // MARK: The report

  /// Nil if there is no frame.
  mutating func finish() -> Report? {
    takeBlamedFunction()
    closeStack()
    guard !backtraces.isEmpty else { return nil }
    completeFacts()
    var images = images
    if grammar.format == .gdbBacktrace, let program = facts.process.name {
      backtraces = backtraces.map { $0.namingProgram(program) }
    }
    let backtraces = backtraces.map {
      $0.mapping { images.placed($0, allowance, &faults) }
    }
    let crashed = backtraces.crashedStack
    facts.crashedThread = crashed.flatMap { backtraces[$0].number }
    return Report(
      format: grammar.format, byteRange: start..<max(start, end), facts: facts,
      images: images.images(at: max(start, end)),
      backtraces: crashed.map { backtraces.markingAsCrashed($0) } ?? backtraces, faults: faults)
  }
}
