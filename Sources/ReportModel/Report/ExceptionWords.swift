/// Exceptions of Objective-C whose name and reason stand in other words: those that .NET threw
/// again, such as in apps of Xamarin and MAUI, and in tables that were copied.
extension ReportFacts {
  /// How the words of .NET begin, behind the name of its own exception.
  package static let dotNetWords = "Objective-C exception thrown."

  /// Name and reason of the exception of Objective-C in the words of .NET; nil for others:
  ///
  /// ```text
  /// Objective-C exception thrown.  Name: NSRangeException Reason: index 5 beyond bounds [0 .. 2]
  /// ```
  ///
  /// Source: github.com/dotnet/macios, src/ObjCRuntime/ObjCException.cs (`Message`), which was
  /// `Foundation.MonoTouchException` before.
  package static func exceptionInDotNet(_ words: String) -> (name: String, reason: String)? {
    guard words.hasPrefix(dotNetWords) else { return nil }
    let rest = words.dropFirst(dotNetWords.utf8.count).drop { $0 == " " }
    let title = "Name: "
    guard rest.hasPrefix(title), let mark = rest.firstRange(of: " Reason: ") else { return nil }
    let name = rest[..<mark.lowerBound].dropFirst(title.utf8.count)
    var reason = rest[mark.upperBound...]
    // Who joined the lines.
    if let end = reason.firstRange(of: " Native stack trace:") {
      reason = reason[..<end.lowerBound]
    }
    guard !name.isEmpty, name.utf8.count < 128, !name.contains(" "), !reason.isEmpty else {
      return nil
    }
    return (String(name), String(reason))
  }

  /// A reason that begins with three stars, without the backslashes that a page of Markdown puts
  /// among them: `*** -[Board turn]: …` of `**\* -[Board turn]: …`.
  static func withoutEscapedStars(_ reason: Substring) -> String {
    let rest = reason.drop { $0 == "*" || $0 == "\\" }
    let stars = reason[..<rest.startIndex]
    guard rest.first == " ", stars.utf8.count < 8, stars.contains("\\"),
      stars.utf8.count(where: { $0 == UInt8(ascii: "*") }) == 3
    else { return String(reason) }
    return "***" + rest
  }

  /// The name of an exception of Foundation with which a text begins that goes on with its reason:
  /// copied tables lose what is between two cells (`NSRangeExceptionindex 5 beyond bounds`). Nil
  /// for a name alone.
  ///
  /// Source: developer.apple.com/documentation/foundation/nsexceptionname.
  static func joinedExceptionName(_ text: String) -> String? {
    exceptionNames.first { text.hasPrefix($0) && text.utf8.count > $0.utf8.count + 4 }
  }

  private static let exceptionNames = [
    "NSInternalInconsistencyException", "NSInvalidArgumentException", "NSRangeException",
    "NSGenericException", "NSObjectNotAvailableException", "NSObjectInaccessibleException",
    "NSUndefinedKeyException", "NSUnknownKeyException", "NSMallocException",
    "NSFileHandleOperationException", "NSDestinationInvalidException",
    "NSInvalidUnarchiveOperationException",
  ]
}
