import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// The parts of a report in an analysis that somebody, or a program, wrote in Markdown: fields with
/// bold keys in a list or a table, values in code, frames in a table.
///
/// ```text
/// - **Exception Type:** `EXC_BAD_ACCESS (SIGSEGV)`
/// | **Crashed thread** | 0 |
///
/// | Frame | Image | Function |
/// | :--- | :--- | :--- |
/// | 0 | Board | `Board.turn() + 12` |
/// ```
///
/// The thread that crashed may be a field too, above a block of code with its frames, which may
/// begin with any number. Of several such crashes, the text has the first:
///
/// ````text
/// **Thread:** Thread 3 (Crashed)
/// **Exception:** EXC_CRASH (SIGABRT)
///
/// ```
/// 11  Board  -[Deck turn] + 140 (Deck.m:12)
/// ```
/// ````
///
/// The text has them as reports do: `Exception Type: EXC_BAD_ACCESS (SIGSEGV)`, `Triggered by
/// Thread: 0`, and `0 | Board | Board.turn() + 12`. In a block of code, nothing is a mark.
///
/// Source: the syntax of github.github.com/gfm, sections "List items", "Tables" and "Emphasis".
struct MarkdownPartsWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    var parts = Parts(source)
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      parts.take(line)
    }
    return parts.text()
  }

  /// Whether a field of a report with a bold key is in a part of a text, or two others that are not
  /// written as in reports.
  static func isIn(_ source: TextSource, _ range: Range<Int>) -> Bool {
    var next = range.lowerBound
    var plain: Set<String> = []
    while next < range.upperBound {
      let line = source.line(at: next)
      next = line.next
      let cells = source.tableCells(line)
      let field =
        cells.count == 2
        ? source.markdownField(cells[0], cells[1]) : source.markdownField(line)
      guard let field, let key = field.knownKey(source) else { continue }
      plain.insert(key)
      if field.isMarked || plain.count > 1 { return true }
    }
    return false
  }
}

/// Writes the text line by line.
private struct Parts {
  private let source: TextSource
  private var unwrapped: UnwrappedText
  /// Up to where the source was written.
  private var copied: Int
  /// How many known fields have something of Markdown: a bold key, a value that is code, a row.
  private var markedCount = 0
  /// The known keys of all others: one alone is no head.
  private var plainKeys: Set<String> = []
  /// Whether dashes are in front of frames, too, as they may be in front of every line.
  private var hasItemFrames = false
  private var frameCount = 0
  private var isCode = false
  /// Whether the line above is a field whose value may go on below it.
  private var isBelowTermination = false
  private var table: FrameTable?
  private var isInTable = false
  /// The number of the thread that a field says crashed, until its frames follow.
  private var crashedThread: Range<Int>?
  /// Whether these are in the block of code that is open.
  private var isStack = false
  /// Whether the first of several crashes has ended.
  private var isDone = false

  init(_ source: TextSource) {
    self.source = source
    copied = source.textStart
    unwrapped = UnwrappedText(of: source.bytes)
    unwrapped.reserve(source.count)
  }

  /// Nil if nothing of a report was written in this way.
  consuming func text() -> UnwrappedText? {
    guard markedCount > 0 || frameCount > 1 || plainKeys.count > 1 && !hasItemFrames else {
      return nil
    }
    if !isDone { unwrapped.copy(copied..<source.count) }
    return unwrapped
  }

  mutating func take(_ line: TextLine) {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    if source.has("```", at: start, limit: line.end)
      || source.has("~~~", at: start, limit: line.end)
    {
      isCode.toggle()
      takeFence(line)
    }
    guard !isDone, line.end - line.start < 4096 else { return }
    // Marks of Markdown are none there.
    if isCode {
      if let field = source.markdownField(line), !field.isMarked { write(field, line) }
      return
    }
    let cells = source.tableCells(line)
    guard !cells.isEmpty else {
      (table, isInTable) = (nil, false)
      if let heading = source.boldThread(line) {
        unwrapped.copy(copied..<line.start)
        unwrapped.copy(heading)
        copied = line.end
      } else if let field = source.markdownField(line) {
        write(field, line)
      } else if source.has("- 0 ", at: start, limit: line.end)
        || source.has("* 0 ", at: start, limit: line.end)
      {
        hasItemFrames = true
      }
      return
    }
    if !isInTable {
      isInTable = true
      table = FrameTable(cells, source)
      if table != nil { return }
    }
    if let table {
      if let row = table.row(cells, source) { write(row, line) }
    } else if cells.count == 2, let field = source.markdownField(cells[0], cells[1]),
      field.knownKey(source) != nil
    {
      write(field, line)
    }
  }

