import JsonReading
import LogStatements
package import ReportModel
import SymbolicationModel

/// Parts of the body of an `.ips` without what was around them. People paste what they find
/// telling: some members, with other text between them, or a list of frames that begins anywhere.
///
/// ```text
///   "exception" : {"type":"EXC_BAD_ACCESS", …},
///   …
///   "threads" : [ …
/// ```
struct JsonPieceWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    if let text = withoutCommentMarks(source) { return text }
    var search = MemberSearch(source)
    let members = search.members()
    // Images alone follow the rest of the threads.
    guard let first = members.first,
      members.count > 1 || !source.has("\"usedImages\"", at: first.lowerBound, limit: source.count)
    else { return frames(source) }
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count - first.lowerBound + 2)
    text.put(Ascii.openBrace, for: first.lowerBound..<first.lowerBound)
    var end = first.lowerBound
    for member in members {
      if member != first { text.put(Ascii.comma, for: end..<member.lowerBound) }
      text.copy(member, escapingLineEnds: search.broken.contains(member.lowerBound), source)
      end = member.upperBound
    }
    if !search.isCut {
      if !search.hasFrames { end = text.putFrames(below: end, source) }
      text.put(Ascii.closeBrace, for: end..<end)
    }
    return text
  }

  /// The text without the marks of comments in source code, if a member is behind one:
  ///
  /// ```text
  /// //   "termination": {"namespace":"DYLD", "indicator":"Library missing",
  /// //     "reasons":["Library not loaded: @rpath/Deck.framework/Deck"]}
  /// ```
  private func withoutCommentMarks(_ source: TextSource) -> UnwrappedText? {
    guard source.find("//", from: source.textStart, limit: source.count) != nil,
      Self.commented.contains(where: {
        source.find($0, from: source.textStart, limit: source.count) != nil
      })
    else { return nil }
    var text = UnwrappedText(of: source.bytes)
    var (copied, next) = (source.textStart, source.textStart)
    var isMember = false
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      let mark = source.skipSeparators(from: line.start, limit: line.end)
      guard source.has("//", at: mark, limit: line.end) else { continue }
      let start = source.skipSeparators(from: mark + 2, limit: line.end)
      isMember =
        isMember || Self.commented.contains { source.has($0, at: start, limit: line.end) }
      text.copy(copied..<line.start)
      copied = mark + 2
    }
    guard isMember else { return nil }
    text.copy(copied..<source.count)
    return text
  }

  private static let commented = ["\"termination\"", "\"exception\"", "\"asi\""]

  /// Frames of a thread whose beginning is missing, and what is below them.
  private func frames(_ source: TextSource) -> UnwrappedText? {
    let key = "\"imageOffset\""
    guard var start = source.find(key, from: source.textStart, limit: source.count) else {
      return nil
    }
    if let thread = thread(source, above: start) { return thread }
    var opening = Self.openingOfPiece
    let isCrashed =
      source.find("\"matchesCrashFrame\"", from: source.textStart, limit: start) != nil
      || source.find("\"triggered\":true", from: source.textStart, limit: start) != nil
    if isCrashed { opening += "\"triggered\":true," }
    let isObject = source[start - 1] == Ascii.openBrace
    if isObject { start -= 1 }
    opening += isObject ? "\"frames\":[" : "\"frames\":[{"
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count - start + opening.utf8.count)
    text.put(opening.utf8, for: start..<start)
    text.copy(start..<source.count)
    return text
  }
}

extension JsonPieceWrapping {
  /// A thread whose first members are missing: the registers, the frames and what is below them.
  ///
  /// - Parameter frame: where the first member of a frame is.
  private func thread(_ source: TextSource, above frame: Int) -> UnwrappedText? {
    let keys = ["\"triggered\":", "\"threadState\":"]
    var opening = Self.openingOfPiece
    var first = keys.compactMap({ source.find($0, from: source.textStart, limit: frame) }).min()
    if first == nil {
      // Of the registers, the numbered ones are cut.
      first = source.find("\"flavor\":", from: source.textStart, limit: frame)
      opening += "\"threadState\":{"
    }
    guard let start = first, source.find("\"frames\"", from: start, limit: frame) != nil else {
      return nil
    }
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count - start + opening.utf8.count)
    text.put(opening.utf8, for: start..<start)
    text.copy(start..<source.count)
    return text
  }

  /// The member says that nothing is known of the threads above.
  private static let openingOfPiece = "{\"threads\":[{\"\(IpsKey.keyOfPiece)\":true,"
}

