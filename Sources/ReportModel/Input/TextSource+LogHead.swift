import JsonReading
import SymbolicationModel

extension TextSource {
  /// A line without what a log puts in front of it, if that is the same as above but for digits.
  ///
  /// - Parameter head: what is in front of the line above.
  package func withoutHead(like head: Range<Int>, _ line: Range<Int>) -> Range<Int> {
    guard !head.isEmpty, line.count > head.count else { return line }
    let isSame = zip(bytes[head], bytes[line]).allSatisfy {
      $0 == $1 || Ascii.isDigit($0) && Ascii.isDigit($1)
    }
    return isSame ? trimmed(line.lowerBound + head.count..<line.upperBound) : line
  }

  /// Where the message begins that a log puts process and number in front of: `2023-05-01
  /// 10:00:00.000000+0200 App[1234:56789] `.
  package func logHeadEnd(_ range: Range<Int>) -> Int? {
    if let columns = consoleColumns(range) { return columns.message }
    let limit = min(range.upperBound, range.lowerBound + 120)
    let ends = ["] ", "]: "].compactMap { find($0, from: range.lowerBound, limit: limit) }
    guard let close = ends.min() else { return nil }
    var open = close
    while open > range.lowerBound,
      Ascii.isDigit(self[open - 1]) || self[open - 1] == Ascii.colon
        || hexadecimalDigitValue(self[open - 1]) != nil
    {
      open -= 1
    }
    guard open < close, open - 1 > range.lowerBound, self[open - 1] == Ascii.openBracket,
      separatorLength(at: open - 2, limit: open) == 0
    else { return nil }
    // Of syslog: `Jan  2 10:00:00 host App[1234]: `.
    let end = self[close + 1] == Ascii.colon ? close + 3 : close + 2
    return skipSeparators(from: end, limit: range.upperBound)
  }

  /// Who wrote a message: `Letter Game` and 1234 of `2023-05-01 10:00:00.000000+0200 Letter
  /// Game[1234:56789] `. Nil if something else is in front of the message.
  ///
  /// - Parameter message: where the message begins.
  package func logWriter(_ line: Range<Int>, before message: Int) -> ReportFacts.ProcessReference? {
    if let columns = consoleColumns(line) {
      return columns.message == message
        ? ReportFacts.ProcessReference(name: string(columns.process), identifier: nil) : nil
    }
    guard let head = logHeadEnd(line), head <= message,
      head == message || isCategory(head..<message),
      let open = bytes[line.lowerBound..<head].lastIndex(of: Ascii.openBracket)
    else { return nil }
    // The name may have blanks in it, and begins behind the time.
    let words = string(line.lowerBound..<open).split(separator: " ")
    let time = words.lastIndex { $0.first?.isNumber == true && $0.contains(":") }
    // Syslog has the name of the computer behind the time.
    let isOfSyslog =
      find("]: ", from: open, limit: head) != nil || self[head] == UInt8(ascii: "<")
    let name =
      time.map { time in
        // The log of a device has more columns: the zone of the time, the kind, and numbers.
        let names = words[(time + 1)...].drop { word in
          word.hasPrefix("0x") || Self.kindsOfConsole.contains(word.lowercased())
            || word.utf8.count == 5 && (word.hasPrefix("+") || word.hasPrefix("-"))
              && word.dropFirst().allSatisfy(\.isNumber)
        }
        return (isOfSyslog && names.count > 1 ? names.dropFirst() : names).joined(separator: " ")
      } ?? words.last.map { String($0) }
    guard let name, !name.isEmpty else { return nil }
    let number = decimal(at: open + 1, limit: head)?.value
    return ReportFacts.ProcessReference(
      name: withoutWritingLibrary(name), identifier: number.flatMap { Int(exactly: $0) })
  }

  /// `Board` of `Board(libMainThreadChecker.dylib)`, as the log of a device has it.
  private func withoutWritingLibrary(_ name: String) -> String {
    guard name.last == ")", let open = name.lastIndex(of: "("), open > name.startIndex else {
      return name
    }
    return String(name[..<open])
  }

