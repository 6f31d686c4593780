import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// An exception that nobody caught in Java, Kotlin or Scala, with its stack and what caused it:
///
/// ```text
/// Exception in thread "main" java.lang.ExceptionInInitializerError
/// \tat com.example.board.Window.show(Window.java:24)
/// \tat com.example.board.Main.main(Main.java:9)
/// Caused by: java.lang.IllegalStateException: not on the main thread
/// \t... 2 more
/// ```
///
/// Source: OpenJDK, java.base/share/classes/java/lang/Throwable.java (`printStackTrace`).
extension StatementReading {
  /// Takes the class of the exception, what it says, the innermost function, and the last of the
  /// causes in the lines below. A line without a stack below it is prose.
  mutating func takeJavaException(_ match: LineMatch, _ line: TextLine) -> Bool {
    guard facts.exception.name == nil, let range = match[.message],
      let thrown = source.javaThrowable(range)
    else { return false }
    var next = line.next
    var frame: StackFrame?
    var cause: (name: String, reason: String?)?
    var count = 0
    while next < source.count, count < Self.javaLineLimit {
      let below = source.line(at: next)
      let text = source.trimmed(below.start..<below.end, leading: " \t>", trailing: " \t")
      guard text.count < 4096 else { break }
      if source.has("at ", at: text.lowerBound, limit: text.upperBound) {
        // What Java brings along is no place, unless nothing else is there.
        if frame.map(Self.isOfJava) ?? true, let found = source.javaFrame(text, below),
          frame == nil || !Self.isOfJava(found)
        {
          frame = found
        }
      } else if source.has("Caused by: ", at: text.lowerBound, limit: text.upperBound) {
        cause = source.javaThrowable(text.lowerBound + 11..<text.upperBound) ?? cause
      } else if !source.has("... ", at: text.lowerBound, limit: text.upperBound), frame != nil {
        break
      } else if count > 3 {
        break
      }
      count += 1
      next = below.next
    }
    guard let frame else { return false }
    skipEnd = max(skipEnd, next)
    facts.exception.name = thrown.name
    let words = [
      thrown.reason, cause.map { "caused by \($0.name)\($0.reason.map { ": \($0)" } ?? "")" },
    ].compactMap(\.self)
    facts.exception.reason = words.isEmpty ? nil : words.joined(separator: ", ")
    if innermost == nil { innermost = frame }
    if facts.process.name == nil {
      facts.process.name = source.writer(above: line, floor: source.textStart)?.name ?? "java"
    }
    return true
  }

  private static let javaLineLimit = 1000

  private static func isOfJava(_ frame: StackFrame) -> Bool {
    frame.symbol.map { symbol in
      ["java.", "javax.", "jdk.", "sun.", "com.sun.", "kotlin."].contains {
        symbol.name.hasPrefix($0)
      }
    } ?? false
  }
}

extension TextSource {
  /// `java.lang.IllegalStateException` and `not on the main thread`, which may be missing. Nil if
  /// these are other words.
  fileprivate func javaThrowable(_ range: Range<Int>) -> (name: String, reason: String?)? {
    let name = bytes[range].prefix { Ascii.isWord($0) || ".$_".utf8.contains($0) }
    guard name.contains(UInt8(ascii: ".")), name.count < 256 else { return nil }
    let rest = trimmed(name.endIndex..<range.upperBound)
    if rest.isEmpty { return (string(name.startIndex..<name.endIndex), nil) }
    guard self[name.endIndex] == Ascii.colon else { return nil }
    let reason = trimmed(name.endIndex + 1..<range.upperBound)
    return (string(name.startIndex..<name.endIndex), reason.isEmpty ? nil : string(reason))
  }

  /// The frame of `at com.example.board.Window.show(Window.java:24)`, or of `at
  /// java.base/java.util.List.of(List.java:24)`.
  fileprivate func javaFrame(_ text: Range<Int>, _ line: TextLine) -> StackFrame? {
    guard let open = find("(", from: text.lowerBound, limit: text.upperBound),
      self[text.upperBound - 1] == UInt8(ascii: ")")
    else { return nil }
    // In front of the class may be its module.
    let slash = bytes[text.lowerBound..<open].lastIndex(of: Ascii.slash)
    let name = (slash.map { $0 + 1 } ?? text.lowerBound + 3)..<open
    guard bytes[name].contains(UInt8(ascii: ".")), bytes[name].allSatisfy({ $0 > Ascii.space })
    else { return nil }
    var symbol = FrameSymbol(name: string(name))
    let place = open + 1..<text.upperBound - 1
    if let colon = bytes[place].lastIndex(of: Ascii.colon),
      let (number, end) = decimal(at: colon + 1, limit: place.upperBound), end == place.upperBound
    {
      symbol.file = string(place.lowerBound..<colon)
      symbol.line = number.flatMap { Int(exactly: $0) }
    }
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = 0
    values.symbol = symbol
    return StackFrame(address: nil, carrier: .values(values))
  }
}