/// Finds the members that bodies have at the top.
private struct MemberSearch {
  private let source: TextSource
  /// Whether the last member breaks off.
  private(set) var isCut = false
  /// Whether a member has frames, or may have them.
  private(set) var hasFrames = false
  /// Where members begin whose value is a string of several lines.
  private(set) var broken: Set<Int> = []
  /// How many values that break off are still read, so that the time stays linear.
  private var remainingCuts = 8

  init(_ source: TextSource) { self.source = source }

  mutating func members() -> [Range<Int>] {
    var members: [Range<Int>] = []
    var next = source.textStart
    while next < source.count, !isCut {
      let line = source.line(at: next)
      next = line.next
      var position = source.skipSeparators(from: line.start, limit: line.end)
      // Of code in Markdown, and of an object that breaks off.
      if source[position] == UInt8(ascii: "`") || source[position] == Ascii.openBrace {
        position = source.skipSeparators(from: position + 1, limit: line.end)
      }
      while let (member, isKnown) = member(at: position, line) {
        if isKnown { members.append(member) }
        guard !isCut else { break }
        position = source.skipSeparators(from: member.upperBound, limit: source.count)
        if source[position] == Ascii.comma { position += 1 }
        position = source.skipSeparators(from: position, limit: source.count)
        next = max(next, source.line(at: member.upperBound).next)
      }
    }
    return members
  }

  /// The member that begins at an offset, and whether bodies have it.
  private mutating func member(
    at start: Int, _ line: TextLine
  ) -> (range: Range<Int>, isKnown: Bool)? {
    guard source[start] == Ascii.quote else { return nil }
    let keyEnd = source.find("\"", from: start + 1, limit: min(source.count, start + 64))
    guard let keyEnd else { return nil }
    let colon = source.skipSeparators(from: keyEnd + 1, limit: source.count)
    guard source[colon] == Ascii.colon else { return nil }
    let name = source.string(start + 1..<keyEnd)
    let isKnown = Self.keys.contains(name)
    if ["threads", "lastExceptionBacktrace", "usedImages", "panicString"].contains(name) {
      hasFrames = true
    }
    let value = try? JsonDocument(source.bytes, in: colon + 1..<source.count)
    if let value, value.damage == nil { return (start..<value.byteRange.upperBound, isKnown) }
    let first = source.skipSeparators(from: colon + 1, limit: source.count)
    guard value != nil || source[first] == Ascii.quote else { return nil }
    if isKnown, source[first] == Ascii.quote, let end = source.endOfBrokenString(first) {
      broken.insert(start)
      return (start..<end, true)
    }
    remainingCuts -= 1
    guard isKnown, remainingCuts > 0 else {
      isCut = remainingCuts <= 0
      return nil
    }
    isCut = true
    return (start..<source.count, true)
  }

  /// Of the part that says which process it was and what happened.
  private static let keys: Set<String> = [
    "procName", "procPath", "pid", "procRole", "parentProc", "parentPid", "bundleInfo", "osVersion",
    "modelCode", "cpuType", "translated", "captureTime", "procLaunch", "incident", "bug_type",
    "exception", "exceptionReason", "termination", "asi", "asiBacktraces", "ktriageinfo",
    "fatalDyldError",
    "vmRegionInfo", "vmregioninfo", "faultingThread", "lastExceptionBacktrace", "threads",
    "usedImages", "panicString", "build", "product", "os_fault",
    // Of a jetsam report.
    "timeDelta", "memoryStatus", "largestProcess",
  ]
}

extension UnwrappedText {
  /// Copies a member whose string may have line breaks of its own, which JSON does not allow: who
  /// shows the regions of memory puts them below each other.
  ///
  /// ```text
  /// "vmRegionInfo": "0x16fdfbfb0 is in 0x16bdf8000-0x16fdfc000;  bytes before end: 79
  ///    ---> STACK GUARD  16bdf8000-16fdfc000  [64.0M] ---/rwx  stack guard for thread 0"
  /// ```
  ///
  /// Source: RFC 8259, section 7.
  fileprivate mutating func copy(
    _ member: Range<Int>, escapingLineEnds: Bool, _ source: TextSource
  ) {
    guard escapingLineEnds else { return copy(member) }
    var copied = member.lowerBound
    for offset in member where source[offset] == Ascii.lineFeed {
      let end = source[offset - 1] == Ascii.carriageReturn ? offset - 1 : offset
      copy(copied..<max(copied, end))
      put("\\n".utf8, for: end..<offset + 1)
      copied = offset + 1
    }
    copy(copied..<member.upperBound)
  }
}

