import JsonReading
import ReportFormats
package import ReportModel
import SymbolicationModel

// What is known of the stacks of a trace once all of their frames are.

extension [StackFrame] {
  /// Several in a row with the same address and different functions are calls inlined into the last
  /// of them. In a recursion the functions repeat.
  var markingInlinedCalls: [StackFrame] {
    var frames = self
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, let address = self[start].address, self[end].address == address,
        self[end].values?.imageName == self[start].values?.imageName
      {
        end += 1
      }
      let run = self[start..<end]
      let name = self[start].symbol?.name
      let round = run.dropFirst().firstIndex { $0.symbol?.name == name }.map { $0 - start }
      let length = round ?? run.count
      for index in run.indices.dropLast()
      where (index - start + 1) % length != 0 && self[index].symbol != nil {
        guard var values = self[index].values else { continue }
        values.isInlined = true
        values.symbol?.isInlined = true
        frames[index] = StackFrame(address: self[index].address, carrier: .values(values))
      }
      start = end
    }
    return frames
  }
}

extension [Backtrace] {
  /// The index of the stack that crashed. A debugger shows the first frame when it stops, and all
  /// of the same thread when it is asked.
  var crashedStack: Int? {
    guard let first = firstIndex(where: \.isCrashed), let number = self[first].number else {
      return firstIndex(where: \.isCrashed)
    }
    return indices.filter {
      self[$0].number == number
        && self[$0].frames.first?.address == self[first].frames.first?.address
    }.max { self[$0].frames.count < self[$1].frames.count } ?? first
  }

  /// The same with this one as the only one that crashed.
  func markingAsCrashed(_ index: Int) -> [Backtrace] {
    guard !self[index].isCrashed else { return self }
    return enumerated().map { $1.mapping(isCrashed: $0 == index) { $0 } }
  }
}

extension Report {
  /// The trace with its first stack as the one that crashed, if none is.
  package var withFirstStackCrashed: Report {
    guard !backtraces.isEmpty, !backtraces.contains(where: \.isCrashed) else { return self }
    var report = self
    report.backtraces = backtraces.markingAsCrashed(0)
    report.facts.crashedThread = backtraces[0].number
    return report
  }
}

extension Backtrace {
  /// The same with the name of the program for frames without a name, which gdb gives no library
  /// either: code of the program, if another such frame is near it, and not a wild address.
  func namingProgram(_ program: String) -> Backtrace {
    let unknown = Set(
      frames.filter { $0.imageName == nil && $0.symbol == nil }.compactMap { $0.address?.value }
    ).sorted()
    // In ascending order, the nearest one is beside it.
    let near = Set(
      zip(unknown, unknown.dropFirst()).filter { $0.1 - $0.0 < 16 << 20 }.flatMap { [$0.0, $0.1] })
    return mapping { frame in
      guard frame.imageName == nil, frame.symbol == nil, let address = frame.address?.value,
        near.contains(address), var values = frame.values
      else { return frame }
      values.imageName = program
      return StackFrame(address: frame.address, carrier: .values(values))
    }
  }

  /// The same with other frames.
  package func mapping(
    kind: Kind? = nil, isCrashed: Bool? = nil, _ change: (StackFrame) -> StackFrame
  ) -> Backtrace {
    Backtrace(
      kind: kind ?? self.kind, number: number, name: name, dispatchQueue: dispatchQueue,
      isCrashed: isCrashed ?? self.isCrashed,
      frames: frames.map(change), isOutermostFirst: isOutermostFirst, isCallTree: isCallTree,
      sampleCount: sampleCount, byteRange: byteRange, addressListRange: addressListRange,
      embeddedText: embeddedText, omissions: omissions, json: json)
  }
}

extension TraceBuilder {
  /// The header row of a table of frames, if it has the shape of one. Markdown has no table without
  /// a header, so that is what the first frame becomes, and its number may be lost:
  ///
  /// ```text
  /// Board | Deck::shuffle() + 20
  /// -- | --
  /// 3 Board | Deck::deal() + 92
  /// ```
  ///
  /// Source: GitHub Flavored Markdown Spec, section 4.10 (tables).
  ///
  /// - Parameters:
  ///   - line: the first frame with a number.
  ///   - index: the number.
  mutating func headerRow(
    above line: TextLine, index: Int
  ) -> (frame: StackFrame, range: Range<Int>)? {
    guard grammar.format == .bareNames, index > 0, let ruler = source.lineAbove(line),
      source.isTableRuler(ruler), let header = source.lineAbove(ruler),
      header.start >= reasonFloor, header.end - header.start < 1024,
      case let range = TraceGrammar.content(of: header, in: source),
      let match = Self.headerRow.match(source, range), let content = match[.content],
      source.isFunction(content) || source.isMethodOrBlock(content)
        || FrameContentReader(source: source, range: content).read().traceSymbol?.offset != nil,
      allowance.takeFrame(at: range, &faults)
    else { return nil }
    var reader = TraceFrameReader(source: source, grammar: grammar)
    let frame = reader.frame(match, range, &images, allowance, &faults)
    guard var values = frame.values else { return nil }
    values.index = index - 1
    start = min(start, header.start)
    return (StackFrame(address: frame.address, carrier: .values(values)), range)
  }

