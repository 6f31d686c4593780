import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Lines that have the shape of a frame, and whether they are one: that depends on the lines around
/// them, as tables and lists of names have the same shape.
extension TextSource {
  /// Behind separators, and the bar of a table.
  func columnStart(from position: Int, limit: Int) -> Int {
    let start = skipSeparators(from: position, limit: limit)
    return start < limit && self[start] == UInt8(ascii: "|")
      ? skipSeparators(from: start + 1, limit: limit) : start
  }

  /// Whether a word is the name of a library that stacks of crashes end in.
  func isSystemImage(_ start: Int, _ limit: Int) -> Bool {
    var end = start
    while end < limit, separatorLength(at: end, limit: limit) == 0 { end += 1 }
    // Of a path.
    let slash = bytes[start..<end].lastIndex(of: Ascii.slash)
    let start = slash.map { $0 + 1 } ?? start
    return end - start > 6 && has(".dylib", at: end - 6, limit: end)
      // Who copies by hand leaves the ending out.
      || end - start > 12 && end - start < 32 && has("libsystem_", at: start, limit: end)
      || Self.systemFrameworks.contains {
        has($0, at: start, limit: end) && end - start == $0.utf8.count
      }
  }

  private static let systemFrameworks = [
    "CoreFoundation", "Foundation", "UIKitCore", "UIKit", "AppKit", "JavaScriptCore", "WebCore",
    "WebKit", "SwiftUI", "QuartzCore",
  ]

  /// Whether a line ends with ` + 22456`, as a function with the distance from its start does.
  func endsWithOffset(_ start: Int, _ end: Int) -> Bool {
    let last = trimEnd(from: start, to: end)
    var digits = last
    while digits > start, Ascii.isDigit(self[digits - 1]) { digits -= 1 }
    return digits < last && last - digits < 8 && has(" + ", at: digits - 3, limit: last)
  }

  /// Whether a frame is the first of several that have names with offsets or places (`turn()
  /// (Board.cpp:12)`), or where no code is:
  ///
  /// ```text
  /// 0   ???     0x0
  /// 1   Board   turn(Tile*, unsigned int&) + 22456
  /// ```
  func beginsNamedFrames(_ frame: LineMatch) -> Bool {
    guard frame.integer(.index, self) == 0, let image = frame[.image] else { return false }
    let isNowhere = frame[.address] != nil && string(image) == "???"
    guard isNowhere || isPlaced(frame) else { return false }
    let next = line(at: line(at: image.upperBound).next)
    let below = TraceGrammar.bareNames.frame(self, TraceGrammar.content(of: next, in: self))
    return below?.integer(.index, self) == 1 && below.map(isPlaced) == true
  }

  /// Whether a frame has a function with the distance from its start, or its place, behind its
  /// image.
  private func isPlaced(_ frame: LineMatch) -> Bool {
    guard frame[.address] == nil, let content = frame[.content], frame[.image] != nil else {
      return false
    }
    let symbol = FrameContentReader(source: self, range: content).read().traceSymbol
    return symbol?.offset != nil || symbol?.file != nil
  }

  /// Whether a frame without an address is the first of several.
  func beginsBareNames(_ frame: LineMatch) -> Bool {
    guard let image = frame[.image],
      isSystemImage(image.lowerBound, image.upperBound) || isInTable(frame)
    else { return false }
    var next = line(at: line(at: image.upperBound).next)
    // A table of Markdown has its first frame above the rule.
    let rule = trimmed(next.start..<next.end)
    if !rule.isEmpty, rule.count < 64, bytes[rule].contains(UInt8(ascii: "|")),
      bytes[rule].allSatisfy({ "-|: ".utf8.contains($0) })
    {
      next = line(at: next.next)
    }
    let below = TraceGrammar.bareNames.frame(self, TraceGrammar.content(of: next, in: self))
    guard let index = frame.integer(.index, self) else {
      return below != nil && below?[.index] == nil
    }
    guard let below, let number = below.integer(.index, self) else { return false }
    return number == index + 1
      // Frames were left out.
      || number > index && isInColumns(frame) && isInColumns(below)
  }

  /// Whether a frame is in a table, and has a function with the distance from its start.
  private func isInTable(_ frame: LineMatch) -> Bool {
    guard frame.integer(.index, self) == 0, let index = frame[.index], let image = frame[.image],
      let content = frame[.content], isBar(between: index.upperBound, image.lowerBound),
      isBar(between: image.upperBound, content.lowerBound)
    else { return false }
    return FrameContentReader(source: self, range: content).read().traceSymbol?.offset != nil
  }

