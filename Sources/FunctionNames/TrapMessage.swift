import Wording

/// Why code traps. Compilers store the reason as the name of an invented function, "inlined" at the
/// trap instruction, so that debuggers can show it. The function consists of that instruction only
/// and has line 0.
package struct TrapMessage: Hashable, Sendable {
  /// `Swift runtime failure: Index out of range`; with clang, category and message:
  /// `Bounds check failed: Dereferencing above bounds`.
  package let text: String

  /// Nil if `function` is not such a name.
  ///
  /// Forms: swiftc's `Swift runtime failure: …` (Swift 5.2 and later, only in optimised code);
  /// `__clang_trap_msg$CATEGORY$MESSAGE` of clang 20 and later, for `__builtin_verbose_trap`, for
  /// sanitizers that trap (clang 21) and for `-fbounds-safety`; the two forms that Apple's clang
  /// wrote before that, which lldb also recognises; and libc++'s
  /// `…/include/c++/v1/vector:1393: assertion … failed: …` of Xcode 15 and 16.
  package init?(function: String) {
    let bytes = function.utf8
    if Self.plainStarts.contains(where: { bytes.starts(with: $0.utf8) }) {
      text = function
    } else if bytes.starts(with: Self.clangStart.utf8) {
      let parts = function.dropFirst(Self.clangStart.count).split(
        separator: "$", maxSplits: 1, omittingEmptySubsequences: false)
      let filled = parts.filter { !$0.isEmpty }
      guard !filled.isEmpty else { return nil }
      text = filled.joined(separator: ": ")
    } else if function.hasBytes(of: ": assertion "),
      let separator = function.firstRange(of: ": assertion "),
      function[..<separator.lowerBound].contains("/c++/v1/"), function.hasBytes(of: " failed: ")
    {
      var line = function[function.index(separator.lowerBound, offsetBy: 2)...].prefix {
        !$0.isNewline
      }
      while line.last?.isWhitespace == true { line.removeLast() }
      text = String(line)
    } else {
      return nil
    }
  }

  private static let plainStarts = [
    "Swift runtime failure: ", "Bounds check failed", "Pointer Check runtime failure",
  ]
  private static let clangStart = "__clang_trap_msg$"
}
