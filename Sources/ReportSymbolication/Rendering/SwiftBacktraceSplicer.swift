import CrashLogParser

/// Puts what was found out into a Swift backtrace, in the form in which the runtime itself writes symbols:
///
/// ```text
///   0                0x0000555555554e18 firstElement(_:at:) + 24 in game at /src/Game.swift:1:83
///   1 [ra] [inlined] 0x0000555555554f0f checked(_:) in game at /src/Game.swift:2:51
///   2 [ra]           0x0000555555554f0f Game.play() + 46 in game at /src/Game.swift:5:39
/// ...
/// ```
///
/// The frames of a thread are a table whose columns are as wide as their widest cell, so where one frame
/// is given a name all lines of the thread are laid out anew. A thread without answers stays as it is.
struct SwiftBacktraceSplicer {
  private let bytes: [UInt8]
  private let thread: SwiftBacktraceThread
  private let hasAttributes: Bool
  /// In colours, what stands between the cells stays.
  private let isColoured: Bool

  static func splice(_ report: SymbolicatedReport, of bytes: [UInt8], into edits: inout ByteEdits) {
    guard case .swiftBacktrace(let source) = report.source else { return }
    if source.format == .swiftBacktraceJson {
      SwiftBacktraceJsonSplicer.splice(report, of: bytes, into: &edits)
      return
    }
    for backtrace in report.backtraces {
      guard case .thread(let place) = backtrace.kind, source.threads.indices.contains(place),
        backtrace.frames.contains(where: { $0.answer != nil })
      else { continue }
      let splicer = SwiftBacktraceSplicer(source.threads[place], bytes)
      splicer.write(splicer.rows(of: backtrace), into: &edits)
    }
  }

  private init(_ thread: SwiftBacktraceThread, _ bytes: [UInt8]) {
    self.bytes = bytes
    self.thread = thread
    hasAttributes = thread.frames.contains { frame in
      // A table whose cells are all empty has a column of no width, between two spaces.
      guard let text = frame.text else { return false }
      return text.attributes != nil
        || (text.address?.lowerBound ?? 0) - text.index.upperBound > 1
    }
    isColoured = bytes[thread.byteRange].contains(0x1b)
  }

  // MARK: Rows

  /// A line of the table.
  private struct Row {
    enum Origin {
      case frame(SwiftBacktraceFrame)
      case omission(SwiftBacktraceOmission)
      /// An inlined call, in front of the frame that it is inlined into.
      case inlined(SwiftBacktraceFrame)
      /// A frame whose place others take.
      case removed(SwiftBacktraceFrame)
    }

    let origin: Origin
    var index = "..."
    var attributes = ""
    /// What is to stand behind the address; nil for what stands there.
    var content: String?
  }

  private func rows(of backtrace: SymbolicatedBacktrace) -> [Row] {
    var rows: [Row] = []
    var omissions = thread.omissions[...]
    // How far the indexes of the frames that follow have moved.
    var shift = 0
    for (place, frame) in backtrace.frames.enumerated() {
      guard case .swiftBacktrace(let line) = frame.origin, let ranges = line.text else { continue }
      while let omission = omissions.first,
        omission.byteRange.lowerBound < line.byteRange.lowerBound
      {
        rows.append(Row(origin: .omission(omission)))
        omissions.removeFirst()
      }
      if frame.isSuperseded {
        rows.append(Row(origin: .removed(line)))
        shift -= 1
        continue
      }
      let index = line.index ?? place
      for inlined in frame.answer?.inlined ?? [] {
        let form = SwiftFrameForm(inlined, of: frame, line, isInlined: true)
        rows.append(
          Row(
            origin: .inlined(line), index: String(index.moved(by: shift)),
            attributes: form.attributes, content: form.content))
        shift += 1
      }
      var row = Row(origin: .frame(line), index: String(index.moved(by: shift)))
      if let answer = frame.answer {
        let form = SwiftFrameForm(answer.function, of: frame, line, isInlined: line.isInlined)
        row.attributes = form.attributes
        row.content = answer.keepsStatedName ? nil : form.content
        if answer.keepsStatedName, let place = form.place {
          row.content = String(decoding: bytes[ranges.content], as: UTF8.self) + place
        }
      } else if let range = ranges.attributes {
        row.attributes = String(decoding: bytes[range], as: UTF8.self)
      }
      rows.append(row)
    }
    return rows + omissions.map { Row(origin: .omission($0)) }
  }

  // MARK: Lines

  private func write(_ rows: [Row], into edits: inout ByteEdits) {
    let shown = rows.filter { if case .removed = $0.origin { false } else { true } }
    let indexWidth = shown.map(\.index.utf8.count).max() ?? 0
    let attributesWidth = hasAttributes ? shown.map(\.attributes.utf8.count).max() ?? 0 : 0
    /// What stands before the address.
    func lead(_ row: Row) -> String {
      let index = String(repeating: " ", count: indexWidth - row.index.utf8.count) + row.index
      guard hasAttributes else { return index + " " }
      let padding = String(repeating: " ", count: attributesWidth - row.attributes.utf8.count)
      return "\(index) \(row.attributes)\(padding) "
    }
    for row in rows {
      switch row.origin {
      case .omission(let omission):
        let padding = String(repeating: " ", count: indexWidth - row.index.utf8.count)
        edits.replace(omission.byteRange, with: padding + row.index)
      case .removed(let line):
        edits.remove(lineStart(line)..<lineEnd(line))
      case .inlined(let line):
        insert(lead(row), row.content ?? "", before: line, into: &edits)
      case .frame(let line):
        guard let ranges = line.text else { continue }
        if isColoured {
          edits.replace(ranges.index, with: row.index)
        } else {
          let end = (ranges.address ?? ranges.content).lowerBound
          edits.replace(line.byteRange.lowerBound..<end, with: lead(row))
        }
        guard let content = row.content else { continue }
        if ranges.content.isEmpty {
          edits.insert((" " + content).utf8, at: line.byteRange.upperBound)
        } else {
          edits.replace(ranges.content, with: content)
        }
      }
    }
  }

  private func insert(
    _ lead: String, _ content: String, before line: SwiftBacktraceFrame,
    into edits: inout ByteEdits
  ) {
    let start = lineStart(line)
    var text = Array(bytes[start..<line.byteRange.lowerBound])
    text += lead.utf8
    if let address = line.text?.address { text += bytes[address] + [UInt8(ascii: " ")] }
    text += content.utf8
    let lineEnd = bytes[line.byteRange.upperBound..<lineEnd(line)]
    // The last line of a file may have no end: then the lines before it have.
    text += lineEnd.isEmpty ? [0x0a] : Array(lineEnd)
    edits.insert(text, at: start)
  }

  /// Where the line begins in the input, with what a log has before it.
  private func lineStart(_ line: SwiftBacktraceFrame) -> Int {
    var start = line.byteRange.lowerBound
    while start > 0, bytes[start - 1] != 0x0a { start -= 1 }
    return start
  }

  /// The offset behind the line end that follows a frame; that of the frame's end where none does.
  private func lineEnd(_ line: SwiftBacktraceFrame) -> Int {
    var end = line.byteRange.upperBound
    while end < bytes.count, bytes[end] != 0x0a { end += 1 }
    return min(end + 1, bytes.count)
  }
}
