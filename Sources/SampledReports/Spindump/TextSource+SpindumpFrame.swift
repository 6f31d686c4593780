import JsonReading
import ReportModel
import SymbolicationModel

/// A line of a spindump that has a count: `*101  ipc_mqueue_receive_continue + 0 (kernel + 9) […]`.
struct SpindumpNode {
  /// Where the count begins, counted from the start of the line.
  let column: Int
  /// Nil if the number is too large.
  let count: Int?
  /// A star marks frames of the kernel.
  let isKernel: Bool
  /// What follows the count.
  let content: Range<Int>
}

extension TextSource {
  /// Reads the star and the count of a line that is indented.
  func spindumpNode(_ line: TextLine) -> SpindumpNode? {
    var position = skipSeparators(from: line.start, limit: line.end)
    // Indentation may be lost.
    guard position > line.start || Ascii.isDigit(self[position]) else { return nil }
    let isKernel = self[position] == UInt8(ascii: "*")
    if isKernel { position += 1 }
    guard let (count, end) = decimal(at: position, limit: line.end),
      separatorLength(at: end, limit: line.end) > 0
    else { return nil }
    let content = trimmed(end..<line.end)
    guard !content.isEmpty else { return nil }
    return SpindumpNode(
      column: position - line.start, count: count.flatMap { Int(exactly: $0) },
      isKernel: isKernel, content: content)
  }

  /// Reads a frame:
  ///
  /// ```text
  /// start + 1 (libdyld.dylib + 21045) [0x104720235]
  /// main + 35 (App.swift:31,1 in App + 17460019) [0x10772db33] 1-49
  /// main + 9 (App.swift in App + 17460153) [0x10772dbb9]      code without a line
  /// ??? (accountsd + 2610) [0x1045e4a32] (running)
  /// ??? (<09B91700-68FC-34BA-A747-2D5608FC3383> + 3638816) [0x103728620]
  /// ??? [0x100c4e454]
  /// ??? (dyld + 82408)
  /// ```
  ///
  /// Nil for anything else, such as `<truncated backtrace>`.
  func spindumpFrame(_ range: Range<Int>) -> CallTreeFrame? {
    let (start, end) = (range.lowerBound, range.upperBound)
    var headEnd = end
    var address: (value: UInt64, range: Range<Int>)?
    if let open = findLast(" [0", from: start, limit: end),
      let found = bracketedAddress(open + 2, end)
    {
      address = found
      headEnd = trimEnd(from: start, to: open)
    }
    guard headEnd > start else { return nil }
    var image: SpindumpImageText?
    if self[headEnd - 1] == Ascii.closeParenthesis,
      let open = openParenthesis(of: headEnd - 1, from: start), open > start,
      separatorLength(at: open - 1, limit: open) > 0
    {
      image = spindumpImageText(open + 1..<headEnd - 1)
      if image == nil, let symbol = nameAndOffset(start..<trimEnd(from: start, to: open)) {
        // Microstackshots count from the function, and not from the image too.
        return shortFrame(symbol, open + 1..<headEnd - 1, address)
      }
    }
    guard address != nil || image != nil else { return nil }
    let functionEnd = image.map { trimEnd(from: start, to: $0.inside.lowerBound - 1) } ?? headEnd
    guard functionEnd > start else { return nil }
    let function = start..<functionEnd
    var frame = CallTreeFrame(
      address: address.map { LoadAddress($0.value) },
      parts: FrameValues.TreeParts(
        function: function, image: image?.inside, imageStart: image?.name.lowerBound ?? 0,
        address: address?.range))
    if let image {
      frame.identity = image.identity
      if image.identity == nil { frame.imageName = string(image.name) }
      if let value = address?.value, value >= image.offset {
        frame.imageRelativeAddress = ImageRelativeAddress(
          base: LoadAddress(value - image.offset), offset: image.offset)
      }
    }
    frame.symbol = spindumpSymbol(function, image?.file)
    return frame
  }

  /// A frame such as `main + 121 (Game) [0x108ee8d5f]`.
  private func shortFrame(
    _ symbol: (name: Range<Int>, offset: UInt64), _ image: Range<Int>,
    _ address: (value: UInt64, range: Range<Int>)?
  ) -> CallTreeFrame {
    var frame = CallTreeFrame(
      address: address.map { LoadAddress($0.value) },
      parts: FrameValues.TreeParts(
        function: symbol.name
          .lowerBound..<trimEnd(from: symbol.name.lowerBound, to: image.lowerBound - 1),
        image: image, imageStart: image.lowerBound, address: address?.range))
    frame.imageName = string(image)
    frame.symbol = FrameSymbol(name: string(symbol.name), offset: Int64(exactly: symbol.offset))
    return frame
  }

  /// Reads `0x104720235]` or `0]`.
  private func bracketedAddress(
    _ start: Int, _ limit: Int
  ) -> (value: UInt64, range: Range<Int>)? {
    if has("0]", at: start, limit: limit) { return (0, start..<start + 1) }
    guard let (value, end) = hexadecimal(at: start, limit: limit),
      has("]", at: end, limit: limit)
    else { return nil }
    return (value, start..<end)
  }

