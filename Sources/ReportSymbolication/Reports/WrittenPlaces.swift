package import CrashLogParser
import FunctionNames
import SymbolicationModel

// Places that stand in the report as words.

extension ReportFacts {
  /// Where an exception of .NET or Mono was thrown, whose frames have no addresses and are written
  /// below the exception (`  at Game.Board.Turn () [0x00007] in /src/Board.cs:12`), as ` (thrown in
  /// Game.Board.Turn, Board.cs:12)`: the first method that is not the framework's. Empty if there
  /// are no such frames.
  ///
  /// Source: github.com/dotnet/runtime, System.Diagnostics.StackTrace.ToString().
  package var managedPlace: String {
    var first: String?
    for line in applicationInformation {
      let text = line.drop { $0.isWhitespace }
      guard text.hasPrefix("at "), text.utf8.count < line.utf8.count else { continue }
      let name = text.dropFirst(3).prefix { $0 != "(" }
      let method = name.split(separator: " ").joined(separator: " ")
      guard method.contains(".") else { continue }
      let place = " (thrown in \(method)\(Self.managedFile(text).map { ", \($0)" } ?? ""))"
      guard Self.frameworks.contains(where: { method.hasPrefix($0) }) else { return place }
      first = first ?? place
    }
    return first ?? ""
  }

  /// Where Xcode threw an exception that nobody caught, or asserted: ` (called by -[Board turn],
  /// Board.m:12, in Plugin)`, the first function in the backtrace among its words that is neither
  /// the system's nor Xcode's. Empty if there is none.
  ///
  /// ```text
  /// Backtrace:
  ///   4  0x00007fff8e1d53ce -[NSArray objectAtIndex:] (in CoreFoundation)
  ///   5  0x0000000113bcf956 -[Board turn] at /src/Board.m:12 (in Plugin)
  /// ```
  package var placeInXcode: String {
    guard
      applicationInformation.contains(where: { line in
        line.hasPrefix("UNCAUGHT EXCEPTION (") || line.hasPrefix(LastWords.xcodeAssertion)
      }), let start = applicationInformation.firstIndex(of: "Backtrace:")
    else { return "" }
    for line in applicationInformation[(start + 1)...].prefix(64) {
      var text = line[...]
      for isPart in [\Character.isWhitespace, \.isNumber, \.isWhitespace] {
        text = text.drop { $0[keyPath: isPart] }
      }
      let mark = "(in "
      guard line.hasSuffix(")"), let end = text.ranges(of: mark).last else { continue }
      let image = text[end.upperBound...].dropLast()
      if AppleImages.isOne(String(image)) { continue }
      if Self.imagesOfXcode.contains(where: { image.hasPrefix($0) }) { continue }
      var name = text[..<end.lowerBound]
      if name.hasPrefix("0x") { name = name.drop(while: { $0 != " " }).drop(while: { $0 == " " }) }
      while name.last == " " { name.removeLast() }
      var place = ""
      if let at = name.firstRange(of: " at /") {
        place = ", \(String(name[at.upperBound...]).lastPathComponent)"
        name = name[..<at.lowerBound]
      }
      if !name.isEmpty { return " (called by \(name)\(place), in \(image))" }
    }
    return ""
  }

  /// How the names of Xcode's own frameworks and plug-ins begin, as its reports list them.
  private static let imagesOfXcode = [
    "DVT", "IDE", "IB", "DevTools", "Xcode", "SourceEditor", "SourceKit", "DebuggerUI", "GPU",
    "dyld", "lib",
  ]

  private static let frameworks = [
    "System.", "Microsoft.", "Xamarin.", "Mono.", "UIKit.", "Foundation.", "AppKit.",
    "ObjCRuntime.",
    "Android.", "Java.",
  ]

  /// `Board.cs:12` of `… in /src/Board.cs:12` or `… in C:\src\Board.cs:line 12`.
  private static func managedFile(_ frame: Substring) -> String? {
    guard
      let place = frame.firstRange(of: ") in ")?.upperBound
        ?? frame.firstRange(of: "] in ")?.upperBound
    else { return nil }
    let path = frame[place...].split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let parts = path.split(separator: ":")
    guard parts.count == 2, !parts[0].hasPrefix("<"),
      let number = parts[1].split(separator: " ").last,
      number.allSatisfy({ ("0"..."9").contains($0) })
    else { return nil }
    return "\(parts[0]):\(number)"
  }
}
