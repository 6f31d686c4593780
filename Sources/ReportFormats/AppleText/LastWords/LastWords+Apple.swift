import JsonReading
import ReportModel
import SymbolicationModel

// What Apple's libraries and tools print.

extension LastWords {
  /// `BUG IN CLIENT OF LIBDISPATCH: dispatch_sync called on queue already owned by current thread`
  /// at the start of a line, behind the head of a log, or between quotation marks in prose.
  /// Frameworks leave their name out: `BUG IN CLIENT: …`, of CompositorServices.
  ///
  /// Source: apple-oss-distributions/libdispatch, src/internal.h (`DISPATCH_CLIENT_CRASH`); for
  /// frameworks, as people show it.
  static func clientBug(_ line: WordsLine) -> LastWords? {
    let source = line.source
    guard let start = line.find("BUG IN "),
      ["CLIENT OF LIB", "LIB", "CLIENT: "].contains(where: { line.has($0, at: start + 7) }),
      let colon = source.find(": ", from: start, limit: min(line.range.upperBound, start + 64))
    else { return nil }
    if source.logHeadEnd(line.range) == start { return line.words(at: start) }
    if start == line.start {
      // Without the name of a library it is also the title of somebody's list.
      let isNamed = !line.has("CLIENT: ", at: start + 7)
      return isNamed || isFirst(in: line) ? line.words(at: start) : nil
    }
    let mark = source[start - 1]
    let close = source.bytes[colon..<line.range.upperBound].firstIndex(of: mark)
    // The end of bold text may be taken away.
    let end = mark == UInt8(ascii: "*") ? close ?? line.range.upperBound : close
    guard "`'\"*".utf8.contains(mark), let end, end > colon + 2 else { return nil }
    return line.words(at: start, source.string(start..<end))
  }

  /// Whether a line is the first one of a block of code, or of the text.
  private static func isFirst(in line: WordsLine) -> Bool {
    let source = line.source
    let own = TextLine(start: line.start, end: line.range.upperBound, next: line.next)
    guard line.start > 0, let above = source.lineAbove(own) else { return true }
    return source.has("```", at: above.start, limit: above.end)
  }

  /// What AppKit logs before it ends the process for an exception that nobody caught: `Crashing on
  /// exception: no nib`, at the start of a line, behind the head of a log, or between quotation
  /// marks in prose.
  ///
  /// Source: the words of `-[NSApplication _crashOnException:]`, as people show them
  /// (github.com/Oil3/Mkv-Quicklook, issue 5).
  static func appKitWords(_ line: WordsLine) -> LastWords? {
    let title = "Crashing on exception: "
    let source = line.source
    guard let start = line.find(title) else { return nil }
    let message = start + title.utf8.count
    var end = line.range.upperBound
    if start > line.start {
      let mark = source[start - 1]
      if "`'\"".utf8.contains(mark) {
        guard let close = source.bytes[message..<end].firstIndex(of: mark) else { return nil }
        end = close
      } else if source[start - 1] != Ascii.space || source[start - 2] != Ascii.closeBracket {
        return nil
      }
    }
    return end > message ? line.words(at: start, source.string(start..<end)) : nil
  }

