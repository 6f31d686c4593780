import JsonReading
import ReportModel

/// What a runtime prints before it ends the process, such as `Unhandled exception.
/// System.DivideByZeroException: Attempted to divide by zero.`
struct LastWords {
  let text: String

  /// Nil if the line is something else.
  ///
  /// Source: github.com/dotnet/runtime, src/coreclr/vm/excep.cpp; JetBrains/kotlin,
  /// kotlin-native/runtime/src/main/cpp/Exceptions.cpp; swiftlang/swift,
  /// stdlib/public/core/Assert.swift; rust-lang/rust, library/std/src/panicking.rs. Rust's message
  /// is in the line after the place.
  init?(_ line: TextLine, of source: TextSource) {
    let range = source.trimmed(line.start..<line.end)
    func starts(_ text: String) -> Bool {
      source.has(text, at: range.lowerBound, limit: range.upperBound)
    }
    func has(_ text: String) -> Bool {
      source.find(text, from: range.lowerBound, limit: range.upperBound) != nil
    }
    let isPanic = starts("thread '") && has("' panicked at ")
    guard
      isPanic || starts("Unhandled exception. ") || starts("Uncaught Kotlin exception: ")
        || starts("Fatal error: ") || has(".swift:") && has(": Fatal error: ")
    else { return nil }
    let words = source.string(range)
    guard isPanic, words.hasSuffix(":"), line.next < source.bytes.count else {
      text = words
      return
    }
    let next = source.line(at: line.next)
    text = "\(words) \(source.string(source.trimmed(next.start..<next.end)))"
  }
}
