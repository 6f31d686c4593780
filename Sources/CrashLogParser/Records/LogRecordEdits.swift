import JsonReading
import ReportModel
import SymbolicationModel

/// Puts changes of texts back into the records that they came from: each into its record, spelt as
/// the record is. New lines go into the record of the line that they stand before. A container
/// runtime's record is one line, so there they are records of their own, with the same time stamp.
struct LogRecordEdits: UnwrappedEdits {
  /// Where a text is, and what it came from.
  struct Place {
    /// The offset in the text of all records.
    let start: Int
    let content: LogMessage.Content
    /// The line of the record, with its line end.
    let line: Range<Int>
    /// Whether a line end was added to the text that the record does not have.
    let addsEnd: Bool
    var isRecord = false
  }

  /// Ascending, without gaps.
  private let places: [Place]
  /// How strings of the log are spelt, where a record does not show it.
  private let spelling: JsonSpelling

  init(_ places: [Place], _ spelling: JsonSpelling) {
    self.places = places
    self.spelling = spelling
  }

  func outerEdits(_ edits: [TextEdit], of text: UnwrappedText) -> [TextEdit]? {
    var result: [TextEdit] = []
    // The edits of the last list of numbers.
    var listEdits: (place: Int, edits: [TextEdit])?
    func finishList() {
      guard let (place, edits) = listEdits else { return }
      listEdits = nil
      if let edit = list(at: place, edits, text) { result.append(edit) }
    }
    for edit in edits {
      guard var index = place(of: edit.range.lowerBound) else { return nil }
      if listEdits.map({ $0.place != index }) ?? false { finishList() }
      var rest = edit
      // What goes on in the next records is taken out there.
      while true {
        let end = index + 1 < places.count ? places[index + 1].start : text.text.count
        let part = rest.range.clamped(to: places[index].start..<end)
        let piece = TextEdit(range: part, replacement: rest.replacement)
        if case .numbers = places[index].content {
          listEdits = (index, (listEdits?.edits ?? []) + [piece])
        } else {
          result += outerEdits(piece, places[index], end: end, text)
        }
        guard rest.range.upperBound > end, index + 1 < places.count else { break }
        finishList()
        rest = TextEdit(range: end..<rest.range.upperBound, replacement: [])
        index += 1
      }
    }
    finishList()
    return result
  }

  private func place(of offset: Int) -> Int? {
    let next = places.partitionPoint { $0.start > offset }
    return next > 0 ? next - 1 : nil
  }

  private func outerEdits(
    _ edit: TextEdit, _ place: Place, end: Int, _ text: UnwrappedText
  ) -> [TextEdit] {
    var replacement = edit.replacement[...]
    // The line end that the record does not have.
    if place.addsEnd, edit.range.upperBound == end, !edit.range.isEmpty,
      replacement.last == Ascii.lineFeed
    {
      replacement = replacement.dropLast()
    }
    var range = text.map.outerRange(of: edit.range)
    if edit.range.isEmpty {
      let start =
        edit.range.lowerBound > place.start
        ? text.map.outerEnd(before: edit.range.lowerBound) : place.contentStart
      range = start..<start
    }
    guard place.isRecord else { return [TextEdit(range: range, replacement: Array(replacement))] }
    switch place.content {
    case .numbers: return []
    case .string:
      let spelling = spelling.of(TextSource(bytes: text.outer), place.line)
      return [TextEdit(range: range, replacement: spelling.encoded(replacement))]
    case .line:
      let outer = TextEdit(range: range, replacement: Array(replacement))
      return [lineEdit(outer, place, edit, end, text)]
    }
  }

  /// A change of a line that is a record.
  private func lineEdit(
    _ outer: TextEdit, _ place: Place, _ edit: TextEdit, _ end: Int, _ text: UnwrappedText
  ) -> TextEdit {
    // An inlined call of an earlier run had a record of its own.
    if outer.replacement.isEmpty, edit.range == place.start..<end, place.addsEnd {
      return TextEdit(range: place.line, replacement: [])
    }
    guard outer.replacement.contains(Ascii.lineFeed) else { return outer }
    let line = TextSource(bytes: text.outer).line(at: place.line.lowerBound)
    var head = Array(text.outer[place.line.lowerBound..<place.contentStart])
    if let tag = ContainerLine(text.outer.span, line)?.tag {
      head[tag - place.line.lowerBound] = UInt8(ascii: "F")
    }
    let written = text.outer[line.end..<line.next]
    let lineEnd = written.isEmpty ? [Ascii.lineFeed] : Array(written)
    var lines = outer.replacement.split(separator: Ascii.lineFeed, omittingEmptySubsequences: false)
    guard edit.range.isEmpty, edit.range.lowerBound == place.start, lines.last?.isEmpty == true
    else {
      return TextEdit(
        range: outer.range, replacement: Array(lines.joined(separator: lineEnd + head)))
    }
    lines.removeLast()
    let start = place.line.lowerBound
    return TextEdit(range: start..<start, replacement: lines.flatMap { head + $0 + lineEnd })
  }

  /// A list of numbers, written anew.
  private func list(at index: Int, _ edits: [TextEdit], _ text: UnwrappedText) -> TextEdit? {
    guard case .numbers(let range) = places[index].content else { return nil }
    let start = places[index].start
    let next = index + 1 < places.count ? places[index + 1].start : text.text.count
    let end = places[index].addsEnd ? next - 1 : next
    var bytes: [UInt8] = []
    var position = start
    for edit in edits where edit.range.lowerBound >= position {
      bytes += text.text[position..<min(edit.range.lowerBound, end)]
      bytes += edit.replacement
      position = min(edit.range.upperBound, end)
    }
    bytes += text.text[position..<max(position, end)]
    // The last bytes of the list, written as the record separates them.
    let list = text.outer[range]
    let separator = list.firstIndex(of: Ascii.comma).map { comma in
      list[comma...].prefix { $0 == Ascii.comma || Ascii.isJsonSpace($0) }
    }
    let numbers = bytes.map { Array(String($0).utf8) }
    let lead = list.dropFirst().prefix { Ascii.isJsonSpace($0) }
    let tail = list.dropLast().reversed().prefix { Ascii.isJsonSpace($0) }.reversed()
    return TextEdit(
      range: range.lowerBound + 1
        + lead.count..<max(
          range.lowerBound + 1 + lead.count, range.upperBound - 1 - tail.count),
      replacement: Array(numbers.joined(separator: separator ?? [Ascii.comma])))
  }
}

extension LogRecordEdits.Place {
  fileprivate var contentStart: Int {
    switch content {
    case .string(let range), .line(let range): range.lowerBound
    case .numbers(let range): range.lowerBound + 1
    }
  }
}