  /// Whether nothing but a bar and blanks is between two cells.
  func isBar(between start: Int, _ end: Int) -> Bool {
    let gap = trimmed(start..<end)
    return gap.count == 1 && self[gap.lowerBound] == UInt8(ascii: "|")
  }

  /// Whether a line that has the shape of a frame is one.
  func isTraceFrame(
    _ frame: LineMatch, of grammar: TraceGrammar, _ line: TextLine, _ looksAhead: Bool
  ) -> Bool {
    let isFrame =
      switch grammar.traits.sign(frame, self) {
      case .trace: true
      case .traceIfMoreFollow: !looksAhead || frameFollows(line, grammar)
      case .table:
        isTableFrame(
          frame, line, hasOffsets: grammar.traits.hasOffsetsAsAddresses, looksAhead)
      case .none: false
      }
    guard isFrame, looksAhead, grammar.traits.yieldsToReportBelow else { return isFrame }
    return !isAboveReport(line.start)
  }

  /// Whether a report of Apple's follows within 64 KB.
  private func isAboveReport(_ offset: Int) -> Bool {
    let limit = min(count, offset + 0x1_0000)
    return ["\nException Type:", "\"bug_type\""].contains {
      find($0, from: offset, limit: limit) != nil
    }
  }

  /// Whether a line is `0 0x000000000bad4007`: the innermost frame, with only its address.
  func isBareFirstFrame(_ line: TextLine) -> Bool {
    let range = trimmed(line.start..<line.end)
    guard range.count < 32, !range.isEmpty, self[range.lowerBound] == Ascii.zero else {
      return false
    }
    let address = skipSeparators(from: range.lowerBound + 1, limit: range.upperBound)
    return address > range.lowerBound + 1
      && hexadecimal(at: address, limit: range.upperBound)?.end == range.upperBound
  }

  func isCallStackFrameWithoutName(_ line: TextLine) -> Bool {
    isBareFirstFrame(line) || isFrameWithLoadAddress(line)
  }

  /// Whether a line is `0  Board  0x1048a8c30  0x1045b0000`: an address, and where the image begins
  /// in place of a function. Instabug writes frames so that have no symbols, in its columns.
  ///
  /// Source: for the columns, its files as people quote them (github.com/Instabug/Instabug-iOS,
  /// issue 499).
  private func isFrameWithLoadAddress(_ line: TextLine) -> Bool {
    guard line.end - line.start < 512, let frame = callStackFrame(line),
      let content = frame[.content]
    else { return false }
    return loadAddress(content, below: frame.number(.address, self)) != nil
  }

  /// An address with which a page begins, if nothing else is in a range, and another one is not
  /// below it.
  func loadAddress(_ range: Range<Int>, below address: UInt64?) -> UInt64? {
    guard let address,
      let (value, end) = hexadecimal(at: range.lowerBound, limit: range.upperBound),
      end == range.upperBound, value > 0, value <= address, value & 0xfff == 0
    else { return nil }
    return value
  }

  /// Whether the line below an offset begins with a number and an address: in Swift's own
  /// backtraces, most have a mark between them.
  func isAboveAddress(_ offset: Int) -> Bool {
    let next = line(at: offset).next
    guard next < count else { return false }
    let below = line(at: next)
    let start = skipSeparators(from: below.start, limit: below.end)
    guard let end = decimal(at: start, limit: below.end)?.end else { return false }
    return has("0x", at: skipSeparators(from: end, limit: below.end), limit: below.end)
  }

  /// Whether a line with an index, a name, an address and a symbol is a frame that belongs to no
  /// report in Apple's text format.
  private func isTableFrame(
    _ frame: LineMatch, _ line: TextLine, hasOffsets: Bool, _ looksAhead: Bool
  ) -> Bool {
    guard let address = frame.number(.address, self), let index = frame.integer(.index, self),
      let image = frame[.image], image.count < 128,
      (address < TraceGrammar.offsetLimit) == hasOffsets
    else { return false }
    guard let content = frame[.content] else {
      // LLVM without symbols. The address has all its digits.
      guard frame[.address]?.count == 18, !hasOffsets else { return false }
      return looksAhead ? isFollowed(line, by: index + 1) : index == 0
    }
    // Apple's text states where the image is, or its line is not one of these at all.
    let reader = FrameContentReader(source: self, range: content)
    let known =
      reader.read().traceSymbol ?? string(content).symbolAndHexadecimalOffset.map {
        FrameSymbol(name: $0.name, offset: $0.offset)
      } ?? (index == 0 && looksAhead ? reader.bareName() : nil)
    guard let symbol = known else { return false }
    guard looksAhead else { return index == 0 || address >= 0x1_0000_0000 && symbol.offset != nil }
    // One line alone may be anything.
    let gap = self.line(at: line.next)
    // Where frames were left out, others may be first.
    let isAboveGap =
      isEllipsis(gap) && callStackFrame(self.line(at: gap.next))?[.address] != nil
    guard isFollowed(line, by: index + 1) || isAboveGap else { return false }
    return !isInReport(line)
  }

