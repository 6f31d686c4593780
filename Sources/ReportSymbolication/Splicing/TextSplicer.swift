import CrashLogParser
import SymbolicationModel

/// Puts answers into a report in Apple's text format, at the byte ranges of its frames.
struct TextSplicer: ReportSplicer {
  static let showsColumns = false
  static let hasPlaceForSourceLines = true
  static let appleText = AppleTextOrigin.original

  private let bytes: [UInt8]
  private var edits: ByteEdits

  private init(_ bytes: [UInt8], _ edits: ByteEdits) {
    self.bytes = bytes
    self.edits = edits
  }

  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    var splicer = TextSplicer(bytes, edits)
    for backtrace in report.backtraces {
      if let list = backtrace.source.addressListRange {
        splicer.expand(backtrace, list)
      } else {
        splicer.splice(backtrace)
      }
    }
    edits = splicer.edits
  }

  /// The bytes of a backtrace on its own, with the answers.
  static func spliced(_ backtrace: SymbolicatedBacktrace, in bytes: [UInt8]) -> [UInt8] {
    var splicer = TextSplicer(bytes, ByteEdits())
    splicer.splice(backtrace)
    return splicer.edits.applied(to: bytes)
  }

  private mutating func splice(_ backtrace: SymbolicatedBacktrace) {
    for row in backtrace.rows {
      let frame = backtrace.frames[row.frame]
      guard let line = frame.source.line else { continue }
      switch row.content {
      case .superseded: edits.remove(line.byteRange.lowerBound..<sourceLinesEnd(after: line))
      case .inlined:
        guard let text = backtrace.answerText(of: row) else { continue }
        insert(text, before: line, index: backtrace.number(of: row))
      case .frame:
        if row.shift != 0 { renumber(line, as: backtrace.number(of: row)) }
        guard let answer = frame.answer else { continue }
        replaceContent(of: line, answer)
        replaceSourceLines(after: line, with: answer.function.source)
      }
    }
  }

  // MARK: Contents

  private mutating func replaceContent(of line: FrameLine, _ answer: FrameAnswer) {
    // A name can stay only if the content is written as usual.
    if answer.keepsStatedName, case .symbolicated = line.content {
      let content = bytes[line.contentRange]
      let location = Self.location(answer.function)
      // `(:-1)` and the like mean that no line is known.
      if content.last == UInt8(ascii: ")"), let open = content.lastIndex(of: UInt8(ascii: "(")),
        content[content.index(after: open)...].first == UInt8(ascii: ":"), open > content.startIndex
      {
        edits.replace(content.index(before: open)..<content.endIndex, with: location)
      } else {
        edits.insert(location.utf8, at: content.endIndex)
      }
      return
    }
    edits.replace(
      line.contentRange, with: separator(of: line) + Self.content(answer.function))
  }

  /// A line that ends with its address has no separator yet.
  private func separator(of line: FrameLine) -> String {
    line.contentRange.lowerBound == line.addressRange.upperBound ? " " : ""
  }

  /// `name + N (file:line)`, or `name + N` without a line.
  static func content(_ text: FrameAnswer.FrameText) -> String {
    "\(text.name) + \(text.offset)\(location(text))"
  }

  private static func location(_ text: FrameAnswer.FrameText) -> String {
    guard let file = text.shownFile, let location = text.location else { return "" }
    return " (\(file.withoutControlCharacters):\(location.line))"
  }

  // MARK: Lines

  private mutating func insert(
    _ inlined: FrameAnswer.FrameText, before line: FrameLine, index: Int
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

  /// Puts source lines below the line of a frame, in place of those from an earlier run.
  private mutating func replaceSourceLines(after line: FrameLine, with source: SourceExcerpt?) {
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

  private mutating func renumber(_ line: FrameLine, as index: Int) {
    edits.replace(
      line.indexRange.lowerBound..<line.imageNameRange.lowerBound,
      with: indexColumn(of: line, showing: index))
  }

  /// The bytes from the index to the image's name with another index, as wide as before if at least
  /// one separator is left.
  private func indexColumn(of line: FrameLine, showing index: Int) -> [UInt8] {
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

  private func lineEnd(after line: FrameLine) -> Int {
    bytes.lineEnd(after: line.byteRange.upperBound)
  }

  /// The line end of a frame. The last line of a file may have none, but the lines before it do.
  private func lineEndBytes(of line: FrameLine) -> [UInt8] {
    let lineEnd = bytes[line.byteRange.upperBound..<lineEnd(after: line)]
      .filter { $0 == 0x0d || $0 == 0x0a }
    return lineEnd.isEmpty ? [0x0a] : lineEnd
  }

  /// The offset after the source lines that follow a frame, including the end of the last one.
  private func sourceLinesEnd(after line: FrameLine) -> Int {
    var offset = lineEnd(after: line)
    while offset < bytes.count {
      let end = bytes[offset...].firstIndex(of: 0x0a) ?? bytes.count
      guard SourceExcerpt.isShownLine(bytes[offset..<end]) else { break }
      offset = min(end + 1, bytes.count)
    }
    return offset
  }

  // MARK: Address lists

  /// Writes a list of bare addresses, `(0x1ed76127c 0x1ec93b9f8 …)`, as frames in the columns of
  /// Apple's tools, if at least one of them has a name now.
  private mutating func expand(_ backtrace: SymbolicatedBacktrace, _ list: Range<Int>) {
    guard backtrace.frames.contains(where: { $0.answer != nil }) else { return }
    var lines: [String] = []
    for row in backtrace.rows {
      let frame = backtrace.frames[row.frame]
      let text = backtrace.answerText(of: row)
      let isInlined = row.content != .frame
      let content = text.map { Self.content($0) + (isInlined ? " [inlined]" : "") }
      lines.append(
        Self.line(backtrace.number(of: row), frame, content ?? Self.unsymbolicated(frame)))
      lines += text?.source?.shownLines ?? []
    }
    let lineEnd = bytes[list.upperBound...].first == 0x0d ? "\r\n" : "\n"
    edits.replace(list, with: lines.joined(separator: lineEnd))
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
