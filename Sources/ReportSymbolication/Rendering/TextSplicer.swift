import CrashLogParser
import SymbolicationModel

/// Puts what was found out into the text of a report, at the byte ranges of its frames.
struct TextSplicer {
  private let bytes: [UInt8]
  private var edits: ByteEdits

  init(_ bytes: [UInt8], _ edits: ByteEdits) {
    self.bytes = bytes
    self.edits = edits
  }

  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    var splicer = TextSplicer(bytes, edits)
    for backtrace in report.backtraces { splicer.splice(backtrace, of: report) }
    edits = splicer.edits
  }

  /// The bytes of a backtrace that stands in a string, with what was found out of its frames.
  static func spliced(_ backtrace: SymbolicatedBacktrace, in bytes: [UInt8]) -> [UInt8] {
    var splicer = TextSplicer(bytes, ByteEdits())
    splicer.splice(backtrace.frames)
    return splicer.edits.applied(to: bytes)
  }

  private mutating func splice(_ backtrace: SymbolicatedBacktrace, of report: SymbolicatedReport) {
    if backtrace.frames.contains(where: \.isInAddressList) {
      if case .text(let text) = report.source {
        expand(backtrace, text.lastExceptionBacktrace?.rawAddressList)
      }
    } else {
      splice(backtrace.frames)
    }
  }

  private mutating func splice(_ frames: [SymbolicatedFrame]) {
    // How far the indexes of the frames that follow have moved.
    var shift = 0
    for frame in frames {
      guard let line = frame.line else { continue }
      if frame.isSuperseded {
        edits.remove(line.byteRange.lowerBound..<sourceLinesEnd(after: line))
        shift -= 1
        continue
      }
      for inlined in frame.answer?.inlined ?? [] {
        insert(inlined, before: line, index: line.index(movedBy: shift))
        shift += 1
      }
      renumber(line, by: shift)
      if let answer = frame.answer {
        replaceContent(of: line, frame, answer)
        replaceSourceLines(after: line, with: answer.function.source)
      }
    }
  }

  // MARK: Contents

  private mutating func replaceContent(
    of line: StackFrame, _ frame: SymbolicatedFrame, _ answer: FrameAnswer
  ) {
    // Where the content is in a form of its own, its name cannot stay in its place.
    if answer.keepsStatedName, case .symbolicated = line.content {
      let content = bytes[line.contentRange]
      let place = Self.place(answer.function)
      // `(:-1)` and the like say that no line is known.
      if content.last == UInt8(ascii: ")"), let open = content.lastIndex(of: UInt8(ascii: "(")),
        content[content.index(after: open)...].first == UInt8(ascii: ":"), open > content.startIndex
      {
        edits.replace(content.index(before: open)..<content.endIndex, with: place)
      } else {
        edits.insert(place.utf8, at: content.endIndex)
      }
      return
    }
    edits.replace(
      line.contentRange, with: separator(of: line) + Self.content(answer.function))
  }

  /// A line that ends with its address has no separator yet.
  private func separator(of line: StackFrame) -> String {
    line.contentRange.lowerBound == line.addressRange.upperBound ? " " : ""
  }

  /// `name + N (file:line)`, or `name + N` without a line.
  static func content(_ text: FrameAnswer.FrameText) -> String {
    "\(text.name) + \(text.offset)\(place(text))"
  }

  private static func place(_ text: FrameAnswer.FrameText) -> String {
    guard let file = text.shownFile, let location = text.location else { return "" }
    return " (\(file.withoutControlCharacters):\(location.line))"
  }

  // MARK: Lines

  private mutating func insert(
    _ inlined: FrameAnswer.FrameText, before line: StackFrame, index: Int
  ) {
    var text = Array(bytes[line.byteRange.lowerBound..<line.indexRange.lowerBound])
    text += indexColumn(of: line, showing: index)
    text += bytes[line.imageNameRange.lowerBound..<line.contentRange.lowerBound]
    text += (separator(of: line) + Self.content(inlined) + " [inlined]").utf8
    let end = lineEndBytes(of: line)
    text += end
    for sourceLine in inlined.source?.shownLines ?? [] { text += sourceLine.utf8 + end }
    edits.insert(text, at: line.byteRange.lowerBound)
  }

  /// Puts source lines below a frame's line, in the place of those that an earlier run put there.
  private mutating func replaceSourceLines(after line: StackFrame, with source: SourceExcerpt?) {
    let start = lineEnd(after: line)
    let end = sourceLinesEnd(after: line)
    let lineEnd = lineEndBytes(of: line)
    let isTerminated = start > line.byteRange.upperBound
    var text: [UInt8] = []
    for sourceLine in source?.shownLines ?? [] {
      text += isTerminated ? sourceLine.utf8 + lineEnd : lineEnd + sourceLine.utf8
    }
    if start < end || !text.isEmpty { edits.replace(start..<end, with: text) }
  }

  private mutating func renumber(_ line: StackFrame, by shift: Int) {
    guard shift != 0 else { return }
    edits.replace(
      line.indexRange.lowerBound..<line.imageNameRange.lowerBound,
      with: indexColumn(of: line, showing: line.index(movedBy: shift)))
  }

  /// The bytes from the index up to the image's name with another index, as wide as they are where
  /// that leaves at least one separator.
  private func indexColumn(of line: StackFrame, showing index: Int) -> [UInt8] {
    let digits = Array(String(index).utf8)
    var separator = bytes[line.indexRange.upperBound..<line.imageNameRange.lowerBound]
    var growth = digits.count - line.indexRange.count
    while growth > 0, let width = Self.widthOfFirstSpace(separator), separator.count > width {
      separator = separator.dropFirst(width)
      growth -= 1
    }
    return digits + [UInt8](repeating: UInt8(ascii: " "), count: max(0, -growth)) + separator
  }

  /// 1 for a space, 2 for a no-break space in UTF-8; nil for anything else.
  private static func widthOfFirstSpace(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.first == UInt8(ascii: " ") { return 1 }
    return bytes.starts(with: [0xc2, 0xa0]) ? 2 : nil
  }

  /// The offset behind the line end that follows a frame; that of the frame's end where none does.
  private func lineEnd(after line: StackFrame) -> Int {
    var end = line.byteRange.upperBound
    while end < bytes.count, bytes[end] != 0x0a { end += 1 }
    return min(end + 1, bytes.count)
  }

  /// What ends a frame's line. The last line of a file may have no end: then the lines before it have.
  private func lineEndBytes(of line: StackFrame) -> [UInt8] {
    let lineEnd = bytes[line.byteRange.upperBound..<lineEnd(after: line)]
      .filter { $0 == 0x0d || $0 == 0x0a }
    return lineEnd.isEmpty ? [0x0a] : lineEnd
  }

  /// The offset behind the source lines that follow a frame, with the end of the last one.
  private func sourceLinesEnd(after line: StackFrame) -> Int {
    var place = lineEnd(after: line)
    while place < bytes.count {
      let end = bytes[place...].firstIndex(of: 0x0a) ?? bytes.count
      guard SourceExcerpt.isShownLine(bytes[place..<end]) else { break }
      place = min(end + 1, bytes.count)
    }
    return place
  }

  // MARK: Address lists

  /// Writes a list of bare addresses, `(0x1ed76127c 0x1ec93b9f8 …)`, as frames, in the columns of
  /// Apple's own tools, when at least one of its addresses has a name.
  private mutating func expand(_ backtrace: SymbolicatedBacktrace, _ list: RawAddressList?) {
    guard let list, backtrace.frames.contains(where: { $0.answer != nil }) else { return }
    var lines: [String] = []
    var index = 0
    func add(_ frame: SymbolicatedFrame, _ content: String, _ source: SourceExcerpt?) {
      lines.append(Self.line(index, frame, content))
      lines += source?.shownLines ?? []
      index += 1
    }
    for frame in backtrace.frames {
      for inlined in frame.answer?.inlined ?? [] {
        add(frame, "\(Self.content(inlined)) [inlined]", inlined.source)
      }
      let function = frame.answer?.function
      add(frame, function.map(Self.content) ?? Self.unsymbolicated(frame), function?.source)
    }
    let lineEnd = bytes[list.byteRange.upperBound...].first == 0x0d ? "\r\n" : "\n"
    edits.replace(list.byteRange, with: lines.joined(separator: lineEnd))
  }

  private static func line(_ index: Int, _ frame: SymbolicatedFrame, _ content: String) -> String {
    let width = frame.image?.architecture?.is32Bit == true ? 8 : 16
    let address = "0x" + (frame.address?.value ?? 0).hexadecimalDigits(count: width)
    return
      "\(padded(String(index), to: 3)) \(padded(frame.imageName, to: 30))\t\(address) \(content)"
  }

  private static func unsymbolicated(_ frame: SymbolicatedFrame) -> String {
    let address = frame.codeAddress?.value ?? 0
    guard let image = frame.image else { return "0 + \(address)" }
    return
      "\(image.loadAddress.value.hexadecimal) + \(address &- image.loadAddress.value)"
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension SymbolicatedFrame {
  fileprivate var line: StackFrame? {
    switch origin {
    case .text(let line), .embedded(let line): line
    case .json, .swiftBacktrace, .addressList: nil
    }
  }

  fileprivate var isInAddressList: Bool {
    if case .addressList = origin { true } else { false }
  }
}
