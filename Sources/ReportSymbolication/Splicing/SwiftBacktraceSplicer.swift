import CrashLogParser
import FileSystem

/// Puts answers into a Swift backtrace as text, as the runtime itself writes symbols:
///
/// ```text
///   0                0x0000555555554e18 firstElement(_:at:) + 24 in game at /src/Game.swift:1:83
///   1 [ra] [inlined] 0x0000555555554f0f checked(_:) in game at /src/Game.swift:2:51
///   2 [ra]           0x0000555555554f0f Game.play() + 46 in game at /src/Game.swift:5:39
/// ...
/// ```
///
/// The frames of a thread are a table whose columns are as wide as their widest cell, so all lines
/// of a thread are laid out again if one frame is given a name. A thread without answers stays as
/// it is.
struct SwiftBacktraceSplicer: ReportSplicer {
  static let showsColumns = true
  static let hasPlaceForSourceLines = false
  static let appleText = AppleTextOrigin.none

  private let bytes: [UInt8]
  private let backtrace: SymbolicatedBacktrace
  private let hasAttributes: Bool
  /// With colours, the bytes between the cells stay.
  private let isColoured: Bool

  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    for backtrace in report.backtraces where backtrace.frames.contains(where: { $0.answer != nil })
    {
      let splicer = SwiftBacktraceSplicer(backtrace, bytes)
      splicer.write(splicer.tableRows, into: &edits)
    }
  }

  private init(_ backtrace: SymbolicatedBacktrace, _ bytes: [UInt8]) {
    self.bytes = bytes
    self.backtrace = backtrace
    hasAttributes = backtrace.frames.contains { frame in
      // In a table whose attributes are all empty, the column has no width but is between two
      // spaces.
      guard let parts = frame.source.values?.parts else { return false }
      return parts.attributes != nil
        || (parts.address?.lowerBound ?? 0) - parts.index.upperBound > 1
    }
    isColoured = bytes[backtrace.source.byteRange].contains(0x1b)
  }

  // MARK: Rows

  /// A line of the table.
  private struct TableRow {
    enum Origin {
      case frame(FrameValues)
      /// Where the runtime left frames out.
      case omission(Range<Int>)
      /// An inlined call, before the frame that it is inlined into.
      case inlined(FrameValues)
      /// A frame that is dropped.
      case removed(FrameValues)
    }

    let origin: Origin
    var index = "..."
    var attributes = ""
    /// What to write after the address; nil to keep what is there.
    var content: String?
  }

  private var tableRows: [TableRow] {
    var rows: [TableRow] = []
    var omissions = backtrace.source.omissions[...]
    for row in backtrace.rows {
      let frame = backtrace.frames[row.frame]
      guard let values = frame.source.values, let parts = values.parts else { continue }
      while let omission = omissions.first, omission.lowerBound < values.byteRange.lowerBound {
        rows.append(TableRow(origin: .omission(omission)))
        omissions.removeFirst()
      }
      let index = String(backtrace.number(of: row))
      let text = backtrace.answerText(of: row)
      switch row.content {
      case .superseded: rows.append(TableRow(origin: .removed(values)))
      case .inlined:
        let inlined = text.map { SwiftFrameText($0, of: frame, isInlined: true) }
        rows.append(
          TableRow(
            origin: .inlined(values), index: index, attributes: inlined?.attributes ?? "",
            content: inlined?.content))
      case .frame:
        var tableRow = TableRow(origin: .frame(values), index: index)
        if let answer = frame.answer, let text {
          let text = SwiftFrameText(text, of: frame, isInlined: values.isInlined)
          tableRow.attributes = text.attributes
          tableRow.content = answer.keepsStatedName ? nil : text.content
          if answer.keepsStatedName, let location = text.shownLocation {
            tableRow.content = String(decoding: bytes[parts.content], as: UTF8.self) + location
          }
        } else if let range = parts.attributes {
          tableRow.attributes = String(decoding: bytes[range], as: UTF8.self)
        }
        rows.append(tableRow)
      }
    }
    return rows + omissions.map { TableRow(origin: .omission($0)) }
  }

  // MARK: Lines

  private func write(_ rows: [TableRow], into edits: inout ByteEdits) {
    let shown = rows.filter { if case .removed = $0.origin { false } else { true } }
    let indexWidth = shown.map(\.index.utf8.count).max() ?? 0
    let attributesWidth = hasAttributes ? shown.map(\.attributes.utf8.count).max() ?? 0 : 0
    /// What precedes the address.
    func lead(_ row: TableRow) -> String {
      let index = String(repeating: " ", count: indexWidth - row.index.utf8.count) + row.index
      guard hasAttributes else { return index + " " }
      let padding = String(repeating: " ", count: attributesWidth - row.attributes.utf8.count)
      return "\(index) \(row.attributes)\(padding) "
    }
    for row in rows {
      switch row.origin {
      case .omission(let omission):
        let padding = String(repeating: " ", count: indexWidth - row.index.utf8.count)
        edits.replace(omission, with: (padding + row.index).utf8)
      case .removed(let line):
        edits.remove(lineStart(line)..<lineEnd(line))
      case .inlined(let line):
        insert(lead(row), row.content ?? "", before: line, into: &edits)
      case .frame(let line):
        guard let parts = line.parts else { continue }
        if isColoured {
          edits.replace(parts.index, with: row.index.utf8)
        } else {
          let end = (parts.address ?? parts.content).lowerBound
          edits.replace(line.byteRange.lowerBound..<end, with: lead(row).utf8)
        }
        guard let content = row.content else { continue }
        if parts.content.isEmpty {
          edits.insert((" " + content).pathBytes, at: line.byteRange.upperBound)
        } else {
          edits.replace(parts.content, with: content.pathBytes)
        }
      }
    }
  }

  private func insert(
    _ lead: String, _ content: String, before line: FrameValues, into edits: inout ByteEdits
  ) {
    let start = lineStart(line)
    var text = Array(bytes[start..<line.byteRange.lowerBound])
    text += lead.utf8
    if let address = line.parts?.address { text += bytes[address] + [UInt8(ascii: " ")] }
    text += content.pathBytes
    let lineEnd = bytes[line.byteRange.upperBound..<lineEnd(line)]
    // The last line of a file may have no line end, but the lines before it do.
    text += lineEnd.isEmpty ? [0x0a] : Array(lineEnd)
    edits.insert(text, at: start)
  }

  /// The start of the line in the input, including the prefix that a log puts before it.
  private func lineStart(_ line: FrameValues) -> Int {
    var start = line.byteRange.lowerBound
    while start > 0, bytes[start - 1] != 0x0a { start -= 1 }
    return start
  }

  /// The offset after the line end that follows a frame; the end of the input if none follows.
  private func lineEnd(_ line: FrameValues) -> Int {
    bytes.lineEnd(after: line.byteRange.upperBound)
  }
}

extension [UInt8] {
  /// The offset after the next line end; the end of the bytes if there is none.
  func lineEnd(after offset: Int) -> Int {
    var end = offset
    while end < count, self[end] != 0x0a { end += 1 }
    return Swift.min(end + 1, count)
  }
}
