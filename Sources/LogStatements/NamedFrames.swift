import JsonReading
import ReportFormats
package import ReportModel
import SymbolicationModel

/// A stack that somebody wrote down as names alone, the innermost first: one on a line below a
/// heading, maybe behind its image; below the fields of a report, behind images; or in one sentence
/// with arrows between them.
///
/// ```text
/// Crashing thread:
///
/// CoreData   -[NSManagedObjectContext performBlockAndWait:]
/// Board      Deck.shuffle(cards:)
/// ```
///
/// `Top app frames: draw_card -> deal -> -[Board turn]`, or with the arrows the other way round and
/// a label in any language; without one in code, beside the exception.
///
/// Any names look like that, so they count only beside an exception (``CrashStatements``), and if
/// each line of the paragraph, or each part of the sentence, is one.
///
/// Source: how people show stacks in Markdown: github.com/pytorch/pytorch, issue 158027.
package struct NamedFrames {
  package struct Frame {
    package let image: Range<Int>?
    /// Nil if only the image is known.
    package let name: Range<Int>?
    let line: Range<Int>
    var place: (file: String, line: Int)?
  }

  package private(set) var frames: [Frame] = []
  /// Who threw an exception, if that is a stack of its own.
  private var thrower: [Frame] = []
  /// Whether that breaks off, so that what is further out is in the other stack only.
  private var isThrowerCut = false
  /// Whether the frames are all of the program.
  private var isOfProgram = false
  package private(set) var range: Range<Int>

  /// The first stack of names in whole lines; nil if there is none.
  ///
  /// - Complexity: O(n). Looks at 64 lines below each heading that has no frames below it.
  package init?(in source: TextSource, _ lines: Range<Int>) {
    range = lines.lowerBound..<lines.lowerBound
    let limit = lines.upperBound
    var next = lines.lowerBound
    var isBelowFields = false
    while next < lines.upperBound {
      let line = source.line(at: next)
      next = line.next
      guard line.end - line.start < 1024, line.end - line.start > 5 else {
        if line.start < line.end { isBelowFields = false }
        continue
      }
      if let kind = source.stackHeading(line) {
        var block = source.namedBlock(below: line, limit, isColumns: false)
        // Others have the exception first.
        if kind == .exception, block?.frames.first.map({ source.isThrow($0) }) != true {
          block = nil
        }
        if let block {
          if frames.isEmpty, kind == .stack {
            frames = block.frames
            note(line.start..<block.end)
          } else if thrower.isEmpty, let first = block.frames.first, source.isThrow(first) {
            (thrower, isThrowerCut) = (block.frames, block.hasGap)
            note(line.start..<block.end)
          }
          next = max(next, block.end)
          continue
        }
      }
      if !frames.isEmpty { continue }
      if let list = source.numberedFrames(from: line, limit)
        ?? source.framesBehindFiles(from: line, limit) ?? source.listedFrames(from: line, limit)
      {
        frames = list.frames
        note(line.start..<list.end)
        return
      }
      if let chain = source.namedChain(line, limit) ?? source.chainBesideException(line) {
        frames = chain.frames
        note(line.start..<chain.end)
        isOfProgram = chain.isOfProgram
        return
      }
      isBelowFields =
        source.fieldLine(line).map { field in
          let key = source.string(field.key.range)
          return key == "Exception Type" || isBelowFields && FieldKeys.known.contains(key)
        } ?? false
      if isBelowFields, source.isBlank(source.line(at: line.next)),
        let block = source.namedBlock(below: line, limit, isColumns: true)
      {
        frames = block.frames
        note(line.start..<block.end)
        return
      }
    }
    if frames.isEmpty { return nil }
  }

  /// The first lines of a text, one below the other, that are what atos prints for addresses, which
  /// their author looked up: `-[Deck deal] (in Board) (Deck.m:12)`. Nil if there are none.
  ///
  /// Source: atos(1).
  init?(decodedIn source: TextSource, _ lines: Range<Int>) {
    range = lines.lowerBound..<lines.lowerBound
    var next = lines.lowerBound
    while next < lines.upperBound, frames.count < 64,
      let sign = source.find(" (in ", from: next, limit: lines.upperBound)
    {
      let line = source.line(at: source.lineStart(of: sign))
      if !frames.isEmpty, line.start != next { return }
      next = max(line.next, sign + 1)
      if let frame = source.decodedFrame(line) {
        frames.append(frame)
        note(line.start..<line.end)
      } else if !frames.isEmpty {
        return
      }
    }
    if frames.isEmpty { return nil }
  }

  fileprivate static let placed = LinePattern("{symbol} ({file:w}:{line})")
  static let behindFile = LinePattern("{file:w}:{line} - {symbol}")
  fileprivate static let decoded = LinePattern("{symbol} (in {image:w}) ({file:w}:{line})")

  private mutating func note(_ lines: Range<Int>) {
    range =
      range.isEmpty
      ? lines
      : min(range.lowerBound, lines.lowerBound)..<max(range.upperBound, lines.upperBound)
  }

  /// The stacks, with that of the exception first.
  ///
  /// - Parameter process: of the report.
  package func backtraces(_ source: TextSource, _ process: String?) -> [Backtrace] {
    let image = isOfProgram ? process : nil
    let stacks: [(frames: [Frame], kind: Backtrace.Kind)] =
      isThrowerCut ? [(thrower + frames, .thread)] : [(thrower, .lastException), (frames, .thread)]
    return stacks.compactMap { frames, kind in
      let starts = frames.map(\.line.lowerBound)
      guard let start = starts.min(), let end = frames.map(\.line.upperBound).max() else {
        return nil
      }
      return Backtrace(
        kind: kind, number: nil, isCrashed: kind == .thread,
        frames: frames.enumerated().map { source.stackFrame($1, index: $0, of: image) },
        byteRange: start..<end)
    }
  }
}

