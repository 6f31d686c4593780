import JsonReading
import SymbolicationModel

/// What an input has around its reports: a quoted mail, a web page, UTF-16 and the like, several of
/// them one in the other.
///
/// All ranges in the reports of such an input are offsets in ``text``, in which the reports stand
/// as they were written. ``inputRange(of:)`` says where that is in the input.
public struct ReportWrapping: Sendable {
  /// The input without its wrappings. It may hold other text than reports.
  public let text: [UInt8]
  /// The outermost first; never empty.
  private let layers: [UnwrappedText]

  package init?(_ layers: [UnwrappedText]) {
    guard let last = layers.last else { return nil }
    self.text = last.text
    self.layers = layers
  }

  /// Whether the text is what binary data stand for: changes of it have no place in the input.
  package var isTranslation: Bool { layers.contains(where: \.isTranslation) }

  /// Whether the text is that of the records of a log.
  package var isOfRecords: Bool { layers.contains { $0.edits != nil } }

  /// The bytes of the input that a range of ``text`` was read from: for an empty range the place
  /// where it is.
  public func inputRange(of range: Range<Int>) -> Range<Int> {
    var range = range
    for layer in layers.reversed() { range = layer.map.outerRange(of: range) }
    return range
  }

  /// The edits of the input that edits of ``text`` come to. Nil if one would damage a wrapping, as
  /// text that is in several groups of an RTF file would.
  package func inputEdits(_ edits: [TextEdit]) -> [TextEdit]? {
    guard !isTranslation else { return nil }
    var edits = edits
    for layer in layers.reversed() {
      guard let outer = layer.outerEdits(edits) else { return nil }
      edits = outer
    }
    return edits
  }
}

/// Rules by which changes of a text are put back into its wrapping.
package protocol UnwrappedEdits: Sendable {
  /// The edits of `text.outer` that edits of the text come to; nil if one would damage the
  /// wrapping.
  ///
  /// - Parameter edits: ascending, inside the text.
  func outerEdits(_ edits: [TextEdit], of text: UnwrappedText) -> [TextEdit]?
}

