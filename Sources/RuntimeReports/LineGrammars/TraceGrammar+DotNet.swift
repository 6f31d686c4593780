import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

// Stacks of managed code, whose frames have no addresses.
extension TraceGrammar {
  /// Of .NET, Mono and Unity, below the exception:
  ///
  /// ```text
  /// System.InvalidOperationException: no page
  ///   at Game.Board.Turn(Int32 page) in /src/Board.cs:line 12
  ///   at Game.Board.Turn (System.Int32 page) [0x00007] in /src/Board.cs:12
  ///   at Game.Board.Turn () [0x00000] in <filename unknown>:0
  ///   at Game.Board.Turn () <0x10043b09c + 0x0001b> in <39f820e7eeb24192>:0
  ///   at UIKit.UIApplication.Main(String[] args)
  /// ```
  ///
  /// Source: github.com/dotnet/runtime, System.Diagnostics.StackTrace.ToString(); github.com/
  /// mono/mono, mcs/class/corlib/System.Diagnostics/StackTrace.cs, mono/metadata/debug-helpers.c;
  /// for `message (name)`, github.com/dotnet/macios, runtime/runtime.m (`print_exception`);
  /// for stacks without room, dotnet/runtime, src/coreclr/vm/eepolicy.cpp.
  static let dotNet = TraceGrammar(
    format: .dotNetTrace, firstBytes: "a",
    frames: [
      LinePattern("at {:}{symbol} in {file}:line {line}{:}"),
      LinePattern("at {:}{symbol} [{skip:x}] in <{skip}>:0{:}"),
      LinePattern("at {:}{symbol} [{skip:x}] in {file}:{line}{:}"),
      LinePattern("at {:}{symbol} <{skip:x} + {skip:x}> in <{skip}>:0{:}"),
      LinePattern("at {:}{symbol} <{skip:x} + {skip:x}> in {file}:{line}{:}"),
      LinePattern("at {:}{symbol} <{skip:x}>{:}"),
      LinePattern("at {:}{symbol}{:}"),
    ],
    lines: [
      TraceLine(
        .factAbove,
        "{?{skip} ?}{process:w}[{pid}:{skip:w}] Unhandled managed exception: {reason} ({exception:n})"
      ),
      TraceLine(
        .factAbove, "{?{skip} ?}Unhandled managed exception: {reason} ({exception:n})"),
      // With the message in a line of its own, with and without the head of a log.
      TraceLine(
        .factAbove, "{?{skip} ?}{process:w}[{pid}:{skip:w}] Unhandled managed exception{?s?}:"),
      TraceLine(.factAbove, "{?{skip} ?}Unhandled managed exception{?s?}:"),
      TraceLine(.fact, "--- inner exception ---"),
      // Thrown again as one of Objective-C.
      TraceLine(
        .factAbove,
        "{?{skip} ?}Terminating app due to uncaught exception '{skip:w}', reason: '{exception:n}:"
          + " {reason}'"),
      // Of C++'s runtime, as the native function that was called threw.
      TraceLine(
        .factAbove,
        "{?{skip} ?}libc++abi{?.dylib?}: terminating {message}", title: "terminating "),
      TraceLine(.factAbove, "{exception:n}: {reason}"),
      TraceLine(.factAbove, "{?{skip} ?}{exception:n}: {reason}"),
      TraceLine(.factAbove, "{?{skip} ?}{exception:n}"),
      TraceLine(.factAbove, "{reason} ({exception:n})"),
      TraceLine(.fact, "--- End of {skip}"),
      // Of a stack that has no room left, with calls that repeat.
      TraceLine(.factAbove, "Stack overflow{message}", title: "Stack overflow"),
      TraceLine(.factAbove, "Repeat {skip:d} times:"),
      TraceLine(.factAbove, "--------------------------------"),
      // What Mono prints about a signal in native code, whose frames follow. People make a title of
      // its words, which stand below both stacks.
      TraceLine(.factAbove, "{?{skip} ?}Got a {signal:w} while executing native code{?{skip}?}"),
      TraceLine(.factAbove, "{?{skip} ?}Stacktrace:"),
      TraceLine(.factAbove, "{?{skip} ?}at <unknown> <0xffffffff>"),
    ],
    traits: Traits(
      looseLimit: 2, isOfException: true, yieldsToReportBelow: true,
      accepts: { frame, source in
        frame[.symbol].map { source.isManagedMethod($0) } ?? false
      },
      sign: { frame, source in
        guard let start = frame[.symbol]?.lowerBound else { return .none }
        let above = source.lineAbove(source.line(at: source.lineStart(of: start)))
        // The first of several frames decides: it is a long way to a report that may follow.
        guard above.map({ !source.isManagedFrame($0) }) ?? true else { return .none }
        guard let above else { return .traceIfMoreFollow }
        if source.isBelowStacktrace(above, start) { return .trace }
        let isBelowException =
          source.find("Exception", from: above.start, limit: above.end) != nil
        return isBelowException ? .trace : .traceIfMoreFollow
      }))
}

extension TextSource {
  /// Whether the frame of a native function is below Mono's heading, maybe behind a blank line: it
  /// may be the only managed one.
  fileprivate func isBelowStacktrace(_ above: TextLine, _ start: Int) -> Bool {
    guard has("(wrapper managed-to-native) ", at: start, limit: count) else { return false }
    let line = isBlank(above) ? lineAbove(above) ?? above : above
    let text = trimmed(line.start..<line.end)
    return text.count >= 11 && has("Stacktrace:", at: text.upperBound - 11, limit: text.upperBound)
  }

  fileprivate func isManagedFrame(_ line: TextLine) -> Bool {
    let range = trimmed(line.start..<line.end)
    return has("at ", at: range.lowerBound, limit: range.upperBound)
      && isManagedMethod(range.lowerBound + 3..<range.upperBound)
  }

  /// Whether a text is a method of .NET with its parameters, `Game.Board.Turn (System.Int32 page)`,
  /// and none of Java (`game.Board.turn(Board.java:12)`) or JavaScript (`Board.turn (a.js:1:2)`).
  /// The end may be cut off if nothing follows, not even a line end.
  fileprivate func isManagedMethod(_ range: Range<Int>) -> Bool {
    var start = range.lowerBound
    // Mono writes `Game.Board:draw (int)` of a method that it made around another.
    var isWrapper = false
    if has("(wrapper ", at: start, limit: range.upperBound),
      let end = find(") ", from: start, limit: range.upperBound)
    {
      start = end + 2
      isWrapper = true
    }
    guard let open = find("(", from: start, limit: range.upperBound), open > start,
      Ascii.isWord(self[start]), !Ascii.isDigit(self[start])
    else { return false }
    let name = start..<trimEnd(from: start, to: open)
    guard find(".", from: name.lowerBound, limit: name.upperBound) != nil,
      bytes[name].allSatisfy({
        $0 > Ascii.space && $0 != Ascii.slash && ($0 != Ascii.colon || isWrapper)
      })
    else { return false }
    let parameters = open + 1..<range.upperBound
    // Of a stream, each line is the last one when it comes.
    guard self[range.upperBound - 1] == UInt8(ascii: ")") || line(at: open).end >= count else {
      return false
    }
    return !["Native Method)", "Unknown Source)", "SourceFile)", ".java)", ".kt)"].contains {
      find($0, from: parameters.lowerBound, limit: parameters.upperBound) != nil
    }
      // Mono has the class around another one in front of it.
      && bytes[parameters].allSatisfy { ($0 != Ascii.slash || isWrapper) && $0 != Ascii.colon }
  }
}