  /// What HIToolbox logs about an exception that reaches it: name and reason, and what else the
  /// exception carries. Who handles the event may go on, so the words count only above a stack, or
  /// what ends the process.
  ///
  /// ```text
  /// [HIExceptions] FAULT: NSRangeException: no such card; (user info absent)
  /// ```
  ///
  /// Source: the words, as people show them (github.com/sgehrman/SwiftUIAppBugs).
  static func loggedException(_ line: WordsLine) -> LastWords? {
    let (title, ending, source) = ("FAULT: ", "Exception: ", line.source)
    guard let name = line.find(title).map({ $0 + title.utf8.count }),
      let nameEnd = source.find(
        ending, from: name, limit: min(line.range.upperBound, name + 80)
      ).map({ $0 + ending.utf8.count }),
      source.bytes[name..<nameEnd - 2].allSatisfy({ Ascii.isWord($0) }),
      name - title.utf8.count == line.start || source[name - title.utf8.count - 1] == Ascii.space
    else { return nil }
    let reasonEnd = ["; {", "; (user info absent)"].compactMap { mark in
      let start = line.range.upperBound - mark.utf8.count
      return start > nameEnd && line.has(mark, at: start) ? start : nil
    }
    var next = line.next
    for _ in 0..<8 where next < source.count {
      let below = source.line(at: next)
      let range = source.trimmed(below.start..<below.end)
      let isStack = range.count == 1 && source[range.lowerBound] == UInt8(ascii: "(")
      if isStack || source.find("erminating ", from: below.start, limit: below.end) != nil {
        let reason = source.string(nameEnd..<(reasonEnd.first ?? line.range.upperBound))
        return line.words(at: line.start, thrown(source.string(name..<nameEnd - 2), reason))
      }
      next = below.next
    }
    return nil
  }

  /// What Xcode writes about an assertion of its own, with the details in the lines below.
  package static let xcodeAssertion = "ASSERTION FAILURE in "
  /// And about an exception that nobody caught.
  static let xcodeException = "UNCAUGHT EXCEPTION ("

  /// Of Xcode and its tools, in the log, or at the start of a line: so their reports have it among
  /// the words of the application, which people copy.
  ///
  /// Source: the words of DVTFoundation's and IDEKit's assertion handlers, as people show them
  /// (github.com/XVimProject/XVim, issue 589).
  static func xcodeFailure(_ line: WordsLine) -> LastWords? {
    let title = "DVTAssertions: "
    let failures = [xcodeException, xcodeAssertion + "/"]
    if failures.contains(where: line.starts) { return line.words(at: line.start) }
    guard let words = line.find(title).map({ $0 + title.utf8.count }),
      failures.contains(where: { line.has($0, at: words) })
    else { return nil }
    return line.words(at: words)
  }

  /// `*** Terminating app due to uncaught exception …` and others of the Objective-C runtime: a log
  /// puts time and process in front of it, and Xcode's tests what failed.
  static func exception(_ line: WordsLine) -> LastWords? {
    guard let stars = line.find("*** ") else { return nil }
    let start =
      line.source.find(ReportFacts.uncaught, from: stars, limit: line.range.upperBound) ?? stars
    let isException =
      [ReportFacts.uncaught, "*** Assertion failure in "].contains { line.has($0, at: start) }
      || line.has(ReportFacts.deallocated)
    return isException ? line.words(at: start) : nil
  }

  /// The allocator names the process in front of its words. Who copies them may leave that out, or
  /// quote the line.
  static func heapError(_ line: WordsLine) -> LastWords? {
    let source = line.source
    guard let stars = line.find("*** "), line.has("*** error for object 0x", at: stars) else {
      return nil
    }
    let isBare = source.bytes[line.start..<stars].allSatisfy { "> |`".utf8.contains($0) }
    guard
      isBare || stars >= line.start + 8 && source.has("malloc: ", at: stars - 8, limit: stars)
    else { return nil }
    let isNamed = [") malloc: ", "] malloc: "].contains(where: line.has)
    let words = line.words(at: isNamed ? line.start : stars)
    // A terminal breaks the line: no other line that may follow has nothing but small letters.
    guard let (below, next) = line.below, !below.isEmpty, below.count < 80,
      source.bytes[below].allSatisfy({ Ascii.isLowercase($0) || " '".utf8.contains($0) })
    else { return words }
    return LastWords("\(words.text) \(source.string(below))", at: words.start, end: next)
  }