/// A text that was taken out of its wrapping, and how to put changes of it back.
///
/// All bytes of the wrapping stay as they are: only the bytes that an edit replaces change.
package struct UnwrappedText: Sendable {
  /// Whether what stands outside before and after a line is written around new lines too.
  package enum LineDress: Sendable {
    /// `> ` and the like: it belongs to each line.
    case repeated
    /// Only the line end is written again.
    case none
  }

  package let outer: [UInt8]
  /// How edits are put back if the wrapping has rules of its own for it.
  package var edits: (any UnwrappedEdits)?
  /// Whether the text is what binary data stand for, so that nothing can be put back into these.
  package let isTranslation: Bool
  package private(set) var text: [UInt8] = []
  package private(set) var map: TextMap
  private let dress: LineDress
  /// How text without line ends is written in the wrapping.
  private let encode: @Sendable (ArraySlice<UInt8>) -> [UInt8]
  /// Whether the wrapping has no place for a single edit, so that everything after the first one
  /// is written again.
  private let encodesTail: Bool
  /// Whether the bytes of `outer` between two pieces hold it together: no edit may replace them.
  private let isIndivisible: Bool

  /// - Parameters:
  ///   - width: how many bytes of `outer` a copied byte has.
  ///   - encodesTail: `encode` gets everything after the first edit.
  ///   - isIndivisible: no edit may replace what is between two pieces, such as the fonts of RTF.
  package init(
    of outer: [UInt8], width: Int = 1, isTranslation: Bool = false, dress: LineDress = .none,
    encodesTail: Bool = false, isIndivisible: Bool = false,
    encode: @escaping @Sendable (ArraySlice<UInt8>) -> [UInt8] = { Array($0) }
  ) {
    self.outer = outer
    self.isTranslation = isTranslation
    self.map = TextMap(width: width)
    self.dress = dress
    self.encodesTail = encodesTail
    self.isIndivisible = isIndivisible
    self.encode = encode
  }

  // MARK: Making

  /// Adds bytes of `outer` as they are.
  package mutating func copy(_ range: Range<Int>) {
    text += outer[range]
    map.append(range.count, for: range)
  }

  /// Adds bytes that a range of `outer` stands for. The range may be empty: the bytes are then
  /// nowhere outside.
  package mutating func put(_ bytes: some Collection<UInt8>, for range: Range<Int>) {
    text += bytes
    map.append(bytes.count, for: range)
  }

  package mutating func put(_ byte: UInt8, for range: Range<Int>) {
    text.append(byte)
    map.append(1, for: range)
  }

  package mutating func reserve(_ count: Int) { text.reserveCapacity(count) }

  // MARK: Putting back

  /// The edits of `outer` that edits of the text come to; nil if one would damage the wrapping.
  func outerEdits(_ edits: [TextEdit]) -> [TextEdit]? {
    let edits = edits.indices.sorted {
      (edits[$0].range.lowerBound, $0) < (edits[$1].range.lowerBound, $1)
    }.map { edits[$0] }
    guard let first = edits.first else { return [] }
    guard edits.allSatisfy({ $0.range.upperBound <= text.count }) else { return nil }
    if isIndivisible, !edits.allSatisfy({ map.isContiguous($0.range) }) { return nil }
    if let rules = self.edits { return rules.outerEdits(edits, of: self) }
    if encodesTail { return [tailEdit(edits, first.range.lowerBound)] }
    var result: [TextEdit] = []
    result.reserveCapacity(edits.count)
    var line = surroundings(of: first.range.lowerBound)
    for edit in edits {
      // A line may be the whole input, and have thousands of edits.
      if edit.range.lowerBound > line.end { line = surroundings(of: edit.range.lowerBound) }
      let outerEdit = outerEdit(edit, in: line)
      result.append(outerEdit)
    }
    return result
  }

  /// Everything from the first edit on, written anew.
  private func tailEdit(_ edits: [TextEdit], _ first: Int) -> TextEdit {
    let start = map.pieceStart(at: first)
    var tail: [UInt8] = []
    var position = start
    for edit in edits where edit.range.lowerBound >= position {
      tail += text[position..<edit.range.lowerBound]
      tail += edit.replacement
      position = edit.range.upperBound
    }
    tail += text[position...]
    return TextEdit(
      range: map.outerStart(of: start)..<map.outerEnd(before: text.count),
      replacement: encode(tail[...]))
  }

  private func outerEdit(_ edit: TextEdit, in line: Surroundings) -> TextEdit {
    let range = edit.range
    guard isWholeLines(edit, line) else {
      var outerRange = map.outerRange(of: range)
      if range.isEmpty, range.lowerBound > line.start {
        // What is added to a line stays before what follows the line outside.
        let end = map.outerEnd(before: range.lowerBound)
        outerRange = end..<end
      }
      return TextEdit(
        range: outerRange, replacement: encoded(edit.replacement[...], around: line.between))
    }
    let start = map.outerEnd(before: range.lowerBound)
    let end = range.isEmpty ? start : map.outerEnd(before: range.upperBound)
    var replacement: [UInt8] = []
    var rest = edit.replacement[...]
    while let lineEnd = rest.firstIndex(of: Ascii.lineFeed) {
      replacement += lineEnd == rest.startIndex ? line.emptyPrefix : line.prefix
      replacement += encoded(rest[rest.startIndex...lineEnd], around: line.suffix + line.lineEnd)
      rest = rest[(lineEnd + 1)...]
    }
    return TextEdit(range: start..<max(start, end), replacement: replacement)
  }

  /// Whether an edit adds or removes whole lines that something stands before.
  private func isWholeLines(_ edit: TextEdit, _ line: Surroundings) -> Bool {
    let range = edit.range
    guard dress == .repeated, range.lowerBound == line.start, range.lowerBound > 0,
      range.isEmpty || text[range.upperBound - 1] == Ascii.lineFeed
    else { return false }
    return edit.replacement.last.map { $0 == Ascii.lineFeed } ?? !range.isEmpty
  }

  /// What stands outside around a line of the text.
  private struct Surroundings {
    let start: Int
    /// The offset of its line feed; the end of the text if it has none.
    let end: Int
    var prefix: ArraySlice<UInt8> = []
    /// What comes before a line that has no text.
    var emptyPrefix: ArraySlice<UInt8> = []
    var suffix: ArraySlice<UInt8> = []
    var lineEnd: ArraySlice<UInt8> = []

    /// From the end of a line to the start of the next.
    var between: ArraySlice<UInt8> { suffix + lineEnd + prefix }
  }

  private func surroundings(of offset: Int) -> Surroundings {
    var start = offset
    while start > 0, text[start - 1] != Ascii.lineFeed { start -= 1 }
    var lineFeed = text.span.firstOffset(of: Ascii.lineFeed, from: offset)
    var line = Surroundings(start: start, end: lineFeed)
    if lineFeed == text.count {
      // The last line may have no line end, but the line before it has one.
      guard start > 0 else {
        line.lineEnd = encode([Ascii.lineFeed])[...]
        return line
      }
      lineFeed = start - 1
    }
    var end = lineFeed
    while end > 0, text[end - 1] == Ascii.carriageReturn { end -= 1 }
    line.lineEnd = outer[map.outerRange(of: end..<lineFeed + 1)]
    guard dress == .repeated else { return line }
    if end > start {
      line.suffix = outer[gap(before: end)]
    }
    // The first line may follow something else than a line.
    line.prefix = prefix(ofLineAt: start > 0 ? start : lineFeed + 1)
    line.emptyPrefix = line.prefix
    if end == start { dressLikeNext(&line, after: lineFeed) }
    return line
  }

  /// An empty line may have less before it than others: `>`, not `> `.
  private func dressLikeNext(_ line: inout Surroundings, after lineFeed: Int) {
    var next = lineFeed + 1
    for _ in 0..<4 where next < text.count {
      let lineFeed = text.span.firstOffset(of: Ascii.lineFeed, from: next)
      var end = lineFeed
      while end > next, text[end - 1] == Ascii.carriageReturn { end -= 1 }
      if end > next {
        line.prefix = prefix(ofLineAt: next)
        line.suffix = outer[gap(before: end)]
        return
      }
      next = lineFeed + 1
    }
  }

  private func prefix(ofLineAt start: Int) -> ArraySlice<UInt8> {
    start < text.count ? outer[gap(before: start)] : []
  }

  /// The bytes outside between the byte at `offset` and the one before it.
  private func gap(before offset: Int) -> Range<Int> {
    let start = map.outerEnd(before: offset)
    return start..<max(start, offset < text.count ? map.outerStart(of: offset) : start)
  }

  /// `bytes` as they are written outside, with `lineEnd` for each line end.
  private func encoded(_ bytes: ArraySlice<UInt8>, around lineEnd: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes
    while let lineFeed = rest.firstIndex(of: Ascii.lineFeed) {
      var end = lineFeed
      while end > rest.startIndex, rest[end - 1] == Ascii.carriageReturn { end -= 1 }
      result += encode(rest[rest.startIndex..<end])
      result += lineEnd
      rest = rest[(lineFeed + 1)...]
    }
    if !rest.isEmpty { result += encode(rest) }
    return result
  }
}

/// A replacement of a byte range; an empty range inserts. Several edits never overlap, and edits at
/// the same offset are made in their order.
package struct TextEdit: Sendable {
  package var range: Range<Int>
  package var replacement: [UInt8]

  package init(range: Range<Int>, replacement: [UInt8]) {
    self.range = range
    self.replacement = replacement
  }
}
