import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

// Traces of Go.
extension TraceGrammar {
  /// Of Go. A line below a frame says where it is:
  ///
  /// ```text
  /// panic: runtime error: index out of range [7] with length 3
  ///
  /// goroutine 1 [running]:
  /// main.(*Page).load(0xc000012120, 0x7)
  /// \t/src/page.go:12 +0x1d
  /// created by main.main in goroutine 1
  /// \t/src/main.go:7 +0x85
  /// ```
  ///
  /// A signal in C code that Go called has lines of its own above that, and who shortens a trace
  /// leaves the places and the goroutine out:
  ///
  /// ```text
  /// SIGSEGV: segmentation violation
  /// PC=0x18a7871a8 m=0 sigcode=2 addr=0x0
  /// signal arrived during cgo execution
  ///
  /// runtime.cgocall(...)
  /// example.com/page._Cfunc_load()
  /// ```
  ///
  /// Source: github.com/golang/go, src/runtime/traceback.go, panic.go, signal_unix.go
  /// (`fatalsignal`) and signal_windows.go.
  static let go = TraceGrammar(
    format: .goTrace, firstBytes: "grsP",
    frames: [
      LinePattern("{:}{symbol:w}({?{skip:b}?}){:}"),
      // The line with the place was joined to it.
      LinePattern("{:}{symbol:w}({?{skip:b}?}){:} {file:w}:{line}{? +{skip:x}?}{? fp={skip}?}"),
    ],
    lines: [
      TraceLine(.thread(isCrashed: true), "goroutine {thread} [{skip}]:", isSign: true),
      TraceLine(.thread(isCrashed: true), "goroutine {thread} {skip} [{skip}]:", isSign: true),
      TraceLine(.thread(isCrashed: false), "runtime stack:", isSign: true),
      TraceLine(
        .thread(isCrashed: true), "PC={skip:x} m={skip:d} sigcode={code:d}{? addr={fault}?}",
        isSign: true),
      TraceLine(.thread(isCrashed: true), "signal arrived during {skip} execution", isSign: true),
      TraceLine(.place, "{file}:{line}{? +{skip:x}?}{? fp={skip}?}"),
      TraceLine(.factAbove, "panic: {message}", title: "Go panic: "),
      TraceLine(.factAbove, "fatal error: {message}", title: "fatal error of Go: "),
      TraceLine(.factAbove, "[signal {signal:w}: {skip} code={code:x} addr={fault} pc={skip}]"),
      TraceLine(.factAbove, "[signal {signal:x} code={code:x} addr={fault} pc={skip}]"),
      TraceLine(.factAbove, "SIG{signal:w}: {skip}"),
      // Behind a line of the program's that has no end.
      TraceLine(.factAbove, "{skip} SIG{signal:w}: abort"),
      TraceLine(.factAbove, "{skip} SIG{signal:w}: segmentation violation"),
      TraceLine(.factAbove, "{skip} SIG{signal:w}: bus error"),
      TraceLine(.factAbove, "{skip} SIG{signal:w}: illegal instruction"),
      TraceLine(.factAbove, "{skip} SIG{signal:w}: trace trap"),
      TraceLine(.factAbove, "PC={skip:x}{? {skip}?}"),
      // Of a stack that it could not follow.
      TraceLine(.factAbove, "runtime: {skip}"), TraceLine(.factAbove, "stack: frame={skip}"),
      TraceLine(.factAbove, "{skip:x}: {skip}"),
      TraceLine(.fact, "created by {skip}"), TraceLine(.fact, "exit status {skip}"),
    ],
    traits: Traits(
      looseLimit: 2,
      accepts: { frame, source in
        // Text may end with parentheses too. The place follows, unless somebody left it out.
        guard let symbol = frame[.symbol],
          source.find(".", from: symbol.lowerBound, limit: symbol.upperBound) != nil
            || source.has("panic", at: symbol.lowerBound, limit: symbol.upperBound)
        else { return false }
        if let file = frame[.file] { return source.namesFileOfGo(file) }
        return source.isAboveFileOfGo(symbol) || source.isCallOfGo(symbol)
      },
      sign: { _, _ in .none }))
}

extension TextSource {
  private static let filesOfGo = [".go", ".s", ".c"]

  fileprivate func namesFileOfGo(_ file: Range<Int>) -> Bool {
    Self.filesOfGo.contains { end in
      has(end, at: file.upperBound - end.utf8.count, limit: file.upperBound)
    }
  }

  /// Whether the line below a function names a file and a line of it.
  fileprivate func isAboveFileOfGo(_ symbol: Range<Int>) -> Bool {
    let next = line(at: line(at: symbol.upperBound).next)
    return Self.filesOfGo.contains { find($0 + ":", from: next.start, limit: next.end) != nil }
  }

  /// Whether a line is a function of Go with its arguments as words of memory, and nothing else:
  /// `main.(*Page).load(0xc000012120, {0x7, 0x1})`, `main.main()`, `runtime.cgocall(...)`.
  ///
  /// Source: github.com/golang/go, src/runtime/traceback.go (`printArgs`): `_` stands for what has
  /// no room, and a question mark behind a value that may be old.
  fileprivate func isCallOfGo(_ symbol: Range<Int>) -> Bool {
    guard Ascii.isLowercase(self[symbol.lowerBound]) || Ascii.isUppercase(self[symbol.lowerBound]),
      bytes[symbol].allSatisfy({ Ascii.isWord($0) || "_./*()-%~[]{}·".utf8.contains($0) })
    else { return false }
    let line = line(at: symbol.upperBound)
    let arguments = symbol.upperBound..<trimEnd(from: symbol.upperBound, to: line.end)
    return bytes[arguments].allSatisfy { byte in
      hexadecimalDigitValue(byte) != nil || "x(),. {}?_…".utf8.contains(byte)
    }
  }
}
