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
/// Bugly's pages have number and image on one line, and perhaps the address, and the function on
/// the next:
///
/// ```text
/// 0	CoreFoundation
/// ___exceptionPreprocess + 164
/// ```
///
/// Source: for these, github.com/longitachi/ZLPhotoBrowser, issue 907.
///
/// Others have the place on a line of its own between the two: `Page.swift line 12`.
///
/// Source: for these, github.com/brave/browser-ios, issue 212.
///
/// Crashlytics' pages of 2013 have that, too, and dots that unfold more frames between number and
/// image: `7 ...    Page Kit  load_page + 450`.
///
/// Source: for these, github.com/uservoice/uservoice-ios-sdk, issue 130.
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
        let line = source.line(at: next)
        if let dots = source.dotsBeforeImage(line) {
          text.copy(copied..<dots.lowerBound)
          copied = dots.upperBound
        }
        next = line.next
        continue
      }
      count += 1
      let hasAddress = source.endsWithAddress(cells[0])
      // The name of the image may have blanks in it.
      if !hasAddress, let blank = source.blankBeforeImage(cells) {
        text.copy(copied..<blank.lowerBound)
        text.put(" | ".utf8, for: blank)
        copied = blank.upperBound
      }
      for (cell, below) in zip(cells, cells.dropFirst()) {
        text.copy(copied..<cell.end)
        text.put((hasAddress ? " " : " | ").utf8, for: cell.end..<below.start)
        copied = below.start
      }
      next = last.next
    }
    guard count >= Self.fewestFrames else { return nil }
    text.copy(copied..<source.count)
    return text
  }

  /// Whether the first place in a part of a text is on a line of its own below the number of a
  /// frame and its image: these are read as frames without functions.
  static func hasPlaces(_ source: TextSource, _ part: Range<Int>) -> Bool {
    guard let words = source.find(" line ", from: part.lowerBound, limit: part.upperBound),
      let above = source.lineAbove(source.line(at: source.lineStart(of: words)))
    else { return false }
    return source.frameCells(at: above.start).count == 3
  }
}