extension TextSource {
  fileprivate func decodedFrame(_ line: TextLine) -> NamedFrames.Frame? {
    let text = trimmed(line.start..<line.end, leading: "> `\t", trailing: " `\r")
    guard text.count < 1024, let match = NamedFrames.decoded.match(self, text),
      let name = match[.symbol], isSureName(name), let file = match.text(.file, self),
      let number = match.integer(.line, self)
    else { return nil }
    return NamedFrames.Frame(image: match[.image], name: name, line: text, place: (file, number))
  }

  fileprivate enum StackHeading { case stack, exception }

  /// What the lines below are, as a heading with a colon says: `Crashing thread:`, `faulting
  /// frames:`, `### Stack Trace:`. Nil for other lines.
  fileprivate func stackHeading(_ line: TextLine) -> StackHeading? {
    let text = trimmed(line.start..<line.end, leading: "#*_>- \t", trailing: "*_ \t\r")
    guard text.count > 5, text.count < 64, self[text.upperBound - 1] == Ascii.colon,
      let first = bytes[text].first, Ascii.isLowercase(first) || Ascii.isUppercase(first)
    else { return nil }
    let words = string(text.dropLast()).lowercased()
    if NamedFrames.headings.contains(where: { words.hasSuffix($0) }) { return .stack }
    return words.firstRange(of: "exception") == nil ? nil : .exception
  }

  /// The names in the paragraph or block of code below a line; nil if one of its lines is something
  /// else, or no two of them are certain.
  ///
  /// - Parameter isColumns: whether the first two must have images.
  fileprivate func namedBlock(
    below heading: TextLine, _ limit: Int, isColumns: Bool
  ) -> (frames: [NamedFrames.Frame], end: Int, hasGap: Bool)? {
    var frames: [NamedFrames.Frame] = []
    var (sure, end, blank) = (0, heading.next, 0)
    var (isCode, hasGap, isCertain) = (false, false, false)
    for _ in 0..<64 where end < limit {
      let line = self.line(at: end)
      var text = trimmed(line.start..<line.end, leading: "> \t", trailing: " \t\r")
      let isFence =
        has("```", at: text.lowerBound, limit: text.upperBound)
        || has("~~~", at: text.lowerBound, limit: text.upperBound)
      if text.isEmpty || isFence {
        // Above the names there may be both.
        if !frames.isEmpty { break }
        if isFence, isCode { return nil }
        isCode = isCode || isFence
        blank += 1
        guard blank < 4 else { return nil }
        end = line.next
        continue
      }
      // Of a list.
      if ["- ", "* "].contains(where: { has($0, at: text.lowerBound, limit: text.upperBound) }) {
        text = trimmed(text.lowerBound + 2..<text.upperBound, leading: " `", trailing: "`")
      }
      guard let frame = namedFrame(text, isColumns: isColumns) else {
        guard isGap(text) else { return nil }
        (hasGap, end) = (true, line.next)
        continue
      }
      if isColumns, frames.count < 2, frame.image == nil || frame.name == nil { return nil }
      frames.append(frame)
      if let name = frame.name, isSureName(name) {
        sure += 1
        // Other tables have words with underscores.
        isCertain = isCertain || !bytes[name].allSatisfy(Self.isOfName)
      }
      end = line.next
    }
    let isStack = isColumns ? sure > 1 && isCertain : sure > 0
    return frames.count > 1 && isStack ? (frames, end, hasGap) : nil
  }

