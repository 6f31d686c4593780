import JsonReading
package import ReportModel
import SymbolicationModel

// Which program printed what a text shows.
extension TextSource {
  /// Who wrote the lines right above one, as the heads of a log there say, or the command line of a
  /// program in its bundle. Nil if nobody is named, or several are.
  ///
  /// - Complexity: looks at 16 lines, up to the first that is long.
  package func writer(above line: TextLine, floor: Int) -> ReportFacts.ProcessReference? {
    var current = line
    var found: ReportFacts.ProcessReference?
    for _ in 0..<16 {
      guard let above = lineAbove(current), above.start >= floor, above.end - above.start < 4096
      else { break }
      current = above
      let range = trimmed(above.start..<above.end)
      // The head begins with the time.
      if let first = bytes[range].first, Ascii.isDigit(first), let message = logHeadEnd(range),
        let writer = logWriter(range, before: message)
      {
        if let found, found.name != writer.name { return nil }
        found = found ?? writer
      } else if found == nil, let name = bundleProgram(range) {
        return ReportFacts.ProcessReference(name: name, identifier: nil)
      }
    }
    return found
  }

  /// `Board` of a line with `/Board.app/Contents/MacOS/Board`, and maybe arguments.
  private func bundleProgram(_ range: Range<Int>) -> String? {
    let folder = ".app/Contents/MacOS/"
    guard let start = find(folder, from: range.lowerBound, limit: range.upperBound) else {
      return nil
    }
    let rest = start + folder.utf8.count..<range.upperBound
    let name = bytes[rest].prefix { $0 > Ascii.space }
    guard !name.isEmpty, name.count < 64,
      name.allSatisfy({ !"/'\"`:;|&<>()".utf8.contains($0) })
    else { return nil }
    return string(name.startIndex..<name.endIndex)
  }
}
