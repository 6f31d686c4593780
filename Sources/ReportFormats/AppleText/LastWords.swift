import JsonReading
import ReportModel

/// What a runtime prints before it ends the process, such as `Unhandled exception.
/// System.DivideByZeroException: Attempted to divide by zero.`
struct LastWords {
  let text: String
  /// Where the line below them begins.
  private(set) var end: Int

  /// Nil if the line is something else.
  ///
  /// Source: github.com/dotnet/runtime, src/coreclr/vm/excep.cpp; JetBrains/kotlin,
  /// kotlin-native/runtime/src/main/cpp/Exceptions.cpp; swiftlang/swift,
  /// stdlib/public/core/Assert.swift; rust-lang/rust, library/std/src/panicking.rs. Rust's message
  /// is in the line after the place. llvm/llvm-project, libcxxabi/src/cxa_default_handlers.cpp;
  /// apple-oss-distributions/dyld, dyld/DyldProcessConfig.cpp.
  init?(_ line: TextLine, of source: TextSource) {
    end = line.next
    let range = source.trimmed(line.start..<line.end)
    func starts(_ text: String) -> Bool {
      source.has(text, at: range.lowerBound, limit: range.upperBound)
    }
    func has(_ text: String) -> Bool {
      source.find(text, from: range.lowerBound, limit: range.upperBound) != nil
    }
    // A log puts time and process in front of it.
    if let start = source.find(Self.uncaught, from: range.lowerBound, limit: range.upperBound) {
      text = source.string(start..<range.upperBound)
      return
    }
    // Mono breaks the line behind the colon.
    if starts("Unhandled Exception:") {
      let words = source.trimmed(
        range.lowerBound + "Unhandled Exception:".utf8.count..<range.upperBound)
      let next = words.isEmpty && line.next < source.count ? source.line(at: line.next) : line
      let exception = words.isEmpty ? source.trimmed(next.start..<next.end) : words
      text = "Unhandled exception. \(source.string(exception))"
      end = next.next
      return
    }
    // `Game/Board.swift:25: Fatal error: no cards`, but not `(Swift/Array.swift:12)` behind it.
    let place = source.find(".swift:", from: range.lowerBound, limit: range.upperBound)
    let isSwift = place.map {
      source.find(": Fatal error: ", from: $0, limit: range.upperBound) != nil
    }
    // Newer versions write the number of the thread behind its name.
    let isPanic = starts("thread '") && has(" panicked at ")
    // AppCenter and others write only the exception.
    if let colon = source.find(": ", from: range.lowerBound, limit: range.upperBound),
      colon - range.lowerBound < 64
    {
      let name = source.string(range.lowerBound..<colon)
      if name.hasPrefix("NS"), name.hasSuffix("Exception"), name.allSatisfy(\.isLetter) {
        text =
          "\(Self.uncaught)\(name)', reason: '\(source.string(colon + 2..<range.upperBound))'"
        return
      }
    }
    if starts("Main Thread Checker: ") || has(": failed assertion `") {
      text = source.string(range)
      return
    }
    // `Fatal error: no cards: file Game/Board.swift, line 25`, behind what a log has in front.
    if let start = source.find("Fatal error: ", from: range.lowerBound, limit: range.upperBound),
      has(".swift, line ")
    {
      text = source.string(start..<range.upperBound)
      return
    }
    guard
      isPanic || starts("Unhandled exception. ") || starts("Uncaught Kotlin exception: ")
        || starts("Fatal error: ") || isSwift == true
        || starts("libc++abi") && has(" uncaught exception of type ") && has(": ")
          && !has("type NSException")
        || starts("dyld") && (has(": Library not loaded: ") || has(": Symbol not found: "))
    else { return nil }
    let words = source.string(range)
    guard isPanic, words.hasSuffix(":"), line.next < source.bytes.count else {
      text = words
      return
    }
    let next = source.line(at: line.next)
    text = "\(words) \(source.string(source.trimmed(next.start..<next.end)))"
  }

  private static let uncaught = "*** Terminating app due to uncaught exception '"
}