  private func isGap(_ text: Range<Int>) -> Bool {
    text.count < 8 && ["…", "...", "[...]", "[…]", "⋮"].contains(string(text))
  }

  private func namedFrame(_ text: Range<Int>, isColumns: Bool) -> NamedFrames.Frame? {
    guard text.count > 2, text.count < 512 else { return nil }
    let name = withoutOffset(text)
    if isName(name) {
      // Among images it is one, whose function is not known.
      let isImage =
        isColumns && Ascii.isUppercase(self[name.lowerBound])
        && bytes[name].allSatisfy(Self.isOfName)
      return NamedFrames.Frame(
        image: isImage ? name : nil, name: isImage ? nil : name, line: text)
    }
    let image = bytes[text].prefix { $0 > Ascii.space }
    let rest = skipSeparators(from: image.endIndex, limit: text.upperBound)
    guard rest - image.endIndex > 1 || self[image.endIndex] == Ascii.tab, rest < text.upperBound,
      image.count < 80,
      image.allSatisfy({ Self.isOfName($0) || ".+-".utf8.contains($0) || $0 >= 0x80 })
    else { return nil }
    let function = withoutOffset(rest..<text.upperBound)
    let isUnknown = bytes[function].allSatisfy { $0 == UInt8(ascii: "?") }
    guard isUnknown || isName(function) else { return nil }
    return NamedFrames.Frame(
      image: image.startIndex..<image.endIndex, name: isUnknown ? nil : function, line: text)
  }

  /// A function without the distance from its start behind it.
  func withoutOffset(_ name: Range<Int>) -> Range<Int> {
    var end = name.upperBound
    while end > name.lowerBound, Ascii.isDigit(self[end - 1]) { end -= 1 }
    return end < name.upperBound && end - 3 > name.lowerBound && has(" + ", at: end - 3, limit: end)
      ? name.lowerBound..<end - 3 : name
  }

  /// Whether a text may be the name of a function, as no sentence is: one word up to its
  /// parameters, a method, or what demangled names of Swift begin with.
  func isName(_ name: Range<Int>) -> Bool {
    guard name.count > 2, let last = bytes[name].last, !":;,{=".utf8.contains(last) else {
      return false
    }
    return isSureName(name)
      || bytes[name].allSatisfy { Self.isOfName($0) || ".$~".utf8.contains($0) }
  }

