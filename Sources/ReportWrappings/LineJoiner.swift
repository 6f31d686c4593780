import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Decides which lines continue a line that was broken.
struct LineJoiner {
  let source: TextSource
  /// Where lines were broken; nil if that was not at a column.
  let column: Int?
  /// Whether words stay whole, as mail programs keep them, and spaces are dropped instead.
  let keepsWords: Bool

  /// A line is broken into at most so many.
  private static let partLimit = 8
  /// A header of JSON has up to 700 characters.
  private static let headerPartLimit = 16
  /// Longer lines were not broken.
  private static let lengthLimit = 400

  struct Part {
    let line: TextLine
    /// Whether the line was broken at a space, which was dropped.
    let needsSpace: Bool
  }

  // MARK: Frames and images

  /// The lines that certainly continue a frame or an image.
  func parts(_ line: TextLine) -> [Part] {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    guard Ascii.isDigit(source[start]), isShort(line) else { return [] }
    var kind = Kind(source, line)
    var bytes = Array(source.bytes[line.start..<line.end])
    var parts: [Part] = []
    /// How many of the parts make a line that is complete.
    var completeCount = 0
    var last = line
    while parts.count < Self.partLimit, kind == .incomplete || kind == .extensible {
      guard let next = continuation(of: last) else { break }
      let isCut = isCut(last, before: next)
      let rest = source.bytes[next.start..<next.end]
      // A path may be broken anywhere. It ends with the name of the image.
      let isImage = source.has("0x", at: start, limit: line.end)
      let isPath = isImage && kind == .extensible && Self.isNamedAfterPath(bytes + rest)
      guard isCut || kind == .incomplete || isPath else { break }
      let spaces = spaces(between: last, next)
      let choices = (isImage && spaces == [true] ? [true, false] : spaces).map { needsSpace in
        let joined = bytes + (needsSpace ? [Ascii.space] : []) + rest
        return (needsSpace, joined, Kind(joined))
      }
      // An offset on a line of its own may follow a message in the place of the name.
      let start = source.skipSeparators(from: next.start, limit: next.end)
      let mayBeOffset = (!isCut || start > next.start) && source[start] == Ascii.plus
      let named = choices.count > 1 ? choices.first { Self.isNamedAfterPath($0.1) } : nil
      let complete =
        named
        ?? choices.prefix(spaces.count).first {
          $0.2 == .complete || $0.2 == .extensible && !mayBeOffset
        }
      guard let choice = complete ?? (kind == .incomplete ? choices.first : nil) else { break }
      parts.append(Part(line: next, needsSpace: choice.0))
      (bytes, last) = (choice.1, next)
      if complete != nil {
        kind = choice.2
        completeCount = parts.count
      }
    }
    // The text breaks off in the frame.
    if completeCount == 0, case .incomplete = kind, source.isBlank(below: last.end), isFrame(bytes)
    {
      return parts
    }
    return Array(parts.prefix(completeCount))
  }

  private func isFrame(_ bytes: [UInt8]) -> Bool {
    let line = TextLine(start: 0, end: bytes.count, next: bytes.count)
    guard case .frame = TextSource(bytes: bytes).frameLine(line) else { return false }
    return true
  }

  private static func isNamedAfterPath(_ bytes: [UInt8]) -> Bool {
    let line = TextLine(start: 0, end: bytes.count, next: bytes.count)
    guard case .image(let image, _) = TextSource(bytes: bytes).imageLine(line) else { return false }
    return image.path?.lastPathComponent == image.name
  }

  /// What a line is on its own.
  private enum Kind {
    /// Nothing may follow: a frame whose address is its load address and offset.
    case complete
    /// A frame with a name, or an image with its path. More may follow.
    case extensible
    /// It begins like a frame or an image.
    case incomplete
    case other

    init(_ bytes: [UInt8]) {
      self.init(
        TextSource(bytes: bytes), TextLine(start: 0, end: bytes.count, next: bytes.count))
    }

    init(_ source: TextSource, _ line: TextLine) {
      switch source.imageLine(line) {
      case .image(let image, let hasReadableIdentity):
        let isWhole = hasReadableIdentity && image.identity != nil && image.path != nil
        self = isWhole ? .extensible : .incomplete
        return
      case .damaged:
        self = .incomplete
        return
      case .other: break
      }
      guard case .frame(let frame, let address) = source.frameLine(line) else {
        if case .damaged = source.frameLine(line) { self = .incomplete } else { self = .other }
        return
      }
      switch frame.content {
      case .unsymbolicated(let place):
        let isZero = place.base.value == 0 && place.offset == address.value
        self = isZero || frame.isUnmistakable(address) ? .complete : .incomplete
      case .sideBySide, .atos, .unknown: self = .extensible
      case .symbolicated(let symbol): self = symbol.offset == nil ? .incomplete : .extensible
      case .unparsed: self = .incomplete
      }
    }
  }

  // MARK: Fields

