import CrashLogParser
import SymbolicationModel
import Wording

// Words that cannot be the reason of a bad access.

extension ReportFacts {
  /// Whether a line is what a process says that ends itself with a trap or `abort()`: a bad access
  /// is another crash then, and the line is of an earlier one, or an example.
  ///
  /// Swift's runtime never ends with a bad access. Others that say such words may write to a null
  /// pointer, or to an address that spells a word.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core/AssertCommon.swift and
  /// stdlib/public/runtime/Errors.cpp (`swift::fatalError`), which end with a trap; abort(3) for
  /// `assert`, and for C++'s `std::terminate`; WebKit/WebKit, Source/WTF/wtf/Assertions.cpp
  /// (`0xbbadbeef`).
  func isOfOtherCrash(_ line: String) -> Bool {
    guard let address = exception.faultAddress else { return false }
    if Self.swiftEnds.contains(where: { line.hasBytes(of: $0) }),
      line.hasBytes(of: ".swift") || line.hasBytes(of: Self.foundNil)
    {
      return true
    }
    return address >= Self.lowestStray && address & 0xffff != 0xbeef
      && Self.ownEnds.contains { line.hasPrefix($0) }
  }

  /// Some write to a small number that stands for the kind of the failure.
  private static let lowestStray: UInt64 = 0x1_0000

  private static let swiftEnds = ["atal error: ", "Precondition failed", "Assertion failed"]
  private static let foundNil = "nexpectedly found nil while "

  private static let ownEnds = [
    "Fatal error: ", "Precondition failed", "Assertion failed: (", "libc++abi: terminating",
    "libc++abi.dylib: terminating", "terminate called after throwing",
  ]
}
