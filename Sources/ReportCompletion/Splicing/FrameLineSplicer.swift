import CrashLogParser
import FileSystem
import ReportSymbolication
import SymbolicationModel
import Wording

/// Puts answers into lines that the writer of the format knows how to write. An inlined call is a
/// line before that of the frame it is inlined into, and the frames after it get other numbers.
enum FrameLineSplicer: ReportSplicer {
  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    guard case .lines(let writer) = report.source.format.traits.frames else { return }
    for backtrace in report.backtraces where backtrace.isChanged {
      if let list = backtrace.source.addressListRange {
        TextSplicer.expand(backtrace, list, of: bytes, into: &edits)
        continue
      }
      for row in backtrace.rows {
        let frame = backtrace.frames[row.frame]
        guard let values = frame.source.values, let parts = values.parts else { continue }
        let number = bytes.number(backtrace.number(of: row), like: parts.index)
        let call = backtrace.answerText(of: row).map {
          FrameLineCall($0, statedName: frame.answer?.keepsStatedName == true ? values.symbol : nil)
        }
        let lineStart = bytes.lineStart(before: values.byteRange.lowerBound)
        let lineEnd = bytes.lineEnd(after: values.byteRange.upperBound)
        switch row.content {
        case .superseded: edits.remove(lineStart..<lineEnd)
        case .inlined:
          guard let call else { continue }
          var line = Array(bytes[lineStart..<parts.index.lowerBound])
          if values.index != nil { line += number }
          line += bytes[parts.index.upperBound..<parts.content.lowerBound]
          line += writer.content(for: call, of: values, in: bytes).pathBytes
          let end = bytes[parts.content.upperBound..<lineEnd]
          // The last line of a file may have no line end, but the lines before it do.
          line += end
          if end.last != 0x0a { line.append(0x0a) }
          edits.insert(line, at: lineStart)
        case .frame:
          if values.index != nil, !bytes[parts.index].elementsEqual(number) {
            edits.replace(parts.index, with: number)
          }
          guard let call else { continue }
          edits.replace(
            parts.content, with: writer.content(for: call, of: values, in: bytes).pathBytes)
        }
      }
    }
  }
}

extension [UInt8] {
  /// A number with as many digits as another one that has zeros in front (`#00`).
  fileprivate func number(_ value: Int, like range: Range<Int>) -> [UInt8] {
    let digits = Array(String(value).utf8)
    guard range.count > digits.count, self[range.lowerBound] == UInt8(ascii: "0") else {
      return digits
    }
    return Array(repeating: UInt8(ascii: "0"), count: range.count - digits.count) + digits
  }
}

extension FrameLineCall {
  /// - Parameter statedName: the symbol of the report whose name stays.
  fileprivate init(_ text: FrameAnswer.FrameText, statedName: FrameSymbol?) {
    self.init(
      function: statedName?.name ?? text.name, offset: text.offset,
      file: text.shownFile?.withoutControlCharacters, line: text.location.map { Int($0.line) } ?? 0,
      column: text.location.flatMap { $0.column > 0 ? Int($0.column) : nil })
  }
}