  /// The lines that certainly continue a field: it fills all columns, or its value is missing.
  func partsOfField(_ line: TextLine) -> [Part] {
    guard let field = source.fieldLine(line),
      FieldKeys.known.contains(source.string(field.key.range))
    else { return [] }
    var isMissing = field.value.isEmpty
    var parts: [Part] = []
    var last = line
    while parts.count < Self.partLimit, let next = continuation(of: last) {
      guard isMissing || isCut(last, before: next), source.fieldLine(next) == nil else { break }
      parts.append(Part(line: next, needsSpace: spaces(between: last, next).first ?? false))
      isMissing = false
      last = next
    }
    return parts
  }

  /// The lines that may continue what a runtime or the loader says in the head: each line before
  /// them ends where lines are broken.
  func partsOfSentence(_ line: TextLine) -> [Part] {
    guard isShort(line), !source.isBlank(line), source.sectionHeading(line) == nil else {
      return []
    }
    var parts: [Part] = []
    var last = line
    while parts.count < Self.partLimit, let next = continuation(of: last),
      isCut(last, before: next), source.fieldLine(next) == nil,
      // Nothing fits behind a long path, so it may have ended its line.
      source.hasSeveralWords(last) || source[next.start] != UInt8(ascii: "(")
    {
      parts.append(Part(line: next, needsSpace: spaces(between: last, next).first ?? false))
      last = next
    }
    return parts
  }

  /// The lines that continue the JSON above a report, up to its closing brace.
  func partsOfHeader(_ line: TextLine) -> [Part] {
    guard isShort(line), source.has("{\"", at: line.start, limit: line.end) else { return [] }
    var bytes = Array(source.bytes[line.start..<line.end])
    var parts: [Part] = []
    var last = line
    while parts.count < Self.headerPartLimit, let next = continuation(of: last),
      isCut(last, before: next)
    {
      let needsSpace = spaces(between: last, next).first ?? false
      parts.append(Part(line: next, needsSpace: needsSpace))
      bytes += (needsSpace ? [Ascii.space] : []) + source.bytes[next.start..<next.end]
      last = next
      let end = source.trimEnd(from: next.start, to: next.end)
      if source[end - 1] == Ascii.closeBrace, JsonHeader(bytes, in: bytes.indices) != nil {
        return parts
      }
    }
    return []
  }

  // MARK: Two lines

  private func isShort(_ line: TextLine) -> Bool {
    line.end > line.start && line.end - line.start <= Self.lengthLimit
  }

  /// The line after `last`, if it may continue it: it is not one of its own, such as a frame, a
  /// heading or an image.
  private func continuation(of last: TextLine) -> TextLine? {
    guard last.isTerminated, last.next < source.count else { return nil }
    let next = source.line(at: last.next)
    guard isShort(next), !source.isBlank(next) else { return nil }
    if case .frame = source.frameLine(next) { return nil }
    // What is broken, too, and begins on that line, is none of these yet.
    guard !source.beginsImage(next), !source.beginsFrame(next) else { return nil }
    guard source.threadLine(next) == nil, source.sectionHeading(next) == nil else { return nil }
    return next
  }

  /// Whether a line ends where lines are broken: it fills all columns, or the first word of the
  /// next line does not fit behind it.
  private func isCut(_ last: TextLine, before next: TextLine) -> Bool {
    guard let column else { return false }
    let width = source.width(last.start..<last.end)
    if width >= column { return true }
    let start = source.skipSeparators(from: next.start, limit: next.end)
    var end = start
    while end < next.end, source.separatorLength(at: end, limit: next.end) == 0 { end += 1 }
    return width + 1 + source.width(start..<end) > column
  }

  /// Whether a space may stand between two lines: the likelier case first.
  private func spaces(between last: TextLine, _ next: TextLine) -> [Bool] {
    let hasSeparator =
      source.trimEnd(from: last.start, to: last.end) < last.end
      || source.separatorLength(at: next.start, limit: next.end) > 0
    if hasSeparator { return [false] }
    // A line that fills all columns may have been broken at a space all the same.
    let isFull = source.width(last.start..<last.end) == column
    return isFull ? [keepsWords, !keepsWords] : [true]
  }
}

extension TextSource {
  /// Whether a line begins with the two addresses of an image: `0x10af53000 - 0x10af56fff`.
  fileprivate func beginsImage(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard let first = hexadecimal(at: start, limit: line.end) else { return false }
    let dash = skipSeparators(from: first.end, limit: line.end)
    guard self[dash] == UInt8(ascii: "-") else { return false }
    let second = skipSeparators(from: dash + 1, limit: line.end)
    return hexadecimal(at: second, limit: line.end) != nil
  }

  /// Whether a line begins with the number of a frame and has an address further on.
  fileprivate func beginsFrame(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard let number = decimal(at: start, limit: line.end), number.end - start < 5 else {
      return false
    }
    let image = skipSeparators(from: number.end, limit: line.end)
    guard image > number.end, let address = find("0x", from: image, limit: line.end) else {
      return false
    }
    return address > image && trimEnd(from: image, to: address) < address
  }

  /// The number of characters of UTF-8.
  func width(_ range: Range<Int>) -> Int { bytes[range].count { $0 & 0xC0 != 0x80 } }

  func hasSeveralWords(_ line: TextLine) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    let end = trimEnd(from: start, to: line.end)
    var position = start
    while position < end {
      if separatorLength(at: position, limit: end) > 0 { return true }
      position += 1
    }
    return false
  }
}
