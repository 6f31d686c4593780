import Wording

/// What a report as text has in other words on a terminal that is too narrow for it.
///
/// A frame becomes narrower in this order: the spaces in front of its address go, then arguments,
/// types and the beginning of the file's name, as in a summary. If not even the function's own name
/// fits, it begins a line. All other lines are wrapped between words.
struct ReportFit {
  /// A part of the output, and what is shown in its place.
  struct Edit {
    let range: Range<Int>
    let text: String
  }

  private let output: [UInt8]
  private let width: Int
  private var edits: [Edit] = []
  /// Where lines with frames begin.
  private var frameLines: Set<Int> = []

  init(_ output: [UInt8], width: Int) {
    self.output = output
    self.width = width
  }

  var sortedEdits: [Edit] { edits.sorted { $0.range.lowerBound < $1.range.lowerBound } }

  /// A longer line is none of a report that anyone would look at, and costs time.
  private static let longestLine = 10_000
  /// Of an address with all its digits.
  private static let addressWidth = 18
  /// What is left of a path says something.
  private static let leastPathWidth = 12
  /// The spaces in front of what goes on in another line, as of a `StyledLine`.
  private static let indent = 4
  private var indentation: String { String(repeating: " ", count: Self.indent) }

  // MARK: Frames

  /// A frame in the output.
  private struct Line {
    let index: Int
    let range: Range<Int>
    let columns: Int
    /// The spaces in front of its address, if they align it, and how many columns they take.
    let gap: (range: Range<Int>, columns: Int)?
  }

  /// The frames of a backtrace. A place that is left out is no longer one of the parts.
  ///
  /// - Parameter inOutput: where in the output a part stands.
  mutating func add(_ frames: inout [FrameParts?], inOutput: (Range<Int>) -> Range<Int>) {
    var lines: [Line] = []
    for (index, parts) in frames.enumerated() {
      guard let parts else { continue }
      let range = inOutput(parts.range)
      guard range.upperBound <= output.count else { continue }
      let line = lineRange(around: range)
      frameLines.insert(line.lowerBound)
      guard line.count <= Self.longestLine else { continue }
      let content = parts.content.map { inOutput($0).lowerBound } ?? range.lowerBound
      lines.append(
        Line(
          index: index, range: line, columns: columns(line, of: line),
          gap: gap(in: range.lowerBound..<max(range.lowerBound, content)).map {
            ($0, columns($0, of: line))
          }))
    }
    let excess = (lines.map(\.columns).max() ?? 0) - width
    guard excess > 0 else { return }
    // The addresses stay below each other.
    let cut = max(0, min(excess, (lines.compactMap { $0.gap?.columns }.min() ?? 0) - 2))
    for line in lines {
      guard let parts = frames[line.index] else { continue }
      var excess = line.columns - width
      if let gap = line.gap, excess > 0 || cut > 0 {
        // Not even the address has room: it begins a line.
        let start = columns(line.range.lowerBound..<gap.range.upperBound, of: line.range)
        let isAlone = start - cut + Self.addressWidth > width
        edits.append(
          Edit(
            range: gap.range,
            text: isAlone
              ? "\n" + indentation : String(repeating: " ", count: gap.columns - cut)))
        excess -= isAlone ? start - Self.indent : cut
      }
      if excess > 0, shorten(parts, line.range, by: excess, inOutput) {
        frames[line.index]?.place = nil
      }
    }
  }