  /// Takes the line that begins or ends a block of code. Above frames of the thread that crashed,
  /// its heading is written.
  private mutating func takeFence(_ line: TextLine) {
    if !isCode {
      guard isStack else { return }
      unwrapped.copy(copied..<line.start)
      (isStack, isDone) = (false, true)
    } else if let number = crashedThread, markedCount > 0, line.next < source.count {
      let first = source.line(at: line.next)
      let start = source.skipSeparators(from: first.start, limit: first.end)
      // Behind the number of a frame is an image.
      guard let (_, end) = source.decimal(at: start, limit: first.end), end - start < 4,
        source.separatorLength(at: end, limit: first.end) > 0,
        !Ascii.isDigit(source[source.skipSeparators(from: end, limit: first.end)])
      else { return }
      unwrapped.copy(copied..<line.start)
      unwrapped.put("Thread \(source.string(number)) Crashed:\n".utf8, for: line.start..<line.next)
      copied = line.next
      (crashedThread, isStack) = (nil, true)
    }
  }

  private mutating func write(_ field: MarkdownField, _ line: TextLine) {
    if crashedThread == nil, field.isMarked { crashedThread = source.crashedThread(field) }
    let known = field.knownKey(source)
    // Other keys are fields too, so that they do not go on with those above.
    guard known != nil || field.isMarked else { return }
    if known != nil, field.isMarked || source.bytes[field.value].contains(UInt8(ascii: "`")) {
      markedCount += 1
    } else if let known {
      plainKeys.insert(known)
    }
    unwrapped.copy(copied..<line.start)
    if isBelowTermination { unwrapped.put(Ascii.lineFeed, for: line.start..<line.start) }
    isBelowTermination = known == "Termination Reason"
    if let known, known != source.string(field.key) {
      unwrapped.put(known.utf8, for: field.key)
    } else {
      unwrapped.copy(field.key)
    }
    unwrapped.put(": ".utf8, for: field.key.upperBound..<field.value.lowerBound)
    write(cell: field.value)
    copied = line.end
  }

  /// What an answer replaces, the function, is copied. Cells behind it are repeated in front of it.
  private mutating func write(_ row: FrameTable.Row, _ line: TextLine) {
    frameCount += 1
    unwrapped.copy(copied..<line.start)
    unwrapped.copy(row.index)
    var end = row.index.upperBound
    func gap(_ text: String) { unwrapped.put(text.utf8, for: end..<end) }
    let bar = row.address == nil ? " | " : "   "
    gap(bar)
    for (cell, separator) in [(row.image, bar), (row.address, " ")] {
      guard let cell else { continue }
      if cell.lowerBound >= end, cell.upperBound <= row.function.lowerBound {
        write(cell: cell)
        end = cell.upperBound
      } else {
        unwrapped.put(
          source.bytes[cell].filter { $0 != UInt8(ascii: "`") }, for: end..<end)
      }
      gap(separator)
    }
    write(cell: row.function)
    copied = line.end
  }

  /// Writes what is in a cell, without the signs of code.
  private mutating func write(cell range: Range<Int>) {
    let code = UInt8(ascii: "`")
    var start = range.lowerBound
    for position in range where source[position] == code {
      if position > start { unwrapped.copy(start..<position) }
      start = position + 1
    }
    if start < range.upperBound { unwrapped.copy(start..<range.upperBound) }
  }
}

extension TextSource {
  /// The cells of a row of a table, without blanks and bold marks around them. Empty if the line is
  /// no row.
  fileprivate func tableCells(_ line: TextLine) -> [Range<Int>] {
    let row = trimmed(line.start..<line.end)
    let bar = UInt8(ascii: "|")
    guard row.count > 2, self[row.lowerBound] == bar else { return [] }
    var cells: [Range<Int>] = []
    var start = row.lowerBound + 1
    var isCode = false
    for position in start..<row.upperBound {
      let byte = self[position]
      if byte == UInt8(ascii: "`") { isCode.toggle() }
      guard byte == bar, !isCode, self[position - 1] != Ascii.backslash else { continue }
      cells.append(withoutMarks(trimmed(start..<position)))
      start = position + 1
      if cells.count == 16 { break }
    }
    return cells
  }

  /// The heading of a thread that is bold as a whole: `**Thread 2 (Crashed):**`. Nil for other
  /// lines.
  fileprivate func boldThread(_ line: TextLine) -> Range<Int>? {
    let range = trimmed(line.start..<line.end)
    guard has("**Thread ", at: range.lowerBound, limit: range.upperBound) else { return nil }
    let text = withoutMarks(range)
    return text != range
      && threadLine(TextLine(start: text.lowerBound, end: text.upperBound, next: line.next)) != nil
      ? text : nil
  }

  /// The number in `Thread 3 (Crashed)`, the value of a field about a thread.
  fileprivate func crashedThread(_ field: MarkdownField) -> Range<Int>? {
    let value = trimmed(field.value, leading: "`", trailing: "` ")
    guard string(field.key).lowercased().hasSuffix("thread"),
      has("Thread ", at: value.lowerBound, limit: value.upperBound),
      let end = decimal(at: value.lowerBound + 7, limit: value.upperBound)?.end,
      end - value.lowerBound < 12,
      ["rashed", "RASHED"].contains(where: { find($0, from: end, limit: value.upperBound) != nil })
    else { return nil }
    return value.lowerBound + 7..<end
  }
}
