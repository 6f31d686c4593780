import CrashLogParser

/// Why code traps, as the name of a function that the compiler makes up and "inlines" at the
/// instruction that traps, so that debuggers have something to show there. Such a function has no
/// code of its own but that instruction, and line 0.
struct TrapMessage: Hashable, Sendable {
  /// `Swift runtime failure: Index out of range`; for clang category and message,
  /// `Bounds check failed: Dereferencing above bounds`.
  let text: String

  /// Nil where `function` is no such name.
  ///
  /// Forms: swiftc's `Swift runtime failure: …` (Swift 5.2 and later, only where code is
  /// optimised); `__clang_trap_msg$CATEGORY$MESSAGE` of clang 20 and later, for
  /// `__builtin_verbose_trap`, for sanitizers that trap (clang 21) and for `-fbounds-safety`; the
  /// two that Apple's clang wrote before that, which lldb knows too; and libc++'s
  /// `…/include/c++/v1/vector:1393: assertion … failed: …` of Xcode 15 and 16.
  init?(function: String) {
    let bytes = function.utf8
    if Self.plainStarts.contains(where: { bytes.starts(with: $0.utf8) }) {
      text = function
    } else if bytes.starts(with: Self.clangStart.utf8) {
      let parts = function.dropFirst(Self.clangStart.count).split(
        separator: "$", maxSplits: 1, omittingEmptySubsequences: false)
      let filled = parts.filter { !$0.isEmpty }
      guard !filled.isEmpty else { return nil }
      text = filled.joined(separator: ": ")
    } else if let place = function.firstRange(of: ": assertion "),
      function[..<place.lowerBound].contains("/c++/v1/"), function.contains(" failed: ")
    {
      let assertion = function[function.index(place.lowerBound, offsetBy: 2)...]
      guard let line = String(assertion).filledLines.first else { return nil }
      text = line
    } else {
      return nil
    }
  }

  private static let plainStarts = [
    "Swift runtime failure: ", "Bounds check failed", "Pointer Check runtime failure",
  ]
  private static let clangStart = "__clang_trap_msg$"
}
