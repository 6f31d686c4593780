import JsonReading
import ReportModel
import SymbolicationModel

/// A line of the call graph of a sample: `    + 2433 main  (in App) + 294  [0x10e3817e6]`.
struct SampleNode {
  /// Where the count begins, counted from the start of the line.
  let column: Int
  /// Nil if the number is too large.
  let count: Int?
  /// What follows the count.
  let content: Range<Int>
  /// Whether nothing but spaces is in front of the count.
  let isIndentedOnly: Bool
}

extension TextSource {
  /// Reads the count of a line below `Call graph:`. The characters before it draw the tree.
  ///
  /// - Parameter mayBeginLine: whether nothing may be before it, as in a piece that somebody moved
  ///   to the left.
  func sampleNode(_ line: TextLine, mayBeginLine: Bool = false) -> SampleNode? {
    var position = line.start
    var isIndentedOnly = true
    while position < line.end {
      switch self[position] {
      case Ascii.space: break
      // Of a quotation in Markdown.
      case Ascii.greater where position == line.start: break
      case Ascii.plus, UInt8(ascii: "!"), Ascii.colon, UInt8(ascii: "|"): isIndentedOnly = false
      default:
        guard position > line.start || mayBeginLine,
          let (count, end) = decimal(at: position, limit: line.end),
          self[end] == Ascii.space
        else { return nil }
        let content = trimmed(end..<line.end)
        guard !content.isEmpty else { return nil }
        return SampleNode(
          column: position - line.start, count: count.flatMap { Int(exactly: $0) },
          content: content, isIndentedOnly: isIndentedOnly)
      }
      position += 1
    }
    return nil
  }

  /// Reads a line below `Sort by top of stack`, which has its count at the end.
  func sampleTop(_ line: TextLine) -> SampleNode? {
    let text = trimmed(line.start..<line.end)
    var digits = text.upperBound
    while digits > text.lowerBound, Ascii.isDigit(self[digits - 1]) { digits -= 1 }
    guard text.lowerBound > line.start,
      let (count, _) = decimal(at: digits, limit: text.upperBound),
      has("  ", at: digits - 2, limit: digits)
    else { return nil }
    let content = text.lowerBound..<trimEnd(from: text.lowerBound, to: digits)
    guard !content.isEmpty else { return nil }
    return SampleNode(
      column: 0, count: count.flatMap { Int(exactly: $0) }, content: content, isIndentedOnly: true)
  }

  /// Reads `Thread_359069: NAME   DispatchQueue_1: LABEL  (serial)`; nil for a frame.
  func sampleThread(_ node: SampleNode, _ line: TextLine) -> CallTreeThread? {
    let (start, end) = (node.content.lowerBound, node.content.upperBound)
    guard node.isIndentedOnly, has("Thread_", at: start, limit: end),
      Ascii.isDigit(self[start + 7]) || self[start + 7] == Ascii.less
    else { return nil }
    var thread = CallTreeThread(count: node.count)
    var position = start + 7
    if let (number, after) = decimal(at: position, limit: end) {
      thread.number = number.flatMap { Int(exactly: $0) }
      position = after
    }
    while position < end, self[position] != Ascii.space, self[position] != Ascii.colon {
      position += 1
    }
    if self[position] == Ascii.colon { position += 1 }
    let queue = find("DispatchQueue_", from: position, limit: end)
    thread.name = nonempty(trimmed(position..<(queue ?? end)))
    if let queue, let colon = find(": ", from: queue, limit: end) {
      // The kind of the queue is last: `(serial)`.
      let kind = findLast("  (", from: colon, limit: end) ?? end
      thread.queue = nonempty(trimmed(colon + 2..<max(colon + 2, kind)))
    }
    return thread
  }

  private func nonempty(_ range: Range<Int>) -> String? { range.isEmpty ? nil : string(range) }

  // MARK: Frames

