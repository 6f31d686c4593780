import JsonReading
import ReportModel

/// Reads what follows the address in a frame of a Swift backtrace:
/// `name [+ offset] [in image] [at file[:line[:column]]]`.
///
/// Function names may contain ` in ` (`closure #1 in main`); file names and paths may contain
/// anything.
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

  /// The longest file name, in bytes, on the systems that Swift supports.
  private static let longestName = 255

  func read(_ range: Range<Int>) -> Content {
    let (start, end) = (range.lowerBound, range.upperBound)
    if let offset = offsetAndSeparator(from: start, to: end) {
      var content = Content(name: start..<offset.start, offset: offset.value)
      readImageAndLocation(from: offset.end, to: end, into: &content)
      return content
    }
    guard let image = imagePlace(from: start, to: end) else {
      // People leave the image out, too.
      guard let place = placeAtEnd(from: start, to: end) else { return Content(name: range) }
      return Content(name: start..<place - 4, location: place..<end)
    }
    // Somebody left the number out.
    let gap = [" + …", " + ..."].first { sign in
      image - sign.utf8.count > start && text.has(sign, at: image - sign.utf8.count, limit: image)
    }
    var content = Content(name: start..<image - (gap?.utf8.count ?? 0))
    readImageAndLocation(from: image, to: end, into: &content)
    return content
  }

  /// The first ` + N` that is followed by ` in `, ` at ` or nothing.
  private func offsetAndSeparator(
    from start: Int, to limit: Int
  ) -> (start: Int, end: Int, value: Int64)? {
    var position = start
    while position < limit {
      let sign = text[position + 1]
      if text[position] == Ascii.space, sign == Ascii.plus || sign == Ascii.minus,
        text[position + 2] == Ascii.space,
        let (value, end) = text.number(at: position + 3, limit: limit),
        end == limit || text.has(" in ", at: end, limit: limit)
          || text.has(" at ", at: end, limit: limit),
        let offset = Int64(exactly: value)
      {
        return (position, end, sign == Ascii.minus ? -offset : offset)
      }
      position += 1
    }
    return nil
  }

  /// Reads ` in image` and ` at location`.
  private func readImageAndLocation(from start: Int, to limit: Int, into content: inout Content) {
    var position = start
    if text.has(" in ", at: position, limit: limit) {
      let end = imageEnd(from: position + 4, to: limit)
      content.image = (position + 4)..<end
      position = end
    }
    if text.has(" at ", at: position, limit: limit) { content.location = (position + 4)..<limit }
  }

  /// The end of the image name: the end of the name of one of the report's images if one is there,
  /// otherwise the next ` at `.
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

  /// The ` in ` before the image: the first that is followed by the name of one of the report's
  /// images. Failing that, the first that is followed by a single word and then ` at ` or the end.
  private func imagePlace(from start: Int, to limit: Int) -> Int? {
    var firstWord: Int?
    var search = start
    while let position = text.find(" in ", from: search, limit: limit) {
      let name = position + 4
      let nameEnd = text.find(" at ", from: name, limit: min(limit, name + Self.longestName + 4))
      let end = nameEnd ?? limit
      if end - name <= Self.longestName, imageNames.contains(text.string(name..<end)) {
        return position
      }
      if firstWord == nil, end > name,
        text.find(" ", from: name, limit: min(end, name + Self.longestName + 1)) == nil
      {
        firstWord = position
      }
      search = position + 1
    }
    return firstWord
  }

  /// Where the place begins that is behind the last ` at `, and ends with a line.
  private func placeAtEnd(from start: Int, to limit: Int) -> Int? {
    guard Ascii.isDigit(text[limit - 1]) else { return nil }
    var found: Int?
    var search = start
    while let position = text.find(" at ", from: search, limit: limit) {
      (found, search) = (position + 4, position + 4)
    }
    return found.flatMap { place in
      place - 4 > start && location(place..<limit).line > 0 ? place : nil
    }
  }

  /// Splits `file:line:column`. A file without a line means code that belongs to no line.
  func location(_ range: Range<Int>) -> (file: Range<Int>, line: Int, column: Int?) {
    guard let last = numberAtEnd(of: range) else { return (range, 0, nil) }
    guard let line = numberAtEnd(of: last.rest) else { return (last.rest, last.number, nil) }
    return (line.rest, line.number, last.number)
  }

  private func numberAtEnd(of range: Range<Int>) -> (rest: Range<Int>, number: Int)? {
    var position = range.upperBound
    while position > range.lowerBound, Ascii.isDigit(text[position - 1]) { position -= 1 }
    guard position - 1 > range.lowerBound, text[position - 1] == Ascii.colon,
      let (value, _) = text.number(at: position, limit: range.upperBound),
      let number = Int(exactly: value)
    else { return nil }
    return (range.lowerBound..<(position - 1), number)
  }
}
