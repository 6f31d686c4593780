import JsonReading
import ReportFormats
public import ReportModel
import SymbolicationModel

extension TraceGrammar {
  /// Of the package swift-backtrace, which servers in Swift used on Linux before Swift 5.9 could
  /// print backtraces itself:
  ///
  /// ```text
  /// Received signal 11. Backtrace:
  /// 0x55e176770a77, Backtrace.printBacktrace(signal: Swift.Int32) -> () at /src/Backtrace.swift:66
  /// 0x7f984567c51f
  /// 0x55e177706312, App.Page.load() -> () at /src/App/Page.swift:7
  /// ```
  ///
  /// Versions before 1.3 have no line above the frames. Those that Swift's optimizer shortened
  /// begin with bare addresses. libbacktrace gives the addresses of the calls.
  ///
  /// Source: github.com/swift-server/swift-backtrace, Sources/Backtrace/Backtrace.swift.
  static let swiftServer = TraceGrammar(
    format: .swiftServerBacktrace, firstBytes: "0R",
    frames: [
      LinePattern("{address}{:}, {symbol} at {file}:{line}{:}"),
      LinePattern("{address}{:}, {symbol}{:}"),
      LinePattern("{address}{:}{:}"),
    ],
    lines: [
      TraceLine(
        .thread(isCrashed: true), "Received signal {signal:d}. Backtrace:", isSign: true)
    ],
    traits: Traits(
      addressKind: .programCounter, looseLimit: 2, hasLastWords: true,
      sign: { frame, source in
        guard let symbol = frame[.symbol] else { return .none }
        let isHandler = ownStarts.contains {
          source.has($0, at: symbol.lowerBound, limit: symbol.upperBound)
        }
        // The result of a function of Swift is in its name.
        let isOfSwift =
          frame[.line] != nil
          && source.find(" -> ", from: symbol.lowerBound, limit: symbol.upperBound) != nil
        return isHandler ? .trace : isOfSwift ? .traceIfMoreFollow : .none
      }))

  private static let ownStarts = [
    "Backtrace.", "closure #1 (Swift.Int32) -> () in static Backtrace.Backtrace.install(",
  ]

  /// Whether an address and a comma begin a line: `0x55e176770a77, `. Arrays of bytes and words
  /// begin alike, with shorter numbers.
  static func beginsAsSwiftServer(_ first: Int, _ end: Int, _ source: TextSource) -> Bool {
    var position = first + 2
    while position < end, hexadecimalDigitValue(source[position]) != nil { position += 1 }
    let name = position + 2
    guard (9...16).contains(position - first - 2), source.has(", ", at: position, limit: end),
      source[name] != Ascii.zero
    else { return false }
    // A place, or the function of the handler: others begin no trace.
    return source.find(" at ", from: name, limit: min(end, name + 2048)) != nil
      || source.find("Backtrace.", from: name, limit: min(end, name + 96)) != nil
  }
}

extension ReportFormat {
  /// What the package swift-backtrace prints on Linux.
  public static let swiftServerBacktrace = trace(
    "swiftServerBacktrace", "a backtrace of the package swift-backtrace",
    TraceFrameWriter(named: ", {function}", placed: ", {function} at {file}:{line}"))
}