  private static let headerRow = LinePattern("{image} | {:}{content}{:}")
}

extension TraceBuilder {
  /// Takes the function that a page of Crashlytics blames, which stands in its title, above what
  /// the exception says, if the stack below breaks off before any code but what throws:
  ///
  /// ```text
  /// -[Deck deal:]
  /// NSRangeException - index 5 beyond bounds
  ///
  /// Fatal Exception: NSRangeException
  /// 0  CoreFoundation  0x11b298 __exceptionPreprocess
  /// ```
  ///
  /// Source: firebase.google.com/docs/crashlytics, "Understand crash-free metrics" (titles of
  /// issues); github.com/Baseflow/flutter-geolocator, issue 1729.
  mutating func takeBlamedFunction() {
    guard grammar.format == .crashlytics, let name = facts.exception.name, let stack = open,
      stack.kind == .lastException, let last = stack.frames.last?.index, stack.frames.count < 4,
      stack.frames.allSatisfy({ ["CoreFoundation", "libobjc.A.dylib"].contains($0.imageName) })
    else { return }
    var line = source.line(at: source.lineStart(of: start))
    for _ in 0..<8 {
      guard let above = source.lineAbove(line), above.start >= reasonFloor else { return }
      line = above
      let text = source.trimmed(line.start..<line.end, leading: "*`> #_\t", trailing: "*`_\r")
      guard source.has("\(name) - ", at: text.lowerBound, limit: text.upperBound) else { continue }
      guard let title = source.lineAbove(line), title.start >= reasonFloor,
        title.end - title.start < 512,
        case let function = source.trimmed(
          title.start..<title.end, leading: "`> #\t", trailing: "` \r"),
        source.isMethodOrBlock(function)
      else { return }
      var values = FrameValues(byteRange: function)
      values.index = last + 1
      values.symbol = FrameSymbol(name: source.string(function))
      start = min(start, title.start)
      open?.start = title.start
      open?.frames.append(StackFrame(address: nil, carrier: .values(values)))
      return
    }
  }
}

extension TextSource {
  /// Whether a line is `-- | --`, below the header of a table.
  fileprivate func isTableRuler(_ line: TextLine) -> Bool {
    let text = trimmed(line.start..<line.end)
    return text.count > 4 && text.count < 64 && bytes[text].contains(UInt8(ascii: "|"))
      && bytes[text].contains(UInt8(ascii: "-"))
      && bytes[text].allSatisfy { "-|: ".utf8.contains($0) }
  }
}

extension TraceBuilder.Stack {
  /// Takes the place of the last frame from the line below it.
  mutating func placeLastFrame(_ match: LineMatch, _ source: TextSource) {
    guard let last = frames.last, var values = last.values else { return }
    if let name = match.text(.symbol, source), values.symbol?.line == nil {
      let offset = match.number(.offset, source).flatMap { Int64(exactly: $0) }
      // A call that was inlined, or what the line with the image has no room for.
      if offset == nil || values.symbol == nil {
        values.isInlined = values.symbol != nil
        values.symbol = FrameSymbol(name: name, offset: offset)
      }
    }
    if let line = match.integer(.line, source), line > 0, values.symbol?.line == nil {
      values.symbol?.file = match.text(.file, source)
      values.symbol?.line = line
      values.symbol?.column = match.integer(.column, source)
    }
    if values.imageName == nil {
      values.imageName = match.text(.image, source)?.traceImageName
    }
    frames[frames.count - 1] = StackFrame(address: last.address, carrier: .values(values))
  }
}

