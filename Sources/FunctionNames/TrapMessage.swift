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

/// What Core Data throws if it is asked for objects and has no store to take them from.
///
/// Source: the names are those of the methods of NSPersistentStoreCoordinator in Core Data's
/// class-dumps (github.com/nst/iOS-Runtime-Headers). With the reason of the exception, `This
/// NSPersistentStoreCoordinator has no persistent stores (corrupt file). It cannot perform a save
/// operation.`, they are in issues on github.com: the-blue-alliance/the-blue-alliance-ios 875,
/// residentsummer/watoi 58, matomo-org/matomo-sdk-ios 85.
package enum CoreDataStores {
  /// `Core Data has no persistent stores (disk full)`; nil if the function is another one.
  package static func reason(_ function: String) -> String? {
    let words = "Core Data has no persistent stores, because none was opened before"
    guard function.hasPrefix("-[NSPersistentStoreCoordinator ") else { return nil }
    guard let start = function.firstRange(of: neverOpened)?.upperBound else {
      return function.hasSuffix(" _introspectLastErrorAndThrow]") ? words : nil
    }
    let detail = details.first { function[start...].hasPrefix($0.end) }
    return detail.map { "\(words) (\($0.words))" } ?? words
  }

  private static let neverOpened = " _coordinator_you_never_successfully_opened_the_database_"

  private static let details = [
    (end: "corrupted:", words: "corrupt file"), (end: "disk_full:", words: "disk full"),
    (end: "schema_mismatch:", words: "schema mismatch or migration failure"),
    (end: "device_locked:", words: "device locked"), (end: "io_error:", words: "I/O error"),
    (end: "missing_directory:", words: "missing directory"),
  ]
}