  /// Whether what is behind the head of a log is the category of a message (`[reports] `) or its
  /// level (`<Error>: `).
  package func isCategory(_ range: Range<Int>) -> Bool {
    guard range.count > 3, range.count < 64, self[range.upperBound - 1] == Ascii.space else {
      return false
    }
    let word = trimmed(range)
    return self[word.lowerBound] == Ascii.openBracket
      ? self[word.upperBound - 1] == Ascii.closeBracket
      : self[word.lowerBound] == UInt8(ascii: "<")
        && has(">:", at: word.upperBound - 2, limit: word.upperBound)
  }

  /// The process and the start of the message in a line that somebody copied from Console, which
  /// has columns for the kind, the time, the process and the message, and maybe for the subsystem
  /// in front of them:
  ///
  /// ```text
  /// default\t16:21:55.589337 -0400\tBoard\tAn uncaught exception was raised
  /// com.apple.xpc\tdefault\t22:12:56.307878+0200\tBoard\tactivating connection
  /// ```
  ///
  /// Nil for other lines. Source: github.com/insidegui/PodcastMenu, issue 28; canonical/multipass,
  /// issue 5072.
  private func consoleColumns(_ range: Range<Int>) -> (process: Range<Int>, message: Int)? {
    let limit = min(range.upperBound, range.lowerBound + 200)
    guard Ascii.isLowercase(self[range.lowerBound]),
      var tab = bytes[range.lowerBound..<limit].firstIndex(of: Ascii.tab)
    else { return nil }
    var kind = range.lowerBound..<tab
    if !isKindOfConsole(kind) {
      guard let next = bytes[(tab + 1)..<limit].firstIndex(of: Ascii.tab) else { return nil }
      kind = tab + 1..<next
      tab = next
      guard isKindOfConsole(kind) else { return nil }
    }
    guard let zone = bytes[(tab + 1)..<limit].firstIndex(of: Ascii.tab),
      Ascii.isDigit(self[tab + 1]), bytes[(tab + 1)..<zone].contains(Ascii.colon),
      let end = bytes[(zone + 1)..<limit].firstIndex(of: Ascii.tab), end > zone + 1
    else { return nil }
    return (zone + 1..<end, end + 1)
  }

  private func isKindOfConsole(_ range: Range<Int>) -> Bool {
    Self.kindsOfConsole.contains {
      range.count == $0.utf8.count && has($0, at: range.lowerBound, limit: range.upperBound)
    }
  }

  private static let kindsOfConsole = ["default", "debug", "error", "fault", "info"]
}

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

  /// Who wrote the log below a line: nobody else has a line there, and at least two are. Nil if it
  /// is a part of the system, which writes about the crashes of others.
  ///
  /// - Complexity: looks at 24 lines, up to the first that is long.
  package func writer(below line: TextLine) -> ReportFacts.ProcessReference? {
    var found: ReportFacts.ProcessReference?
    var (next, count) = (line.next, 0)
    for _ in 0..<24 where next < self.count {
      let below = self.line(at: next)
      next = below.next
      guard below.end - below.start < 4096 else { break }
      let range = trimmed(below.start..<below.end)
      guard let first = bytes[range].first, Ascii.isDigit(first), let message = logHeadEnd(range),
        let writer = logWriter(range, before: message)
      else { continue }
      if let found, found != writer { return nil }
      (found, count) = (writer, count + 1)
    }
    guard count > 1, let found, found.identifier != nil,
      !Self.reporters.contains(found.name ?? "")
    else { return nil }
    return found
  }

  /// Source: the logs of devices that people show of the crashes of their apps.
  private static let reporters: Set = [
    "ReportCrash", "SpringBoard", "kernel", "launchd", "runningboardd", "assertiond", "backboardd",
    "osanalyticshelper", "symptomsd", "UserEventAgent", "xpcproxy", "CommCenter", "Console",
    "diagnosticd", "logd", "syslogd", "lockdownd", "xcodebuild", "Xcode", "debugserver",
  ]

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
