import CrashLogParser
import FileSystem
import ReportSymbolication

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
  private let bytes: [UInt8]
  private let backtrace: SymbolicatedBacktrace
  private let hasAttributes: Bool
  private let colours: Colours

  private enum Colours {
    case none
    /// Those of ``SwiftColour``.
    case known
    /// Others: the bytes between the cells stay, and what is new has no colour.
    case unknown
  }

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
        || Self.spaceCount(bytes, parts.index.upperBound, parts.address?.lowerBound) > 1
    }
    colours = Self.colours(of: backtrace, bytes)
  }

  private static func spaceCount(_ bytes: [UInt8], _ start: Int, _ end: Int?) -> Int {
    guard let end, start < end else { return 0 }
    return bytes[start..<end].count { $0 == UInt8(ascii: " ") }
  }

  private static func colours(of backtrace: SymbolicatedBacktrace, _ bytes: [UInt8]) -> Colours {
    guard bytes[backtrace.source.byteRange].contains(0x1b) else { return .none }
    func isPainted(_ range: Range<Int>, _ colour: SwiftColour) -> Bool {
      let start = Array(colour.start.utf8)
      let end = Array(SwiftColour.end.utf8)
      return bytes[..<range.lowerBound].suffix(start.count).elementsEqual(start)
        && bytes[range.upperBound...].prefix(end.count).elementsEqual(end)
    }
    let isKnown = backtrace.frames.allSatisfy { frame in
      guard let parts = frame.source.values?.parts, let address = parts.address else {
        return false
      }
      return isPainted(parts.index, .index) && isPainted(address, .address)
    }
    return isKnown ? .known : .unknown
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
    package var index = "..."
    var attributes = ""
    /// What to write after the address; nil to keep what is there.
    package var content: String?
    /// What to add to what is there: ` at file:line`.
    var addition: String?
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
            content: inlined.map(content)))
      case .frame:
        var tableRow = TableRow(origin: .frame(values), index: index)
        if let answer = frame.answer, let text {
          let text = SwiftFrameText(text, of: frame, isInlined: values.isInlined)
          tableRow.attributes = text.attributes
          if answer.keepsStatedName {
            tableRow.addition = colours == .known ? text.colouredLocation : text.shownLocation
          } else {
            tableRow.content = content(text)
          }
        } else if let range = parts.attributes {
          tableRow.attributes = Self.withoutColours(bytes[range])
        }
        rows.append(tableRow)
      }
    }
    return rows + omissions.map { TableRow(origin: .omission($0)) }
  }

  private func content(_ text: SwiftFrameText) -> String {
    colours == .known ? text.colouredContent : text.content
  }

  private static func withoutColours(_ bytes: ArraySlice<UInt8>) -> String {
    let parts = bytes.split(separator: 0x1b, omittingEmptySubsequences: false)
    let plain =
      parts.prefix(1).joined()
      + parts.dropFirst().flatMap { part in
        part.drop { $0 != UInt8(ascii: "m") }.dropFirst()
      }
    return String(decoding: plain, as: UTF8.self)
  }

  // MARK: Lines

  private func write(_ rows: [TableRow], into edits: inout ByteEdits) {
    let shown = rows.filter { if case .removed = $0.origin { false } else { true } }
    let indexWidth = shown.map(\.index.utf8.count).max() ?? 0
    let attributesWidth = hasAttributes ? shown.map(\.attributes.utf8.count).max() ?? 0 : 0
    /// What precedes the address.
    func lead(_ row: TableRow) -> String {
      let indent = String(repeating: " ", count: indexWidth - row.index.utf8.count)
      let padding = String(repeating: " ", count: attributesWidth - row.attributes.utf8.count)
      guard colours == .known else {
        guard hasAttributes else { return "\(indent)\(row.index) " }
        return "\(indent)\(row.index) \(row.attributes)\(padding) "
      }
      let attributes = row.attributes.split(separator: " ").map {
        SwiftColour.attribute.paint(String($0))
      }.joined(separator: " ")
      let index = indent + SwiftColour.index.paint(row.index)
      return (hasAttributes ? "\(index) \(attributes)\(padding) " : "\(index) ")
        + SwiftColour.address.start
    }
    for row in rows {
      switch row.origin {
      case .omission(let omission):
        let padding = String(repeating: " ", count: indexWidth - row.index.utf8.count)
        let text = colours == .known ? lead(row) + SwiftColour.end : padding + row.index
        edits.replace(omission, with: text.utf8)
      case .removed(let line):
        edits.remove(lineStart(line)..<lineEnd(line))
      case .inlined(let line):
        insert(lead(row), row.content ?? "", before: line, into: &edits)
      case .frame(let line):
        guard let parts = line.parts else { continue }
        if colours == .unknown {
          edits.replace(parts.index, with: row.index.utf8)
        } else {
          let end = (parts.address ?? parts.content).lowerBound
          edits.replace(line.byteRange.lowerBound..<end, with: lead(row).utf8)
        }
        if let addition = row.addition {
          let end = colours == .none ? parts.content.upperBound : line.byteRange.upperBound
          edits.insert(addition.pathBytes, at: end)
        }
        guard let content = row.content else { continue }
        if colours == .known, let address = parts.address {
          edits.replace(
            address.upperBound..<line.byteRange.upperBound,
            with: "\(SwiftColour.end) \(content)".pathBytes)
        } else if parts.content.isEmpty {
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
    if let address = line.parts?.address {
      text += bytes[address]
      if colours == .known { text += SwiftColour.end.utf8 }
      text.append(UInt8(ascii: " "))
    }
    text += content.pathBytes
    let lineEnd = bytes[line.byteRange.upperBound..<lineEnd(line)]
    // The last line of a file may have no line end, but the lines before it do.
    text += lineEnd.isEmpty ? [0x0a] : Array(lineEnd)
    edits.insert(text, at: start)
  }

  /// The start of the line in the input, including the prefix that a log puts before it.
  private func lineStart(_ line: FrameValues) -> Int {
    bytes.lineStart(before: line.byteRange.lowerBound)
  }

  /// The offset after the line end that follows a frame; the end of the input if none follows.
  private func lineEnd(_ line: FrameValues) -> Int {
    bytes.lineEnd(after: line.byteRange.upperBound)
  }
}

extension [UInt8] {
  /// The start of the line that holds an offset.
  func lineStart(before offset: Int) -> Int {
    var start = offset
    while start > 0, self[start - 1] != 0x0a { start -= 1 }
    return start
  }

  /// The offset after the next line end; the end of the bytes if there is none.
  func lineEnd(after offset: Int) -> Int {
    var end = offset
    while end < count, self[end] != 0x0a { end += 1 }
    return Swift.min(end + 1, count)
  }
}