  /// - Returns: whether the place is left out.
  private mutating func shorten(
    _ parts: FrameParts, _ line: Range<Int>, by excess: Int, _ inOutput: (Range<Int>) -> Range<Int>
  ) -> Bool {
    guard let content = parts.content.map(inOutput), line.contains(content.lowerBound) else {
      return false
    }
    guard parts.isNamed, let name = parts.name.map(inOutput), name.upperBound <= line.upperBound
    else {
      if !parts.isInTree { startLine(at: content.lowerBound) }
      return false
    }
    let place = parts.place.map(inOutput)
    let nameText = text(name)
    let placeText = place.map(text)
    let nameWidth = TerminalColumns.count(of: nameText)
    // The place with the space and the parentheses, as a summary counts it.
    let placeWidth = placeText.map { TerminalColumns.count(of: $0) + 3 } ?? 0
    // `<compiler-generated>` is no place that anyone could look at.
    let wanted = placeText.flatMap { $0.hasPrefix("<") ? nil : $0 }
    let least = parts.isInTree ? FittedText.leastNameWidth : 0
    var room = max(least, nameWidth + placeWidth - excess)
    var short = FittedText.frame(nameText, wanted, columns: room)
    // A deep tree is wider than the terminal: a name is not cut for that.
    while parts.isInTree, isCut(short.name, of: nameText, room), room < nameWidth + placeWidth {
      room += max(4, room / 4)
      short = FittedText.frame(nameText, wanted, columns: room)
    }
    if !parts.isInTree, isCut(short.name, of: nameText, room) {
      // In a line of its own, and if that is not enough, with what follows it in another one.
      startLine(at: content.lowerBound)
      let rest = columns(content.lowerBound..<line.upperBound, of: line) - nameWidth - placeWidth
      let room = width - Self.indent - rest
      short = FittedText.frame(nameText, wanted, columns: room)
      if isCut(short.name, of: nameText, room) {
        short.name = FittedText.function(nameText, columns: width - Self.indent)
        short.name += "\n" + indentation.dropLast()
        short.place = wanted.map {
          FittedText.end(ofPath: $0, columns: max(FittedText.leastNameWidth, room - 3))
        }
      }
    }
    if short.name != nameText { edits.append(Edit(range: name, text: short.name)) }
    guard let place else { return false }
    guard let shortPlace = short.place else {
      let isBracketed =
        place.lowerBound >= 2 && output[..<place.lowerBound].suffix(2).elementsEqual(" (".utf8)
        && output[place.upperBound...].first == UInt8(ascii: ")")
      let range = isBracketed ? place.lowerBound - 2..<place.upperBound + 1 : place
      edits.append(Edit(range: range, text: isBracketed ? "" : "…"))
      return true
    }
    if shortPlace != placeText { edits.append(Edit(range: place, text: shortPlace)) }
    return false
  }

  /// Puts a line end in place of a space.
  private mutating func startLine(at offset: Int) {
    guard offset > 0, output[offset - 1] == UInt8(ascii: " ") else { return }
    edits.append(Edit(range: offset - 1..<offset, text: "\n" + indentation))
  }

  /// Whether a function's own name is shown in part, or had no room.
  private func isCut(_ short: String, of name: String, _ columns: Int) -> Bool {
    columns < FittedText.leastNameWidth || short.hasSuffix("…") && short != name
  }