  /// Whether a text is such a name and no other word.
  private func isSureName(_ name: Range<Int>) -> Bool {
    if isMethodOrBlock(name) || isQualifiedName(name) { return true }
    if Self.swiftStarts.contains(where: { has($0, at: name.lowerBound, limit: name.upperBound) }) {
      return bytes[name].contains { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ".") }
    }
    if isFunction(name) { return true }
    return bytes[name].contains(UInt8(ascii: "_"))
      && bytes[name].allSatisfy { Self.isOfName($0) || ".$".utf8.contains($0) }
  }

  /// Whether a function only throws an exception.
  fileprivate func isThrow(_ frame: NamedFrames.Frame) -> Bool {
    guard let name = frame.name else { return false }
    return ["objc_exception_throw", "__exceptionPreprocess", "__cxa_throw"].contains(string(name))
  }

  /// The functions in a sentence behind a label, with arrows between them, and where the line below
  /// begins. Nil if there are less than three, or the order is not certain: an arrow to the left
  /// is from a caller, and one to the right is from the innermost function only if the label says
  /// that it is on top.
  fileprivate func namedChain(
    _ line: TextLine, _ limit: Int
  ) -> (frames: [NamedFrames.Frame], end: Int, isOfProgram: Bool)? {
    let labelEnd = min(line.end, line.start + 64)
    guard
      let colon = bytes[line.start..<labelEnd].firstIndex(where: { $0 == Ascii.colon }),
      let arrow = NamedFrames.arrows.first(where: {
        find($0.sign, from: colon, limit: line.end) != nil
      })
    else { return nil }
    let label = string(line.start..<colon).lowercased()
    guard
      arrow.isToCallee
        || label.firstRange(of: "top") != nil
          && ["frame", "stack", "trace"].contains(where: { label.firstRange(of: $0) != nil })
    else { return nil }
    return namedChain(in: colon + 1..<line.end, arrow.sign, line, limit).map { frames, end in
      (frames, end, label.firstRange(of: "app frames") != nil)
    }
  }

  /// The functions of a part of a line with arrows between them, and where the line below begins.
  /// Nil if there are less than three.
  func namedChain(
    in text: Range<Int>, _ arrow: String, _ line: TextLine, _ limit: Int
  ) -> (frames: [NamedFrames.Frame], end: Int)? {
    var (rest, end) = (text, line.next)
    var frames: [NamedFrames.Frame] = []
    for _ in 0..<64 {
      rest = trimmed(rest)
      var mark = find(arrow, from: rest.lowerBound, limit: rest.upperBound)
      var part = trimmed(
        rest.lowerBound..<(mark ?? rest.upperBound), leading: "* ", trailing: "* \r")
      // The line is broken behind an arrow.
      if part.isEmpty {
        guard mark == nil, end < limit, end > line.end, frames.count > 0 else { return nil }
        let below = self.line(at: end)
        (rest, end) = (below.start..<below.end, below.next)
        guard !rest.isEmpty, rest.count < 1024 else { return nil }
        continue
      }
      // Behind code, somebody may say more. All functions may be in one span of it.
      let isSpan = self[part.lowerBound] == UInt8(ascii: "`")
      let start = isSpan ? part.lowerBound + 1 : part.lowerBound
      let close = find("`", from: start, limit: part.upperBound)
      if let close, !isSpan || close + 1 < part.upperBound { mark = nil }
      part = start..<(close ?? part.upperBound)
      guard part.count < 256, let frame = chainedFrame(part) else { return nil }
      frames.append(frame)
      guard let mark else { break }
      rest = mark + arrow.utf8.count..<rest.upperBound
    }
    guard frames.count > 2, frames.contains(where: { $0.name.map(isSureName) == true }) else {
      return nil
    }
    return (frames, end)
  }

  /// A function, maybe with its place: `deal (deck.c:12)`.
  private func chainedFrame(_ text: Range<Int>) -> NamedFrames.Frame? {
    if let match = NamedFrames.placed.match(self, text), let name = match[.symbol], isName(name),
      let file = match.text(.file, self), let line = match.integer(.line, self)
    {
      return NamedFrames.Frame(image: nil, name: name, line: text, place: (file, line))
    }
    return isName(text) ? NamedFrames.Frame(image: nil, name: text, line: text) : nil
  }

  func stackFrame(
    _ frame: NamedFrames.Frame, index: Int, of process: String?
  ) -> StackFrame {
    var values = FrameValues(byteRange: frame.line)
    values.index = index
    values.imageName = frame.image.map { string($0) } ?? process
    values.symbol = frame.name.map {
      FrameSymbol(name: string($0), file: frame.place?.file, line: frame.place?.line)
    }
    return StackFrame(address: nil, carrier: .values(values))
  }
}

extension NamedFrames {
  fileprivate static let headings = [
    "crashing thread", "crashed thread", "faulting thread", "faulting frames", "crashing frames",
    "crashed frames", "top frames", "key frames", "relevant frames", "stack trace", "stacktrace",
    "backtrace", "call stack", "crash stack", "crashing stack", "faulting stack",
  ]

  /// What people put between functions, and whether it points to the one that was called.
  fileprivate static let arrows = [
    (sign: "←", isToCallee: true), (sign: "<-", isToCallee: true), (sign: "->", isToCallee: false),
    (sign: "→", isToCallee: false),
  ]
}