  private func isFollowed(_ line: TextLine, by index: Int) -> Bool {
    line.next < count
      && callStackFrame(self.line(at: line.next))?.integer(.index, self) == index
  }

  private func callStackFrame(_ line: TextLine) -> LineMatch? {
    TraceGrammar.callStack.frame(self, TraceGrammar.content(of: line, in: self))
  }

  /// `...`, where somebody left something out.
  func isEllipsis(_ line: TextLine) -> Bool {
    let range = trimmed(line.start..<line.end)
    return string(range) == "…"
      || range.count > 1 && range.count < 8
        && bytes[range].allSatisfy { $0 == UInt8(ascii: ".") }
  }

  /// Whether frames are a fragment of a report in Apple's text format: a frame below states the
  /// load address of its image, or a heading of such a report follows.
  ///
  /// - Complexity: a run of frames is looked at once, from its first line.
  private func isInReport(_ line: TextLine) -> Bool {
    if let above = lineAbove(line), case .frame(let frame, _) = frameLine(above),
      frame.content.traceSymbol != nil
    {
      return true
    }
    var next = line.next
    for _ in 0..<1000 where next < count {
      let line = self.line(at: next)
      next = line.next
      if isBlank(line) { continue }
      guard case .frame(let frame, let address) = frameLine(line) else {
        return threadLine(line) != nil || sectionHeading(line) == .images
      }
      if frame.isUnmistakable(address) { return true }
    }
    return false
  }

  /// Whether a frame is among the next lines.
  ///
  /// - Parameter sign: what the line is. If many lines may come before the first frame, a line of
  ///   the same kind ends the search, so that each line of a text is looked at for one sign only.
  func frameFollows(
    _ line: TextLine, _ grammar: TraceGrammar, _ sign: TraceLine? = nil
  ) -> Bool {
    let end = grammar.traits.looseLimit > 24 ? sign?.pattern : nil
    var next = line.next
    var remaining = grammar.traits.looseLimit + 8
    while next < count, remaining > 0 {
      let line = self.line(at: next)
      next = line.next
      guard !isBlank(line) else { continue }
      remaining -= 1
      let content = TraceGrammar.content(of: line, in: self)
      if let end, !content.isEmpty, end.match(self, content) != nil { return false }
      switch grammar.reading(self, content) {
      case .frame, .addresses: return true
      case .line, nil: continue
      }
    }
    return false
  }
}

extension FrameContent {
  /// The symbol of a trace's frame; nil for what reports have in its place.
  var traceSymbol: FrameSymbol? {
    switch self {
    case .symbolicated(let symbol), .atos(let symbol, _): symbol
    case .unsymbolicated, .sideBySide, .unknown, .unparsed: nil
    }
  }
}

/// Writes an answer into the line of a trace, as the family has it:
///
/// ```text
/// {function} + {offset} ({file}:{line}{:column})
/// ```
struct TraceFrameWriter: FrameLineWriter {
  /// For an answer without a line of source.
  let named: String
  let placed: String

  func content(for call: FrameLineCall, of frame: FrameValues, in bytes: [UInt8]) -> String {
    guard let parts = frame.parts else { return "" }
    let isPlaced = call.file != nil && call.line > 0
    let text = fill(isPlaced ? placed : named, with: call)
    guard parts.content.isEmpty else { return text }
    // Nothing was there before.
    let position = parts.content.lowerBound
    func byte(_ offset: Int) -> UInt8 { bytes.indices.contains(offset) ? bytes[offset] : 0 }
    if byte(position) == UInt8(ascii: "[") { return "(\(text))" }
    let isSeparated = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "(")]
      .contains(byte(position - 1))
    return isSeparated || text.hasPrefix(" ") || text.hasPrefix("!") || text.hasPrefix(", ")
      ? text : " \(text)"
  }

  private func fill(_ template: String, with call: FrameLineCall) -> String {
    var text = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      switch rest[rest.index(after: open)..<close] {
      case "function": text += call.function
      case "offset": text += String(call.offset)
      case "0xoffset": text += "0x" + String(call.offset, radix: 16)
      case "file": text += call.file ?? ""
      case "line": text += String(call.line)
      case ":column": text += call.column.map { $0 > 0 ? ":\($0)" : "" } ?? ""
      default: break
      }
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
