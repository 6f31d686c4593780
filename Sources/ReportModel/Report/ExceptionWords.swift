import JsonReading

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

extension ReportFacts {
  /// Takes what the trace below a head says about the exception.
  ///
  /// If the trace took the words among the fields, the head has those above it, which may be of an
  /// earlier run, about another object. A signal in the place of the name is only how it ended.
  package mutating func takeException(ofTrace other: CrashException) {
    if let name = exception.name, MachNames.isSignal(name) {
      exception.name = other.name ?? name
    }
    if let reason = other.reason, other.name == exception.name {
      exception.reason = reason
      applicationInformation.removeAll { $0.hasPrefix(Self.uncaught) }
      // Source: Mono, System/ArgumentException.cs (`Message`).
      let parameter = applicationInformation.firstIndex { $0.hasPrefix("Parameter name: ") }
      if let parameter, reason.firstRange(of: "Parameter name: ") == nil {
        let words = applicationInformation.remove(at: parameter)
        exception.reason = "\(reason) \(words.last == "'" ? words.dropLast() : words[...])"
      }
    }
    if exception.name == nil { exception.name = other.name }
    if exception.reason == nil { exception.reason = other.reason }
  }
}

// Name and reason of an exception in the words of the runtime that nobody caught it in.
extension ReportFacts.CrashException {
  /// Reads name and reason from the line that the Objective-C runtime leaves among the
  /// application's information, unless the report has them elsewhere: `*** Terminating app due to
  /// uncaught exception 'NAME', reason: 'REASON'`.
  ///
  /// Xcode has words of its own: `UNCAUGHT EXCEPTION (NAME): REASON`.
  ///
  /// - Parameter information: if a mail program broke that line, it is one line then.
  package mutating func takeThrown(from information: inout [String]) {
    takeThrownInXcode(from: information)
    guard name == nil else { return }
    let start = ReportFacts.uncaught
    // Markdown puts marks and backslashes between the stars.
    let words = start.dropFirst(4)
    // A mail program may have broken the line behind them.
    let copies = information.indices.filter { index in
      let text = information[index].drop { "*\\ ".contains($0) }
      return text.hasPrefix(words)
        || text.utf8.count + 2 == words.utf8.count && words.hasPrefix(text)
    }
    guard var index = copies.first else { return }
    // The title of an issue is often the beginning of the statement that follows in full.
    let first = information[index].drop { "*\\ ".contains($0) }
    let whole = copies.dropFirst().first { other in
      let text = information[other].drop { "*\\ ".contains($0) }
      return text.utf8.count > first.utf8.count && text.hasPrefix(first)
    }
    if let whole {
      information.remove(at: index)
      index = whole - 1
    }
    let (line, count) = Self.wholeStatement(information[index...])
    if count > 1 { information.replaceSubrange(index..<index + count, with: [line]) }
    let rest = line.drop { "*\\ ".contains($0) }.dropFirst(words.count)
    let separator = Self.reasonMark
    // Both may have quotation marks in them.
    let middle = rest.firstRange(of: separator)
    guard let end = middle?.lowerBound ?? rest.firstIndex(of: "'") else { return }
    name = String(rest[..<end])
    defer { shortenName() }
    guard reason == nil, let middle else { return }
    let told = rest[middle.upperBound...]
    // A reason of several lines continues on the next one.
    reason = ReportFacts.withoutEscapedStars(
      told.last == "'" ? told.dropLast() : Self.quoted(told))
    takeManaged(from: information)
  }

  /// Takes the exception of .NET from its own words below `Xamarin Exception Stack:`, if the name
  /// is only the signal that the process then sent itself:
  ///
  /// ```text
  /// *** Terminating app due to uncaught exception 'SIGABRT', reason: 'No cards.
  /// Parameter name: deck'
  ///
  /// Xamarin Exception Stack:
  /// System.ArgumentException: No cards.
  /// Parameter name: deck
  /// ```
  ///
  /// Source: for the heading, reports in github.com/bitstadium/HockeySDK-iOS, log_report_xamarin.
  private mutating func takeManaged(from information: [String]) {
    guard let signal = name, MachNames.isSignal(signal), let words = reason else { return }
    let ending = "Exception: \(words)"
    guard let line = information.first(where: { $0.hasSuffix(ending) }),
      case let type = line.dropLast(words.utf8.count + 2), type.utf8.count < 256,
      type.utf8.allSatisfy({ Ascii.isWord($0) || $0 == UInt8(ascii: ".") })
    else { return }
    name = String(type)
  }