extension TextSource {
  /// The lines of one frame: its number, the image, perhaps a place, the function. Empty if there
  /// is none.
  fileprivate func frameCells(at offset: Int) -> [TextLine] {
    let number = line(at: offset)
    let digits = trimmed(number.start..<number.end)
    guard !digits.isEmpty, Ascii.isDigit(self[digits.lowerBound]) else { return [] }
    guard digits.count <= 3, bytes[digits].allSatisfy(Ascii.isDigit) else {
      if let cells = placedFunctionBelow(number, digits) { return [number] + cells }
      return functionBelow(number, digits).map { [number, $0] } ?? []
    }
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

  /// The lines with the place and the function below one with the number of a frame and its image:
  ///
  /// ```text
  /// 1	Page Kit
  /// Page.swift line 12
  /// Page.load() -> ()
  /// ```
  private func placedFunctionBelow(_ line: TextLine, _ range: Range<Int>) -> [TextLine]? {
    guard range.count < 80, line.next < count else { return nil }
    var image = range.lowerBound
    while image < range.upperBound, Ascii.isDigit(self[image]) { image += 1 }
    guard image - range.lowerBound <= 3, image < range.upperBound,
      separatorLength(at: image, limit: range.upperBound) > 0
    else { return nil }
    let place = self.line(at: line.next)
    guard isPlaceInWords(place), place.next < count else { return nil }
    let function = self.line(at: place.next)
    let name = trimmed(function.start..<function.end)
    guard !name.isEmpty, name.count < 1000, !Ascii.isDigit(self[name.lowerBound]),
      !has("```", at: name.lowerBound, limit: name.upperBound)
    else { return nil }
    return [place, function]
  }

  /// `...` between the number of a frame and its image, if both are on one line with the function.
  fileprivate func dotsBeforeImage(_ line: TextLine) -> Range<Int>? {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard Ascii.isDigit(self[start]), let number = number(at: start, limit: line.end) else {
      return nil
    }
    let dots = skipSeparators(from: number.end, limit: line.end)
    return dots > number.end && has("... ", at: dots, limit: line.end) ? dots..<dots + 4 : nil
  }

  /// What is between the number of a frame and its image, if both are on one line.
  fileprivate func blankBeforeImage(_ cells: [TextLine]) -> Range<Int>? {
    var end = skipSeparators(from: cells[0].start, limit: cells[0].end)
    while end < cells[0].end, Ascii.isDigit(self[end]) { end += 1 }
    let image = skipSeparators(from: end, limit: cells[0].end)
    return image < cells[0].end ? end..<image : nil
  }

  /// `Page.swift line 12`.
  private func isPlaceInWords(_ cell: TextLine) -> Bool {
    let range = trimmed(cell.start..<cell.end)
    guard range.count < 160, Ascii.isDigit(self[range.upperBound - 1]),
      let words = find(" line ", from: range.lowerBound, limit: range.upperBound)
    else { return false }
    let file = bytes[range.lowerBound..<words]
    return bytes[words + 6..<range.upperBound].allSatisfy(Ascii.isDigit)
      && file.contains(UInt8(ascii: ".")) && !file.contains(Ascii.space)
  }

  /// The line with the function below one with the number of a frame and its image, and perhaps its
  /// address. Nil if these are something else.
  private func functionBelow(_ line: TextLine, _ range: Range<Int>) -> TextLine? {
    guard range.count < 160, line.next < count else { return nil }
    var number = range.lowerBound
    while number < range.upperBound, Ascii.isDigit(self[number]) { number += 1 }
    let image = skipSeparators(from: number, limit: range.upperBound)
    guard number - range.lowerBound <= 3, image > number, image < range.upperBound else {
      return nil
    }
    let below = self.line(at: line.next)
    let name = trimmed(below.start..<below.end)
    guard !name.isEmpty, name.count < 1000, !Ascii.isDigit(self[name.lowerBound]) else {
      return nil
    }
    // A place may follow in brackets.
    let place = find(" (", from: name.lowerBound, limit: name.upperBound)
    let isPlaced =
      self[name.upperBound - 1] == UInt8(ascii: ")")
      && place.map { endsWithOffset(TextLine(start: below.start, end: $0, next: below.next)) }
        == true
    let isWhole = isPlaced || endsWithOffset(below) || isFunction(below)
    // Right behind a call that never returns, a name of C has no number.
    let isName = bytes[name].allSatisfy { Ascii.isWord($0) || "_$.".utf8.contains($0) }
    let isOne =
      isWhole
      || isName
        && (self[name.lowerBound] == UInt8(ascii: "_") && isLast(below, hasImages: true)
          || isFollowed(below, by: line, number..<image))
    // An image is one word, before its address.
    var end = image
    while end < range.upperBound, separatorLength(at: end, limit: range.upperBound) == 0 {
      end += 1
    }
    return isOne && (end == range.upperBound || endsWithAddress(line)) ? below : nil
  }

  /// Whether an address is the last word of a line.
  fileprivate func endsWithAddress(_ line: TextLine) -> Bool {
    let end = trimEnd(from: line.start, to: line.end)
    var start = end
    while start > line.start, end - start < 19, self[start - 1] > Ascii.space { start -= 1 }
    return has("0x", at: start, limit: end) && hexadecimal(at: start, limit: end)?.end == end
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

  /// Whether the table ends below a cell, or goes on with the number of a frame, with its image
  /// behind it in tables that have both on one line.
  private func isLast(_ cell: TextLine, hasImages: Bool = false) -> Bool {
    guard cell.next < count else { return true }
    let below = line(at: cell.next)
    let text = trimmed(below.start..<below.end)
    return text.isEmpty || has("```", at: text.lowerBound, limit: text.upperBound)
      || (hasImages || text.count < 4 && bytes[text].allSatisfy(Ascii.isDigit))
        && Ascii.isDigit(self[text.lowerBound])
  }

  /// Whether the table goes on below a cell with the number behind that of a frame, or ends there:
  /// of a table with columns, names have nothing else that shows what they are.
  private func isFollowed(_ cell: TextLine, by frame: TextLine, _ blank: Range<Int>) -> Bool {
    guard blank.count > 1 || bytes[blank].contains(Ascii.tab),
      let own = number(
        at: skipSeparators(from: frame.start, limit: frame.end), limit: frame.end)?.value
    else { return false }
    guard cell.next < count else { return true }
    let below = line(at: cell.next)
    let start = skipSeparators(from: below.start, limit: below.end)
    guard let next = number(at: start, limit: below.end) else {
      return isLast(cell) && own > 0
    }
    return next.value > own && next.value - own == 1
      && separatorLength(at: next.end, limit: below.end) > 0
  }

  /// Whether ` + 12` is at the end.
  private func endsWithOffset(_ line: TextLine) -> Bool {
    var position = trimEnd(from: line.start, to: line.end)
    let end = position
    while position > line.start, Ascii.isDigit(self[position - 1]) { position -= 1 }
    return position < end && has(" + ", at: position - 3, limit: end)
  }
}

/// Which columns of a table of Markdown have what of a frame.
struct FrameTable {
  struct Row {
    let index: Range<Int>
    let image: Range<Int>
    let address: Range<Int>?
    let function: Range<Int>
  }

  private let image: Int
  private let address: Int?
  private let function: Int

  /// Nil if a table with these titles has no frames with numbers, images and functions.
  init?(_ titles: [Range<Int>], _ source: TextSource) {
    let words = titles.map { source.string($0.prefix(64)).lowercased() }
    func column(_ names: [String]) -> Int? {
      words.firstIndex { word in names.contains { word.firstRange(of: $0) != nil } }
    }
    guard let first = words.first, ["#", "frame", "index", "no", "no.", "idx"].contains(first),
      let image = column(["image", "binary", "module", "library", "framework"]),
      let function = column(["symbol", "function", "method"]), image > 0, function > 0,
      image != function
    else { return nil }
    self.image = image
    self.function = function
    let address = column(["address"])
    self.address = address == image || address == function ? nil : address
  }

  /// Nil for the rule below the titles, and where a cell is missing.
  func row(_ cells: [Range<Int>], _ source: TextSource) -> Row? {
    guard cells.count > max(image, function), let first = cells.first else { return nil }
    let index = first.drop { source[$0] == UInt8(ascii: "#") }
    guard !index.isEmpty, index.count < 5, index.allSatisfy({ Ascii.isDigit(source[$0]) }),
      !cells[image].isEmpty, !cells[function].isEmpty
    else { return nil }
    let place = address.flatMap { column -> Range<Int>? in
      guard column < cells.count else { return nil }
      let digits = cells[column].drop { source[$0] == UInt8(ascii: "`") }
      return source.has("0x", at: digits.lowerBound, limit: digits.upperBound) ? cells[column] : nil
    }
    return Row(index: index, image: cells[image], address: place, function: cells[function])
  }
}
