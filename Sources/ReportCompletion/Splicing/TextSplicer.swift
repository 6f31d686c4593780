import CrashLogParser
import ReportSymbolication
import SymbolicationModel
import Wording

/// Puts answers into a report in Apple's text format, at the byte ranges of its frames.
struct TextSplicer: ReportSplicer {
  private let bytes: [UInt8]
  private var edits: ByteEdits

  private init(_ bytes: [UInt8], _ edits: ByteEdits) {
    self.bytes = bytes
    self.edits = edits
  }

  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    var splicer = TextSplicer(bytes, edits)
    edits = ByteEdits()
    for backtrace in report.backtraces where backtrace.isChanged {
      if let list = backtrace.source.addressListRange {
        expand(backtrace, list, of: bytes, into: &splicer.edits)
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
    if backtrace.source.isOutermostFirst {
      for row in backtrace.rows.reversed() { splice(row, of: backtrace) }
    } else {
      for row in backtrace.rows { splice(row, of: backtrace) }
    }
  }

  private mutating func splice(_ row: BacktraceRow, of backtrace: SymbolicatedBacktrace) {
    guard let line = backtrace.frames[row.frame].source.line else { return }
    switch row.content {
    case .superseded: edits.remove(line.byteRange.lowerBound..<sourceLinesEnd(after: line))
    case .inlined(let inlined):
      guard let answer = backtrace.frames[row.frame].answer else { return }
      // An inlined call stands where a call of its caller stands.
      insert(
        answer.inlined[inlined], backtrace.source.isOutermostFirst ? .after(line) : .before(line),
        index: backtrace.number(of: row))
    case .frame:
      if row.shift != 0 { renumber(line, as: backtrace.number(of: row)) }
      guard let answer = backtrace.frames[row.frame].answer else { return }
      replaceContent(of: line, answer)
      replaceSourceLines(after: line, with: answer.function.source)
    }
  }

  // MARK: Contents

  private mutating func replaceContent(of line: FrameLine, _ answer: FrameAnswer) {
    let contentRange = line.contentRange
    // A name can stay only if the content is written as usual.
    if answer.keepsStatedName, case .symbolicated = line.content {
      let content = bytes[contentRange]
      var range = content.endIndex..<content.endIndex
      // `(:-1)` and the like mean that no line is known.
      if content.last == UInt8(ascii: ")"), let open = content.lastIndex(of: UInt8(ascii: "(")),
        content[content.index(after: open)...].first == UInt8(ascii: ":"), open > content.startIndex
      {
        range = content.index(before: open)..<content.endIndex
      }
      edits.replace(range) { Self.appendLocation(of: answer.function, to: &$0) }
      return
    }
    let lacksSeparator = lacksSeparator(line, contentRange)
    edits.replace(contentRange) { bytes in
      if lacksSeparator { bytes.append(UInt8(ascii: " ")) }
      Self.appendContent(of: answer.function, to: &bytes)
    }
  }

  /// Whether the line ends with its address.
  private func lacksSeparator(_ line: FrameLine, _ contentRange: Range<Int>) -> Bool {
    contentRange.lowerBound == line.addressRange.upperBound
  }

  /// `name + N (file:line)`, or `name + N` without a line.
  static func appendContent(of text: FrameAnswer.FrameText, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: text.name.utf8)
    bytes.append(contentsOf: " + ".utf8)
    bytes.append(decimal: text.offset)
    appendLocation(of: text, to: &bytes)
  }

  private static func appendLocation(
    of text: FrameAnswer.FrameText, to bytes: inout [UInt8]
  ) {
    guard let file = text.shownFile, let location = text.location else { return }
    bytes.append(contentsOf: " (".utf8)
    bytes.append(path: file.withoutControlCharacters)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(decimal: UInt64(location.line))
    bytes.append(UInt8(ascii: ")"))
  }

  // MARK: Lines

  private enum InlinedPlace {
    case before(FrameLine)
    case after(FrameLine)
  }

  private mutating func insert(
    _ inlined: FrameAnswer.FrameText, _ place: InlinedPlace, index: Int
  ) {
    let (line, isBefore) =
      switch place {
      case .before(let line): (line, true)
      case .after(let line): (line, false)
      }
    let (start, contentRange) = (line.byteRange.lowerBound, line.contentRange)
    let indexColumn = indexColumn(of: line, showing: index)
    let lacksSeparator = lacksSeparator(line, contentRange)
    let end = lineEnd(after: line)
    let lineEnd = lineEndBytes(of: line)
    let input = bytes
    edits.insert(at: isBefore ? start : end) { bytes in
      if !isBefore, end == line.byteRange.upperBound { bytes += lineEnd }
      bytes += input[start..<line.indexRange.lowerBound]
      bytes += indexColumn
      bytes += input[line.imageNameRange.lowerBound..<contentRange.lowerBound]
      if lacksSeparator { bytes.append(UInt8(ascii: " ")) }
      Self.appendContent(of: inlined, to: &bytes)
      bytes.append(contentsOf: " [inlined]".utf8)
      bytes += lineEnd
      for sourceLine in inlined.source?.shownLines ?? [] { bytes += sourceLine.utf8 + lineEnd }
    }
  }

  /// Puts source lines below the line of a frame, in place of those from an earlier run.
  private mutating func replaceSourceLines(after line: FrameLine, with source: SourceExcerpt?) {
    let start = lineEnd(after: line)
    let end = sourceLinesEnd(from: start)
    guard source != nil || start < end else { return }
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
    sourceLinesEnd(from: lineEnd(after: line))
  }

  private func sourceLinesEnd(from start: Int) -> Int {
    var offset = start
    // Every source line is indented.
    while offset < bytes.count, bytes[offset] == UInt8(ascii: " ") {
      let end = bytes[offset...].firstIndex(of: 0x0a) ?? bytes.count
      guard SourceExcerpt.isShownLine(bytes[offset..<end]) else { break }
      offset = min(end + 1, bytes.count)
    }
    return offset
  }

  // MARK: Address lists

  /// Writes a list of bare addresses, `(0x1ed76127c 0x1ec93b9f8 …)`, as frames in the columns of
  /// Apple's tools, if at least one of them has a name now.
  static func expand(
    _ backtrace: SymbolicatedBacktrace, _ list: Range<Int>, of bytes: [UInt8],
    into edits: inout ByteEdits
  ) {
    guard backtrace.frames.contains(where: { $0.answer != nil }) else { return }
    var lines: [[UInt8]] = []
    for row in backtrace.rows {
      let frame = backtrace.frames[row.frame]
      let text = backtrace.answerText(of: row)
      let isInlined = row.content != .frame
      var line = Array(lineStart(backtrace.number(of: row), frame).utf8)
      if let text {
        appendContent(of: text, to: &line)
        if isInlined { line += " [inlined]".utf8 }
      } else {
        line += unsymbolicated(frame).utf8
      }
      lines.append(line)
      lines += (text?.source?.shownLines ?? []).map { Array($0.utf8) }
    }
    let lineEnd: [UInt8] = bytes[list.upperBound...].first == 0x0d ? [0x0d, 0x0a] : [0x0a]
    edits.replace(list, with: lines.joined(separator: lineEnd))
  }

  /// The columns before the content.
  private static func lineStart(_ index: Int, _ frame: SymbolicatedFrame) -> String {
    let width = frame.image?.architecture?.is32Bit == true ? 8 : 16
    let address = "0x" + (frame.address?.value ?? 0).hexadecimalDigits(count: width)
    return
      "\(padded(String(index), to: 3)) \(padded(frame.imageName, to: 30))\t\(address) "
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
