import ReportSymbolication
import SymbolicationModel
import Wording

/// What UIKit says about an update of a list that does not fit its data is longer than a headline,
/// and the list itself stands at its end:
///
/// ```text
/// Invalid update: invalid number of rows in section 0.  The number of rows contained in an
/// existing section after the update (3) must be equal to … before the update (2), plus or minus …
/// (0 inserted, 0 deleted) and plus or minus … (0 moved in, 0 moved out). Table view: <UITableView:
/// ```
///
/// Source: the format strings of UITableView and UICollectionView, as people show them
/// (github.com/ChatSecure/ChatSecure-iOS, issue 136; layerhq/Atlas-iOS, issue 1116).
extension String {
  /// A long reason with the middle left out, if what caused the exception stands at its end: that
  /// says more, and a headline has room for it then. Other texts stay as they are.
  var withCauseKept: String {
    guard utf8.count > 200, let mark = ranges(of: ", caused by ").last,
      utf8.distance(from: mark.lowerBound, to: endIndex) < 400
    else { return self }
    return shortened(String(self[..<mark.lowerBound]), to: 100) + self[mark.lowerBound...]
  }

  /// `Invalid update: invalid number of rows in section 0: 3 after the update, 2 before, 0
  /// inserted, 0 deleted, 0 moved in, 0 moved out; UITableView`. Other texts stay as they are.
  var withShortListUpdate: String {
    guard hasBytes(of: "nvalid number of "),
      let start = firstRange(of: Self.listSentence), start.lowerBound > startIndex
    else { return self }
    let kind = self[..<start.lowerBound]
    var parts: [String] = []
    var rest = self[start.upperBound...].prefix(Self.longestSentence)
    while parts.count < 4, let open = rest.firstIndex(of: "("),
      let close = rest[open...].firstIndex(of: ")")
    {
      let words = rest[rest.index(after: open)..<close]
      guard words.first?.isNumber == true, words.utf8.count < 64 else { break }
      parts.append(String(words))
      rest = rest[rest.index(after: close)...]
      // The sentence ends behind a bracket.
      if parts.count > 2, rest.first == "." { break }
    }
    guard parts.count > 1 else { return self }
    let numbers = ["\(parts[0]) after the update", "\(parts[1]) before"] + parts[2...]
    let list = rest.className.map { "; \($0)" } ?? ""
    let title = kind.reversed().drop { $0 == "." || $0 == " " }.reversed()
    return "\(String(title)): \(numbers.joined(separator: ", "))\(list)"
  }

  private static let listSentence = " The number of "
  private static let longestSentence = 1024
}

extension Substring {
  /// `Board.DeckView` of `. Collection view: <Board.DeckView: 0x12003c000; baseClass = …`.
  fileprivate var className: String? {
    guard let mark = firstRange(of: " view: <")?.upperBound else { return nil }
    let name = self[mark...].prefix { $0 != ":" && $0 != ";" && $0 != ">" }
    return name.isEmpty || name.utf8.count > 96 || name.contains(" ") ? nil : String(name)
  }
}