  private func spindumpSymbol(_ function: Range<Int>, _ file: Range<Int>?) -> FrameSymbol? {
    if function.count == 3, has("???", at: function.lowerBound, limit: function.upperBound) {
      return nil
    }
    let split = nameAndOffset(function)
    var symbol = FrameSymbol(
      name: string(split?.name ?? function), offset: split.flatMap { Int64(exactly: $0.offset) })
    if let file {
      let place = fileAndLine(file)
      symbol.file = string(place.file)
      // A file alone: the compiler gave the code no line.
      symbol.line = place.line ?? 0
      symbol.column = place.column
    }
    return symbol
  }

  private struct SpindumpImageText {
    /// All that is between the parentheses.
    let inside: Range<Int>
    let name: Range<Int>
    let offset: UInt64
    /// `App.swift:31,1`, if it is in front of the name.
    var file: Range<Int>?
    var identity: ImageIdentity?
  }

  /// Reads `[FILE[:LINE[,COLUMN]] in ]IMAGE + OFFSET`.
  private func spindumpImageText(_ inside: Range<Int>) -> SpindumpImageText? {
    guard let (text, offset) = nameAndOffset(inside), !text.isEmpty else { return nil }
    var name = text
    var file: Range<Int>?
    // The first one that a file precedes: names of images may have the word too.
    var search = text.lowerBound
    while let separator = find(" in ", from: search, limit: text.upperBound) {
      if SpindumpFile.isRecognised(bytes[text.lowerBound..<separator]) {
        file = text.lowerBound..<separator
        name = separator + 4..<text.upperBound
        break
      }
      search = separator + 1
    }
    guard !name.isEmpty else { return nil }
    var image = SpindumpImageText(inside: inside, name: name, offset: offset, file: file)
    if self[name.lowerBound] == Ascii.less, self[name.upperBound - 1] == Ascii.greater {
      image.identity = ImageIdentity(
        hexadecimal: bytes[name.lowerBound + 1..<name.upperBound - 1])
    }
    return image
  }

  // MARK: Threads

  /// Reads `Thread 0xeac  DispatchQueue "LABEL"(1)  Thread name "NAME"  101 samples (1-101) …`.
  func spindumpThread(_ line: TextLine) -> CallTreeThread? {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard start > line.start || has("Thread 0x", at: start, limit: line.end),
      has("Thread ", at: start, limit: line.end)
    else { return nil }
    var position = skipSeparators(from: start + 7, limit: line.end)
    guard has("0x", at: position, limit: line.end) || self[position] == Ascii.less else {
      return nil
    }
    var thread = CallTreeThread()
    // Several threads that were joined have no number: `0x9e8,0x9e9`, `<multiple>`.
    if let (number, end) = hexadecimal(at: position, limit: line.end),
      end == line.end || separatorLength(at: end, limit: line.end) > 0
    {
      thread.number = Int(exactly: number)
      position = end
    }
    thread.queue = quoted(after: "DispatchQueue \"", closing: "\"(", &position, line.end)
    thread.name = quoted(after: "Thread name \"", closing: "\"  ", &position, line.end)
    if let word = find(" sample", from: position, limit: line.end) {
      var digits = word
      while digits > position, Ascii.isDigit(self[digits - 1]) { digits -= 1 }
      thread.count = number(at: digits, limit: word).flatMap { Int(exactly: $0.value) }
    }
    return thread
  }

  /// The text between two others. `position` moves behind it.
  private func quoted(
    after opening: String, closing: String, _ position: inout Int, _ limit: Int
  ) -> String? {
    guard let found = find(opening, from: position, limit: limit) else { return nil }
    let start = found + opening.utf8.count
    guard let end = find(closing, from: start, limit: limit) else { return nil }
    position = end + 1
    return start == end ? nil : string(start..<end)
  }
}

/// The source file in the parentheses of a spindump's frame: `App.swift:31,1 in App + 17460019`.
package enum SpindumpFile {
  /// Whether a text before ` in ` is a file, and not the start of an image's name: it ends with a
  /// line (`vector:512`) or an extension, or is something like `<compiler-generated>`.
  ///
  /// Time: in proportion to the number or extension at the end, not to the text.
  package static func isRecognised(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, let last = text.last else { return false }
    if first == Ascii.less, last == Ascii.greater { return true }
    var rest = text
    if Ascii.isDigit(last) {
      while let byte = rest.last, Ascii.isDigit(byte) || byte == Ascii.comma { rest.removeLast() }
      if rest.last == Ascii.colon, rest.count > 1 { return true }
      rest = text
    }
    var length = 0
    while let byte = rest.last, Ascii.isWord(byte) || byte == Ascii.plus, length < 16 {
      rest.removeLast()
      length += 1
    }
    return length > 0 && rest.last == UInt8(ascii: ".") && rest.count > 1
  }
}