  /// Reads a frame:
  ///
  /// ```text
  /// main  (in App) + 294  [0x10e3817e6]  main.m:276
  /// main  (in App) + 294,310,...  [0x10e3817e6,0x10e3817f6,...]
  /// ???  (in App)  load address 0x10226d000 + 0x3e30  [0x102270e30]
  /// ???  (in <unknown binary>)  [0x4800047383]
  /// main (in App) (main.m:276) [0x10e3817e6]      as `atos` names it
  /// 0x1009a1611                                   Mac OS X 10.6
  /// __memcpy
  /// ```
  ///
  /// Nil for a line with brackets around something else than addresses.
  func sampleFrame(_ range: Range<Int>) -> CallTreeFrame? {
    let (start, end) = (range.lowerBound, range.upperBound)
    if let (address, after) = hexadecimal(at: start, limit: end), after == end {
      return CallTreeFrame(
        address: LoadAddress(address),
        parts: FrameValues.TreeParts(function: start..<start, address: range))
    }
    var headEnd = end
    var address: (value: UInt64, range: Range<Int>)?
    var location: Range<Int>?
    if let open = findLast(" [0x", from: start, limit: end) {
      guard let (value, digitsEnd) = hexadecimal(at: open + 2, limit: end),
        let close = find("]", from: digitsEnd, limit: end),
        digitsEnd == close || self[digitsEnd] == Ascii.comma
      else { return nil }
      address = (value, open + 2..<close)
      headEnd = trimEnd(from: start, to: open)
      if close + 1 < end { location = close + 1..<end }
    }
    guard headEnd > start else { return nil }
    let head = sampleHead(start..<headEnd)
    var frame = CallTreeFrame(
      address: address.map { LoadAddress($0.value) },
      parts: FrameValues.TreeParts(
        function: start..<headEnd, address: address?.range, location: location))
    frame.imageName = head.image.map { string($0) }
    frame.imageRelativeAddress = head.base
    if !has("???", at: head.name.lowerBound, limit: head.name.upperBound) || head.name.count != 3 {
      var symbol = FrameSymbol(name: string(head.name), offset: head.offset)
      if let place = location.map({ trimmed($0) }) ?? head.place {
        let (file, line, column) = fileAndLine(place)
        symbol.file = string(file)
        symbol.line = line
        symbol.column = column
      }
      frame.symbol = symbol
    }
    return frame
  }

  private struct SampleHead {
    var name: Range<Int>
    var image: Range<Int>?
    var offset: Int64?
    var base: ImageRelativeAddress?
    /// The file and line in parentheses.
    var place: Range<Int>?
  }

  /// Reads `NAME  (in IMAGE)` and what follows it. The name and the image may have parentheses.
  private func sampleHead(_ range: Range<Int>) -> SampleHead {
    let end = range.upperBound
    guard let open = findLast(" (in ", from: range.lowerBound, limit: end) else {
      return SampleHead(name: range)
    }
    var head = SampleHead(name: range.lowerBound..<trimEnd(from: range.lowerBound, to: open))
    var search = open + 5
    while let close = find(")", from: search, limit: end) {
      let rest = trimmed(close + 1..<end)
      if readSampleRest(rest, into: &head) {
        head.image = open + 5..<close
        return head
      }
      search = close + 1
    }
    return SampleHead(name: range)
  }

  /// Reads what follows the image, up to the address; false if it is nothing that may follow.
  private func readSampleRest(_ rest: Range<Int>, into head: inout SampleHead) -> Bool {
    let (start, end) = (rest.lowerBound, rest.upperBound)
    if rest.isEmpty { return true }
    if has("+ ", at: start, limit: end), let (value, after) = decimal(at: start + 2, limit: end),
      after == end || self[after] == Ascii.comma
    {
      head.offset = value.flatMap { Int64(exactly: $0) }
      return true
    }
    if has("load address ", at: start, limit: end),
      let (base, after) = hexadecimal(at: start + 13, limit: end),
      has(" + ", at: after, limit: end),
      let (offset, last) = hexadecimal(at: after + 3, limit: end),
      last == end || self[last] == Ascii.comma
    {
      head.base = ImageRelativeAddress(base: LoadAddress(base), offset: offset)
      return true
    }
    if self[start] == Ascii.openParenthesis, self[end - 1] == Ascii.closeParenthesis {
      head.place = start + 1..<end - 1
      return true
    }
    return false
  }
}