  /// A reason up to its quotation mark, if somebody goes on behind it: `no cards' on my iPad`.
  /// Inside, quotation marks come in pairs, and those between two letters are apostrophes.
  private static func quoted(_ text: Substring) -> Substring {
    let bytes = text.utf8
    var depth = 1
    var before = Ascii.space
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let next = bytes.index(after: position)
      let after = next < bytes.endIndex ? bytes[next] : Ascii.space
      if bytes[position] == UInt8(ascii: "'") {
        if !Ascii.isWord(before), Ascii.isWord(after) {
          depth += 1
        } else if !(Ascii.isWord(before) && Ascii.isWord(after)) {
          depth -= 1
        }
        if depth == 0 {
          return after == Ascii.space && !bytes[next...].contains(UInt8(ascii: "'"))
            ? text[..<position] : text
        }
      }
      before = bytes[position]
      position = next
    }
    return text
  }

  /// Between name and reason.
  private static let reasonMark = "', reason: '"

  /// The line that names the exception, with those below it that belong to it if a mail program
  /// broke it: in the name or before the reason, which then goes on to its quotation mark. A
  /// reason may have several lines of its own.
  ///
  /// Source: RFC 3676, 4.2: mail programs break lines at 66 to 78 columns, between words.
  ///
  /// - Returns: the text, and of how many lines it is.
  private static func wholeStatement(_ lines: ArraySlice<String>) -> (text: String, count: Int) {
    var text = lines.first ?? ""
    let words = text.split(separator: " ")
    // Nothing but stars begins the reason: its first word is in the next line.
    let isBroken =
      text.firstRange(of: reasonMark) == nil
      ? text.last != "'" : words.count > 1 && words.last == "'***"
    let first = (text: text, count: 1)
    guard isBroken else { return first }
    for (index, line) in lines.enumerated().dropFirst().prefix(8) {
      text += " \(line.drop { $0 == " " })"
      if text.last == "'", text.firstRange(of: reasonMark) != nil { return (text, index + 1) }
    }
    return first
  }

  /// Source: DVTFoundation's `DVTFailureHintExceptionPreprocessor`, whose words people show.
  private mutating func takeThrownInXcode(from information: [String]) {
    let start = "UNCAUGHT EXCEPTION ("
    guard name == nil, let line = information.first(where: { $0.hasPrefix(start) }),
      let end = line.firstRange(of: "): ")
    else { return }
    name = String(line[..<end.lowerBound].dropFirst(start.utf8.count))
    reason = reason ?? String(line[end.upperBound...])
  }

  /// Takes the reason out of the name: React Native's is `RCTFatalException: ` and the beginning
  /// of the reason.
  ///
  /// Source: github.com/facebook/react-native, React/Base/RCTAssert.m (`RCTFatal`).
  package mutating func shortenName() {
    if let inner = reason.flatMap(ReportFacts.exceptionInDotNet) {
      (name, reason) = (inner.name, inner.reason)
      return
    }
    splitName()
    guard let name, let reason, let colon = name.firstRange(of: ": ") else { return }
    let message = name[colon.upperBound...]
    if !reason.hasPrefix(message) {
      // The reason has no more than the start of it, and the stack of the script.
      guard let dots = reason.firstRange(of: "..."), dots.lowerBound > reason.startIndex,
        message.hasPrefix(reason[..<dots.lowerBound])
      else { return }
      self.reason = String(message) + reason[dots.upperBound...]
    }
    self.name = String(name[..<colon.lowerBound])
  }

  /// Takes the start of the reason from behind the name, where somebody joined them:
  /// `NSRangeException index 5 beyond bounds`, `NSRangeExceptionindex 5 beyond bounds`.
  private mutating func splitName() {
    guard let name, name.hasPrefix("NS"), let end = Self.endOfName(in: name) else { return }
    let words = name[end...].drop { "-–:· ".contains($0) }
    // A colon stands in front of the whole reason.
    guard !words.isEmpty, reason == nil || name[end] != ":" else { return }
    reason = reason.map { "\(words): \($0)" } ?? String(words)
    self.name = String(name[..<end])
  }

  private static func endOfName(in text: String) -> String.Index? {
    if let known = ReportFacts.joinedExceptionName(text) {
      return text.utf8.index(text.startIndex, offsetBy: known.utf8.count)
    }
    guard let end = text.firstRange(of: "Exception "),
      text[..<end.lowerBound].allSatisfy({ $0.isASCII && $0.isLetter })
    else { return nil }
    return text.utf8.index(before: end.upperBound)
  }
}

// MARK: - Kinds of exceptions

extension ReportFacts.CrashException {
  /// Whether an invalid memory access caused the crash. Then no exception was thrown.
  package var isMemoryFault: Bool {
    type == "EXC_BAD_ACCESS" || ["SIGSEGV", "SIGBUS"].contains(signal)
      // Swift's runtime, if the line with the signal is not in the text.
      || type == nil && signal == nil && subtype?.hasPrefix("Bad pointer dereference at ") == true
      || isAccessAsGuard
  }

  /// Whether `EXC_GUARD` without the kind of a guard has the bytes of a text where a debugger shows
  /// an address: a pointer that was overwritten.
  ///
  /// Source: XNU, osfmk/kern/exc_guard.h (the kind is in bits 61 to 63 of the first code).
  package var isAccessAsGuard: Bool {
    type == "EXC_GUARD" && codes.count == 2 && codes[0] >> 61 == 0
      && PointerText.text(of: codes[1], is64Bit: true) != nil
  }

  /// Whether a function may have ended the process on purpose, with `abort()` or a trap
  /// instruction. `EXC_SOFTWARE` is what a handler in the process gets for `abort()`.
  ///
  /// Source: apple-oss-distributions/xnu, bsd/uxkern/ux_exception.c (`EXC_UNIX_ABORT`).
  package var canEndInFunction: Bool {
    let kinds = ["EXC_CRASH", "EXC_BREAKPOINT", "EXC_BAD_INSTRUCTION", "EXC_SOFTWARE"]
    let signals = ["SIGABRT", "SIGTRAP", "SIGILL"]
    return type.map { kinds.contains($0) } ?? true && signal.map { signals.contains($0) } ?? true
  }
}