  /// What the allocator of small blocks says about a list that somebody wrote over, with or without
  /// the process in front of it, and with any address: `malloc: Heap corruption detected, free list
  /// is damaged at 0x60000000c0f0`.
  ///
  /// Source: apple-oss-distributions/libmalloc, src/nanov2_malloc.c
  /// (`nanov2_guard_corruption_detected`).
  static func damagedFreeList(_ line: WordsLine) -> LastWords? {
    let source = line.source
    guard let words = line.find(damagedList) else { return nil }
    let title = "malloc: "
    let start = line.has(title, at: words - title.utf8.count) ? words - title.utf8.count : words
    let isNamed = start < words && [") ", "] "].contains { line.has($0, at: start - 2) }
    let isBare = source.bytes[line.start..<start].allSatisfy { "> |`*\"'".utf8.contains($0) }
    return isNamed ? line.words(at: line.start) : isBare ? line.words(at: start) : nil
  }

  static let damagedList = "Heap corruption detected, free list is damaged at "

  /// What the kernel says as the message of the exception, in whatever somebody made of it. Behind
  /// the name of a field it is the field's value.
  static func endlessRecursion(_ line: WordsLine) -> LastWords? {
    let words = ReportFacts.endlessRecursion
    guard let start = line.find(words),
      start == line.start || !Ascii.isUppercase(line.source[line.start])
    else { return nil }
    return line.words(at: line.start, words)
  }

  /// Markdown takes the stars away, and who copies a line may begin in the middle of it.
  static func exceptionWithoutStars(_ line: WordsLine) -> LastWords? {
    let ending = "uncaught exception '"
    guard let name = line.find(ending).map({ $0 + ending.utf8.count }),
      ReportFacts.uncaught.hasSuffix(line.source.string(line.start..<name))
    else { return nil }
    let rest = line.source.string(name..<line.range.upperBound)
    return line.words(at: line.start, "\(ReportFacts.uncaught)\(rest)")
  }

  /// What AppKit shows in a window about an exception that nobody caught, or copies from it: the
  /// name, and the reason in the line below.
  ///
  /// Source: github.com/orta/SpeedS-ver, issue 6; Apple, NSApplication (`reportException:`).
  static func exceptionWindow(_ line: WordsLine) -> LastWords? {
    let (title, description) = ("Exception Name: ", "Description: ")
    let source = line.source
    guard line.starts(title), let (below, end) = line.below,
      source.has(description, at: below.lowerBound, limit: below.upperBound)
    else { return nil }
    let name = source.trimmed(line.start + title.utf8.count..<line.range.upperBound)
    let reason = source.trimmed(below.lowerBound + description.utf8.count..<below.upperBound)
    guard !name.isEmpty, !reason.isEmpty else { return nil }
    return line.words(
      at: line.start, thrown(source.string(name), source.string(reason)), end: end)
  }

  static func deallocatedReceiver(_ line: WordsLine) -> LastWords? {
    line.starts("[") && line.has(ReportFacts.deallocated) ? line.words(at: line.start) : nil
  }

  /// What the exceptions say that UIKit and AppKit throw where another thread than the main one
  /// changes the user interface, without the words that the runtime puts in front: pages of crash
  /// SDKs show only the reason. All are of one name.
  ///
  /// Source: issues on github.com with the whole statement: DanXi-Dev/DanXi-swift 56,
  /// wordpress-mobile/MediaPicker-iOS 350, planetary-social/planetary-ios 1073,
  /// IndiePass/indiepass-ios 23, neilalexander/seaglass 98, banodoco/Steerable-Motion 53,
  /// apposed/jaunch 89; with the reason alone: udesk/UdeskSDK-iOS 43; with the category of a log:
  /// namhokim/cocoa_app 40.
  static func wrongThread(_ line: WordsLine) -> LastWords? {
    let source = line.source
    var range = (source.logHeadEnd(line.range) ?? line.start)..<line.range.upperBound
    let category = "[General] "
    if source.has(category, at: range.lowerBound, limit: range.upperBound) {
      range = range.lowerBound + category.utf8.count..<range.upperBound
    }
    range = source.trimmed(range, leading: "`'\"*> ", trailing: "`'\"* ")
    let isOne = reasonsOfWrongThread.contains {
      source.has($0, at: range.lowerBound, limit: range.upperBound)
    }
    return isOne
      ? line.words(
        at: range.lowerBound,
        thrown("NSInternalInconsistencyException", source.string(range))) : nil
  }