// Frames that somebody, or a program, broke at a column.
extension TextSource {
  /// The last line of a frame whose rest is below it, if both are certain: lldb and Rust indent
  /// frames, but who breaks lines does not; and the arguments of Go's calls end with the bracket.
  ///
  /// ```text
  ///    4:        0x104fef7e0 -
  /// board::deck::Deck::deal::h1f3776e0b5c7517d
  /// ```
  ///
  /// Nil for all other lines.
  ///
  /// - Complexity: looks at eight lines below.
  package func endOfBrokenFrame(_ line: TextLine) -> TextLine? {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard start < line.end, line.end - line.start < 512, line.next < count else { return nil }
    if start == line.start, self[trimEnd(from: start, to: line.end) - 1] == Ascii.comma {
      return endOfBrokenCall(line)
    }
    var digits = start
    while digits < line.end, digits - start < 4, Ascii.isDigit(self[digits]) { digits += 1 }
    if start > line.start, digits > start, hasSwiftAddress(from: digits, line.end) {
      return restOfSwiftFrame(line)
    }
    let isFrame =
      digits > start
      ? start > line.start && has(": ", at: digits, limit: line.end)
      : has("frame #", at: start, limit: line.end)
        || has("* frame #", at: start, limit: line.end)
        || has("* thread #", at: start, limit: line.end)
        || start - line.start > 8 && has("at", at: start, limit: line.end)
          && (start + 2 == line.end || separatorLength(at: start + 2, limit: line.end) > 0)
    guard isFrame else { return nil }
    var last = line
    for _ in 0..<8 where last.next < count {
      let below = self.line(at: last.next)
      guard below.end > below.start, below.end - below.start < 1024, goesOn(last, below) else {
        break
      }
      last = below
    }
    return last.start > line.start ? last : nil
  }

  /// Whether the address of a frame of Swift's follows its number: `  0 [ra] 0x000055d2… turn() …`.
  private func hasSwiftAddress(from numberEnd: Int, _ limit: Int) -> Bool {
    var position = skipSeparators(from: numberEnd, limit: limit)
    guard position > numberEnd else { return false }
    while self[position] == Ascii.openBracket,
      let close = find("]", from: position, limit: min(limit, position + 12))
    {
      position = skipSeparators(from: close + 1, limit: limit)
    }
    return hexadecimal(at: position, limit: limit) != nil
  }

  /// The line below a frame of Swift's if it has the image that the frame lacks, or the path behind
  /// its ` at`. Other lines that are not indented may be there, too, such as `...`.
  private func restOfSwiftFrame(_ line: TextLine) -> TextLine? {
    let below = self.line(at: line.next)
    guard below.end > below.start, self[below.start] > Ascii.space else { return nil }
    let isPath =
      self[below.start] == Ascii.slash
      && has(" at", at: trimEnd(from: line.start, to: line.end) - 3, limit: line.end)
    let isImage =
      find(" in ", from: line.start, limit: line.end) == nil
      && find(" in ", from: below.start, limit: below.end) != nil
    return isPath || isImage ? below : nil
  }

  /// Whether a line that is not indented is the rest of the one above: its first word has no room
  /// there.
  private func goesOn(_ line: TextLine, _ below: TextLine) -> Bool {
    let first = self[below.start]
    // Above a disassembly, lldb has the function and a colon.
    guard first > Ascii.space, self[below.end - 1] != Ascii.colon,
      !"#>*`|".utf8.contains(first) || first == UInt8(ascii: "`") && self[below.start + 1] != first,
      !["frame #", "thread ", "note: ", "(lldb)", "Process ", "Target "].contains(where: {
        has($0, at: below.start, limit: below.end)
      })
    else { return false }
    let word = bytes[below.start..<below.end].prefix { $0 > Ascii.space }.count
    return line.end - line.start + 1 + word > Self.narrowest
  }

  /// Nobody breaks lines at less.
  private static let narrowest = 68

  /// The line in which the arguments of a call of Go end, above the line with its place.
  private func endOfBrokenCall(_ line: TextLine) -> TextLine? {
    guard let open = bytes[line.start..<line.end].firstIndex(of: Ascii.openParenthesis),
      bytes[line.start..<open].contains(UInt8(ascii: "."))
        || bytes[open..<line.end].contains(Ascii.openBrace)
    else { return nil }
    var last = line
    for _ in 0..<4 where last.next < count {
      let below = self.line(at: last.next)
      let end = trimEnd(from: below.start, to: below.end)
      guard end > below.start, end - below.start < 256,
        bytes[below.start..<end].allSatisfy({ byte in
          hexadecimalDigitValue(byte) != nil || "x(),. {}?_…".utf8.contains(byte)
        })
      else { return nil }
      last = below
      guard self[end - 1] == Ascii.closeParenthesis, below.next < count else { continue }
      let place = self.line(at: below.next)
      return self[place.start] <= Ascii.space
        && find(".go:", from: place.start, limit: place.end) != nil ? last : nil
    }
    return nil
  }
}
