import CrashLogParser
import SymbolicationModel
import Wording

// Words that cannot be the reason of a bad access.

extension ReportFacts.CrashException {
  /// Whether the access went to an address that no program uses to end itself. Those that do write
  /// to a null pointer or to an address that spells a word.
  ///
  /// Source: github.com/WebKit/WebKit, Source/WTF/wtf/Assertions.cpp (`0xbbadbeef`);
  /// chromium/crashpad and google/breakpad, whose `CRASH()` writes to 0.
  var isStrayFault: Bool {
    guard isMemoryFault, let address = faultAddress else { return false }
    return address >= Self.lastNullPage && address & 0xffff != 0xbeef
  }

  /// Some write to a small number that stands for the line or the kind of the failure.
  private static let lastNullPage: UInt64 = 0x1_0000
}

extension ReportFacts {
  /// Whether a line is what a process says that ends itself with a trap or `abort()`: a bad access
  /// at a stray address is another crash, and the line is of an earlier one, or an example.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core/AssertCommon.swift and
  /// stdlib/public/runtime/Errors.cpp (`swift::fatalError`), which end with a trap; abort(3) for
  /// `assert`, C++'s `std::terminate` and Foundation's exceptions.
  static func isOfOwnEnd(_ line: String) -> Bool {
    if ownEnds.contains(where: { line.hasPrefix($0) }) { return true }
    // Behind the place: `Board.swift:12: Fatal error: no cards`.
    return placedEnds.contains { line.hasBytes(of: $0) } && line.hasBytes(of: ".swift")
  }

  private static let ownEnds = [
    "Fatal error: ", "Precondition failed", "Assertion failed: (", "Assertion failed: file ",
    "*** Terminating app due to ", "*** Assertion failure in ", "libc++abi: terminating",
    "libc++abi.dylib: terminating", "terminate called after throwing",
  ]

  private static let placedEnds = ["Fatal error", "Precondition failed", "Assertion failed"]
}
