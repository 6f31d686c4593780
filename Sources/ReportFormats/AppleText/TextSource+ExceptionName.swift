import JsonReading
package import ReportModel
import SymbolicationModel

extension TextSource {
  /// The name of an exception in the sentences around a line: `This is an NSRangeException`. Nil if
  /// there is none, or if there are several.
  ///
  /// - Complexity: looks at 8 lines, and at 4 kB of each.
  package func exceptionName(around line: TextLine) -> String? {
    var lines: [TextLine] = []
    var current = line
    for _ in 0..<4 {
      guard let above = lineAbove(current) else { break }
      lines.append(above)
      current = above
    }
    var next = line.next
    for _ in 0..<4 where next < count {
      let below = self.line(at: next)
      lines.append(below)
      next = below.next
    }
    var found: String?
    for line in lines {
      var next = line.start
      let limit = min(line.end, line.start + 4096)
      while let end = find("Exception", from: next, limit: limit) {
        next = end + 9
        var start = end
        while start > line.start, Ascii.isWord(self[start - 1]) { start -= 1 }
        let name = string(start..<next)
        guard name.hasPrefix("NS"), name.utf8.count > 12, !Ascii.isWord(self[next]) else {
          continue
        }
        if let found, found != name { return nil }
        found = name
      }
    }
    return found
  }
}