  /// The spaces in front of the address that ends a range, if they align it.
  private func gap(in range: Range<Int>) -> Range<Int>? {
    var start = range.upperBound
    /// The bytes of a space that ends at `start`; of a page, it may be one that does not break.
    func space() -> Int {
      guard start > range.lowerBound else { return 0 }
      if [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(output[start - 1]) { return 1 }
      return output[range.lowerBound..<start].suffix(2).elementsEqual([0xc2, 0xa0]) ? 2 : 0
    }
    while space() > 0 { start -= space() }
    while start > range.lowerBound, space() == 0 { start -= 1 }
    let address = start
    guard output[address..<range.upperBound].starts(with: "0x".utf8) else { return nil }
    while space() > 0 { start -= space() }
    return start > range.lowerBound && start < address ? start..<address : nil
  }

  // MARK: Other lines

  /// - Parameter skipped: JSON, which is for programs; ascending.
  mutating func wrapOtherLines(skipping skipped: [Range<Int>]) {
    var skipped = skipped[...]
    var start = 0
    while start < output.count {
      let end = output[start...].firstIndex(of: UInt8(ascii: "\n")) ?? output.count
      let line = start..<(end > start && output[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)
      while let next = skipped.first, next.upperBound <= start { skipped.removeFirst() }
      let isSkipped = skipped.first.map { $0.overlaps(line) } ?? false
      if line.count > width, line.count <= Self.longestLine, !isSkipped,
        !frameLines.contains(start), columns(line, of: line) > width
      {
        edits.append(Edit(range: line, text: rows(of: text(line)).joined(separator: "\n")))
      }
      start = end + 1
    }
  }

  /// The header in JSON stays a line, and so does the field of a path, which is there to be copied.
  private func rows(of line: String) -> [String] {
    let value = line.drop { !$0.isWhitespace }.drop { $0.isWhitespace }
    if line.hasPrefix("{") || value.hasPrefix("/") { return [line] }
    func wrapped(_ text: String) -> [String] {
      StyledLine(text).rows(width: width).map(\.plain)
    }
    // The path of an image: its end says which file it is.
    guard line.drop(while: { $0 == " " }).hasPrefix("0x"), let end = line.firstRange(of: "> /")
    else { return wrapped(line) }
    let path = String(line[end.lowerBound...].dropFirst(2))
    var rows = wrapped(String(line[..<end.lowerBound]) + ">")
    let room = width - TerminalColumns.count(of: rows[rows.count - 1]) - 1
    if room >= Self.leastPathWidth {
      rows[rows.count - 1] += " " + FittedText.end(ofPath: path, columns: room)
    } else {
      rows.append(indentation + FittedText.end(ofPath: path, columns: width - Self.indent))
    }
    return rows
  }

  // MARK: Text

  private func lineRange(around range: Range<Int>) -> Range<Int> {
    let start = output[..<range.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end =
      output[range.lowerBound...].firstIndex {
        $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
      }
      ?? output.count
    return start..<end
  }

  private func text(_ range: Range<Int>) -> String {
    var filter = TerminalFilter()
    return String(decoding: filter.shown(Array(output[range])), as: UTF8.self)
  }

  /// The columns of a part of a line, where tabs lead to columns that 8 divides.
  private func columns(_ part: Range<Int>, of line: Range<Int>) -> Int {
    guard output[line.lowerBound..<part.upperBound].contains(UInt8(ascii: "\t")) else {
      return TerminalColumns.count(of: text(part))
    }
    func column(_ end: Int) -> Int {
      text(line.lowerBound..<end).reduce(0) { column, character in
        column + (character == "\t" ? 8 - column % 8 : TerminalColumns.count(of: character))
      }
    }
    return column(part.upperBound) - column(part.lowerBound)
  }
}

extension FittedText {
  /// The name of a function and its place in a source file, shortened so that `NAME (PLACE)` fits.
  ///
  /// - Parameter columns: the room of both, with the space and the parentheses.
  /// - Returns: no place if there is no room for it.
  static func frame(
    _ name: String, _ place: String?, columns: Int
  ) -> (name: String, place: String?) {
    // The place says more than the types in front of a name and its arguments.
    let placeWidth = place.map { TerminalColumns.count(of: $0) + 3 } ?? 0
    let narrow = max(leastNameWidth, columns - placeWidth)
    var short = function(name, columns: narrow, betweenWords: false)
    if short.hasSuffix("…"), short != name {
      // The name would end in its middle: rather the place begins later.
      let least = min(placeWidth, leastPlaceWidth + 3)
      let longer = function(
        name, columns: max(leastNameWidth, columns - least), betweenWords: false)
      short = longer.hasSuffix("…") ? function(name, columns: narrow) : longer
    }
    let room = columns - TerminalColumns.count(of: short) - 3
    guard room >= min(placeWidth - 3, leastPlaceWidth) else {
      return (function(name, columns: max(1, columns)), nil)
    }
    return (short, place.map { end(ofPath: $0, columns: max(1, room)) })
  }

  /// The columns that a name may take beside a long path.
  static let leastNameWidth = 12
  /// The columns of the end of a place that says something: `…t:18`.
  private static let leastPlaceWidth = 5
}
