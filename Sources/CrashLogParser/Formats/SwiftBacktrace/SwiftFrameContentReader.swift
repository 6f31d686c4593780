/// Reads what follows the address in a frame of a Swift backtrace:
/// `name [+ offset] [in image] [at file[:line[:column]]]`.
///
/// Names have ` in ` in them (`closure #1 in main`), and file names and paths may have anything.
struct SwiftFrameContentReader {
  let text: TextSource
  /// The names of the images of the report.
  let imageNames: Set<String>

  struct Content {
    var name: Range<Int>
    var offset: Int64?
    var image: Range<Int>?
    var location: Range<Int>?
  }

  /// The longest name that a file has on the systems that Swift runs on.
  private static let longestName = 255

  func read(_ range: Range<Int>) -> Content {
    let (start, end) = (range.lowerBound, range.upperBound)
    if let offset = offsetAndSeparator(from: start, to: end) {
      var content = Content(name: start..<offset.start, offset: offset.value)
      readImageAndLocation(from: offset.end, to: end, into: &content)
      return content
    }
    guard let image = imagePlace(from: start, to: end) else { return Content(name: range) }
    var content = Content(name: start..<image)
    readImageAndLocation(from: image, to: end, into: &content)
    return content
  }

  /// The first ` + N` behind which ` in `, ` at ` or nothing stands.
  private func offsetAndSeparator(
    from start: Int, to limit: Int
  ) -> (start: Int, end: Int, value: Int64)? {
    var place = start
    while place < limit {
      let sign = text[place + 1]
      if text[place] == Ascii.space, sign == Ascii.plus || sign == Ascii.minus,
        text[place + 2] == Ascii.space,
        let (value, end) = text.number(at: place + 3, limit: limit),
        end == limit || text.has(" in ", at: end, limit: limit)
          || text.has(" at ", at: end, limit: limit),
        let offset = Int64(exactly: value)
      {
        return (place, end, sign == Ascii.minus ? -offset : offset)
      }
      place += 1
    }
    return nil
  }

  /// Reads ` in image` and ` at location`.
  private func readImageAndLocation(from start: Int, to limit: Int, into content: inout Content) {
    var place = start
    if text.has(" in ", at: place, limit: limit) {
      let end = imageEnd(from: place + 4, to: limit)
      content.image = (place + 4)..<end
      place = end
    }
    if text.has(" at ", at: place, limit: limit) { content.location = (place + 4)..<limit }
  }

  /// Up to ` at `; behind the name of an image of the report, where one begins and ends there.
  private func imageEnd(from start: Int, to limit: Int) -> Int {
    var end = text.find(" at ", from: start, limit: limit) ?? limit
    let first = end
    while end - start <= Self.longestName {
      if imageNames.contains(text.string(start..<end)) { return end }
      if end == limit { break }
      end = text.find(" at ", from: end + 1, limit: limit) ?? limit
    }
    return first
  }

  /// The ` in ` before the image: the first behind which an image of the report is named, else the
  /// first behind which one word stands before ` at ` or the end.
  private func imagePlace(from start: Int, to limit: Int) -> Int? {
    var firstWord: Int?
    var search = start
    while let place = text.find(" in ", from: search, limit: limit) {
      let name = place + 4
      let nameEnd = text.find(" at ", from: name, limit: min(limit, name + Self.longestName + 4))
      let end = nameEnd ?? limit
      if end - name <= Self.longestName, imageNames.contains(text.string(name..<end)) {
        return place
      }
      if firstWord == nil, end > name,
        text.find(" ", from: name, limit: min(end, name + Self.longestName + 1)) == nil
      {
        firstWord = place
      }
      search = place + 1
    }
    return firstWord
  }

  /// Takes `file:line:column` apart. A file without a line is code that belongs to no line.
  func location(_ range: Range<Int>) -> (file: Range<Int>, line: Int, column: Int?) {
    guard let last = numberAtEnd(of: range) else { return (range, 0, nil) }
    guard let line = numberAtEnd(of: last.rest) else { return (last.rest, last.number, nil) }
    return (line.rest, line.number, last.number)
  }

  private func numberAtEnd(of range: Range<Int>) -> (rest: Range<Int>, number: Int)? {
    var place = range.upperBound
    while place > range.lowerBound, Ascii.isDigit(text[place - 1]) { place -= 1 }
    guard place - 1 > range.lowerBound, text[place - 1] == Ascii.colon,
      let (value, _) = text.number(at: place, limit: range.upperBound),
      let number = Int(exactly: value)
    else { return nil }
    return (range.lowerBound..<(place - 1), number)
  }
}