  static let reasonsOfWrongThread = [
    "Modifications to the layout engine must not be performed from a background thread",
    "accessing _cachedSystemAnimationFence requires the main thread",
    "threading violation: expected the main thread", "Call must be made on main thread",
    "NSWindow drag regions should only be invalidated on the Main Thread",
    "NSWindow should only be instantiated on the main thread",
    "API misuse: setting the main menu on a non-main thread",
  ]

  /// Name and reason of an exception as pages of crash SDKs show them: `NSRangeException: index 5
  /// …`, or with a dot in the middle or a hyphen in the place of the colon, quoted or bold too.
  ///
  /// Behind a hyphen stands what begins like a reason: `NSRangeException - when I scroll` is the
  /// title of an issue.
  static func exceptionOfPage(_ whole: WordsLine) -> LastWords? {
    let ending = "Exception"
    let source = whole.source
    var range = source.trimmed(whole.range, leading: "> *", trailing: "")
    // Of Instabug.
    if source.has("Cause: ", at: range.lowerBound, limit: range.upperBound) {
      range = range.lowerBound + 7..<range.upperBound
    }
    if range.lowerBound > whole.start, source[range.lowerBound - 1] == UInt8(ascii: "*") {
      range = source.trimmed(range, leading: "", trailing: "*")
    }
    let line = WordsLine(source: source, range: range, next: whole.next, head: whole.head)
    guard line.starts("NS"), let end = line.find(ending, within: 64) else { return nil }
    let name = line.start..<end + ending.utf8.count
    guard let mark = [": ", " · ", " - "].first(where: { line.has($0, at: name.upperBound) }),
      source.bytes[name].allSatisfy({ Ascii.isLowercase($0) || Ascii.isUppercase($0) })
    else { return nil }
    let reason = name.upperBound + mark.utf8.count..<line.range.upperBound
    if mark == " - ", let first = source.bytes[reason].first,
      !Ascii.isUppercase(first), !"-+*[".utf8.contains(first)
    {
      return nil
    }
    let (words, below) = unquoted(reason, line)
    return line.words(at: line.start, thrown(source.string(name), words), end: below)
  }

  /// A reason without the quotation marks around it, and where the line below it begins. It may go
  /// on in the three lines below, up to the mark that closes it.
  private static func unquoted(_ reason: Range<Int>, _ line: WordsLine) -> (String, end: Int) {
    let (source, whole) = (line.source, line.source.string(reason))
    let mark = source[reason.lowerBound]
    guard reason.count > 2, mark == UInt8(ascii: "'") || mark == Ascii.quote else {
      return (whole, line.next)
    }
    var words = source.string(reason.dropFirst())
    var (last, next) = (reason.upperBound, line.next)
    for _ in 0..<4 {
      if source[last - 1] == mark { return (String(words.dropLast()), next) }
      let below = source.line(at: next)
      let text = source.trimmed(below.start..<below.end, leading: "> \t", trailing: " \t\r")
      guard next < source.count, !text.isEmpty, text.count < 512 else { break }
      words += " \(source.string(text))"
      (last, next) = (text.upperBound, below.next)
    }
    return (whole, line.next)
  }

  /// The words of the Objective-C runtime about an exception that nobody caught.
  static func thrown(_ name: String, _ reason: String) -> String {
    "\(ReportFacts.uncaught)\(name)', reason: '\(reason)'"
  }

  /// Of Metal, and of the checker of the main thread. Most fields of a head begin with capitals.
  static func failedAssertion(_ line: WordsLine) -> LastWords? {
    let mayBeAssertion = !Ascii.isUppercase(line.source[line.start]) || line.starts("MTL")
    return line.starts(mainThreadChecker)
      || mayBeAssertion && line.has(": failed assertion `")
      ? line.words(at: line.start) : metalAssertion(line)
  }
}