extension UnwrappedText {
  /// Adds a thread with the functions that somebody wrote as names below the members, near their
  /// end. Returns where they end.
  fileprivate mutating func putFrames(below end: Int, _ source: TextSource) -> Int {
    let start = source.line(at: end).next
    let limit = source.lineStart(of: min(source.count, end + 4096))
    guard start < limit, let named = NamedFrames(in: source, start..<limit) else { return end }
    let names = named.frames.compactMap(\.name).filter { name in
      source.bytes[name].allSatisfy {
        $0 >= Ascii.space && $0 != Ascii.quote && $0 != Ascii.backslash
      }
    }
    var copied = end
    for name in names {
      let opening = copied == end ? ",\"threads\":[{\"triggered\":true,\"frames\":[" : ","
      put("\(opening){\"symbol\":\"".utf8, for: copied..<name.lowerBound)
      copy(name)
      put("\"}".utf8, for: name.upperBound..<name.upperBound)
      copied = name.upperBound
    }
    if copied > end { put("]}],\"usedImages\":[]".utf8, for: copied..<copied) }
    return copied
  }
}

extension TextSource {
  /// The end of a string of a few lines that begins at an offset, behind which the member ends; nil
  /// if it has one line only, or goes on too long.
  fileprivate func endOfBrokenString(_ start: Int) -> Int? {
    let limit = min(count, start + 4096)
    var position = start + 1
    var lineEnds = 0
    while position < limit, self[position] != Ascii.quote {
      if self[position] == Ascii.backslash { position += 1 }
      if self[position] == Ascii.lineFeed { lineEnds += 1 }
      position += 1
    }
    guard position < limit, 1..<32 ~= lineEnds else { return nil }
    let next = skipSeparators(from: position + 1, limit: count)
    let ends = [Ascii.comma, Ascii.closeBrace, Ascii.lineFeed, Ascii.carriageReturn]
    return next >= count || ends.contains(self[next]) ? position + 1 : nil
  }
}

/// JSON whose lines a terminal or a form broke within strings, which may have no line breaks, or
/// within numbers and words, which a comma would part if they were two:
///
/// ```text
/// {"imageOffset":815156,"symbol":"-[Board turn]","imageInde
/// x":8},{"imageOffset":220
/// 60,"imageIndex":0}
/// ```
///
/// Source: RFC 8259, sections 2, 6 and 7.
package struct JsonBreakWrapping: WrappingReader {
  package func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard
      ["\"imageOffset\"", "\"threadState\"", "\"vmRegionInfo\""].contains(where: {
        source.find($0, from: source.textStart, limit: source.count) != nil
      })
    else { return nil }
    let bytes = source.bytes.span
    var text = UnwrappedText(of: source.bytes)
    var copied = source.textStart
    var isInString = false
    // What is above the first object may have quotation marks of its own.
    var position = bytes.firstOffset(of: Ascii.openBrace, from: source.textStart)
    while position < bytes.count {
      switch bytes[position] {
      case Ascii.quote: isInString.toggle()
      case Ascii.backslash where isInString: position += 1
      case Ascii.lineFeed where isInString, Ascii.carriageReturn where isInString:
        text.copy(copied..<position)
        copied = position + 1
      case Ascii.lineFeed where position > 0 && position + 1 < bytes.count:
        let last = bytes[position - 1] == Ascii.carriageReturn ? position - 1 : position
        guard last > copied, Self.isInWord(bytes[last - 1]), Self.isInWord(bytes[position + 1])
        else { break }
        text.copy(copied..<last)
        copied = position + 1
      default: break
      }
      position += 1
    }
    guard copied > source.textStart else { return nil }
    text.copy(copied..<source.count)
    return text
  }

  /// Whether a byte is one of a number, or of `true`, `false` and `null`.
  private static func isInWord(_ byte: UInt8) -> Bool {
    Ascii.isDigit(byte) || Ascii.isLowercase(byte)
  }
}
