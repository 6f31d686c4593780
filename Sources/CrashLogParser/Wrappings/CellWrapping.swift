import JsonReading
import ReportModel
import SymbolicationModel

/// Frames of a page's table with each cell on a line of its own, as browsers copy them from
/// Crashlytics:
///
/// ```text
/// 0
/// Page Kit
/// Page.swift - Line 12
/// Page.load() + 12
/// ```
///
/// Newer pages write the place as `Page.swift:12`. The function may have no number behind it
/// (`-[Page load]`, `Page.load()`), and the page may say that it has no symbols for the image:
/// `(Missing UUID 79d7…)`.
///
/// The text has a bar between them: `0 | Page Kit | Page.swift - Line 12 | Page.load() + 12`.
struct CellWrapping: WrappingReader {
  /// One frame alone may be anything.
  private static let fewestFrames = 2

  func unwrap(_ source: TextSource) -> UnwrappedText? {
    var text = UnwrappedText(of: source.bytes) { Array($0) }
    var next = source.textStart
    var copied = next
    var count = 0
    while next < source.count {
      let cells = source.frameCells(at: next)
      guard let last = cells.last else {
        next = source.line(at: next).next
        continue
      }
      count += 1
      for (cell, below) in zip(cells, cells.dropFirst()) {
        text.copy(copied..<cell.end)
        text.put(" | ".utf8, for: cell.end..<below.start)
        copied = below.start
      }
      next = last.next
    }
    guard count >= Self.fewestFrames else { return nil }
    text.copy(copied..<source.count)
    return text
  }
}

extension TextSource {
  /// The lines of one frame: its number, the image, perhaps a place, the function. Empty if there
  /// is none.
  fileprivate func frameCells(at offset: Int) -> [TextLine] {
    let number = line(at: offset)
    let digits = trimmed(number.start..<number.end)
    guard (1...3).contains(digits.count), bytes[digits].allSatisfy(Ascii.isDigit) else { return [] }
    var cells = [number]
    while cells.count < 4, let last = cells.last, last.next < count {
      let cell = line(at: last.next)
      guard !isBlank(cell), cell.end - cell.start < 1000 else { return [] }
      cells.append(cell)
      if cells.count > 2, endsWithOffset(cell) || isFunction(cell) && isLast(cell) {
        return cells
      }
      // Only a place is between the image and the function.
      if cells.count == 3, !isPlace(cell) { return [] }
    }
    return []
  }

  /// `Page.swift - Line 12`, `Page.swift:12`.
  private func isPlace(_ cell: TextLine) -> Bool {
    if find(" - Line ", from: cell.start, limit: cell.end) != nil { return true }
    let range = trimmed(cell.start..<cell.end)
    guard let colon = bytes[range].lastIndex(of: Ascii.colon), colon + 1 < range.upperBound else {
      return false
    }
    return bytes[colon + 1..<range.upperBound].allSatisfy(Ascii.isDigit)
      && bytes[range.lowerBound..<colon].contains(UInt8(ascii: "."))
  }

  /// Whether a cell is a function, or says which symbols are missing for it.
  private func isFunction(_ cell: TextLine) -> Bool {
    let range = trimmed(cell.start..<cell.end)
    guard range.count > 3 else { return false }
    let last = self[range.upperBound - 1]
    if "-+".utf8.contains(self[range.lowerBound]), self[range.lowerBound + 1] == Ascii.openBracket {
      return last == Ascii.closeBracket
    }
    guard last == UInt8(ascii: ")") else { return false }
    if self[range.lowerBound] == UInt8(ascii: "(") {
      return find(" UUID ", from: range.lowerBound, limit: range.upperBound) != nil
    }
    return find("(", from: range.lowerBound, limit: range.upperBound) != nil
  }

  /// Whether the table ends below a cell, or goes on with the number of a frame.
  private func isLast(_ cell: TextLine) -> Bool {
    guard cell.next < count else { return true }
    let below = line(at: cell.next)
    let text = trimmed(below.start..<below.end)
    return text.isEmpty || has("```", at: text.lowerBound, limit: text.upperBound)
      || text.count < 4 && bytes[text].allSatisfy(Ascii.isDigit)
  }

  /// Whether ` + 12` is at the end.
  private func endsWithOffset(_ line: TextLine) -> Bool {
    var position = trimEnd(from: line.start, to: line.end)
    let end = position
    while position > line.start, Ascii.isDigit(self[position - 1]) { position -= 1 }
    return position < end && has(" + ", at: position - 3, limit: end)
  }
}
