import JsonReading
package import ReportModel
import SymbolicationModel

/// What the dynamic linker prints when it cannot start a program, pasted without a report around
/// it:
///
/// ```text
/// dyld[42]: Library not loaded: @rpath/Kit.framework/Kit
///   Referenced from: <4C4C44…> /Applications/Game.app/Contents/MacOS/Game
///   Reason: tried: '/Applications/Game.app/…/Kit' (no such file)
/// ```
///
/// It is a report without frames: it says which program ended, and why. The word `dyld` may be in
/// `Dyld Error Message:` on the line above. Other messages have one line, and name no program:
///
/// ```text
/// Dyld Message: no cache image with name (/System/Library/Frameworks/Kit.framework/Kit)
/// dyld[42]: terminating because inserted dylib '/tmp/hook.dylib' could not be loaded: tried: …
/// ```
///
/// Source: github.com/apple-oss-distributions/dyld, dyld/DyldProcessConfig.cpp, dyld/dyldMain.cpp;
/// of version 852 and earlier src/dyld2.cpp, src/ImageLoader.cpp, src/ImageLoaderMegaDylib.cpp.
package enum LinkerMessage {
  /// The messages of a text in which no report was found.
  package static func reports(in source: TextSource) -> [Report] {
    var reports: [Report] = []
    let isNamed = ["dyld", "Dyld"].contains { name in
      source.find(name, from: source.textStart, limit: source.count) != nil
    }
    let loads = source.find("dlopen(", from: source.textStart, limit: source.count) != nil
    var next = isNamed || loads ? source.textStart : source.count
    while next < source.count, reports.count < 16 {
      let line = source.line(at: next)
      next = line.next
      if loads, let report = loadFailure(line, source) {
        // Who tries again says it again.
        if reports.last?.facts.applicationInformation != report.facts.applicationInformation {
          reports.append(report)
        }
        continue
      }
      if let message = bindingFailure(line, source) {
        // It is printed again when the program ends.
        if reports.last?.facts.termination.details.first?.hasSuffix(message.details) != true {
          reports.append(report([message.details], path: message.path, line.start..<line.end))
        }
        continue
      }
      guard let start = start(of: line, in: source) else {
        if let report = alone(line, in: source), reports.last?.saysMore(than: report) != true {
          reports.append(report)
        }
        continue
      }
      if let parts = parts(start..<line.end, of: source) {
        reports.append(report(parts.details, path: parts.path, line.start..<parts.end))
        continue
      }
      let below = source.line(at: next)
      guard next < source.count, let path = path(in: below, of: source) else {
        if let report = alone(line, in: source) { reports.append(report) }
        continue
      }
      var details = [source.string(source.trimmed(start..<line.end))]
      var end = line.end
      var current = below
      for _ in 0..<4 {
        let text = withoutQuote(source.trimmed(current.start..<current.end), source)
        // The reason may go on in the next line.
        guard
          starts.contains(where: { text.hasPrefix($0) })
            || details[details.count - 1].hasSuffix("Did find:")
        else { break }
        details.append(text)
        (end, next) = (current.end, current.next)
        guard next < source.count else { break }
        current = source.line(at: next)
      }
      reports.append(report(details, path: path, line.start..<end))
    }
    return reports.map { numbered($0, source) }
  }

  /// The message with the number of its process: `dyld[42]: `.
  private static func numbered(_ report: Report, _ source: TextSource) -> Report {
    let line = source.line(at: report.byteRange.lowerBound)
    guard let mark = source.find("dyld[", from: line.start, limit: min(line.end, line.start + 256)),
      let (number, end) = source.decimal(at: mark + 5, limit: line.end),
      source[end] == Ascii.closeBracket
    else { return report }
    var report = report
    report.facts.process.identifier = number.flatMap { Int(exactly: $0) }
    return report
  }

  /// `lazy symbol binding failed: can't resolve symbol _f in /App/Kit because dependent dylib
  /// @rpath/Board could not be loaded`: all of it is on one line.
  ///
  /// Source: github.com/apple-oss-distributions/dyld, src/ImageLoaderMachOCompressed.cpp of
  /// version 832.
  private static func bindingFailure(
    _ line: TextLine, _ source: TextSource
  ) -> (details: String, path: String)? {
    let words = "can't resolve symbol "
    // Such lines are short.
    guard line.end - line.start < 4096,
      let found = source.find(words, from: line.start, limit: line.end),
      let linker = source.find("dyld", from: line.start, limit: found),
      let reason = source.find(" because dependent dylib ", from: found, limit: line.end),
      source.find(" could not be loaded", from: reason, limit: line.end) != nil,
      let place = source.find(" in ", from: found + words.utf8.count, limit: reason)
    else { return nil }
    let colon = source.find(": ", from: linker, limit: found)
    let details = source.string(source.trimmed((colon.map { $0 + 2 } ?? found)..<line.end))
    return (details, source.string(place + 4..<reason))
  }

  /// What `dlopen()` answers a program that asks for a library while it runs, as Unity's and
  /// Python's do: the library itself needs another one, or a symbol, that is missing. The program
  /// says so, and mostly ends.
  ///
  /// ```text
  /// Error loading /Board.app/Frameworks/Game (137):  dlopen(/Board.app/Frameworks/Game, 0x0109):
  /// Library not loaded: @rpath/Kit.framework/Kit
  /// ```
  ///
  /// Source: dlopen(3), dlerror(3); github.com/apple-oss-distributions/dyld, dyld/DyldAPIs.cpp
  /// (`dlopen(%s, 0x%04X): %s`).
  private static func loadFailure(_ line: TextLine, _ source: TextSource) -> Report? {
    let limit = min(line.end, line.start + 8192)
    guard let call = source.find("dlopen(", from: line.start, limit: limit),
      let close = source.find("): ", from: call, limit: min(limit, call + 1024))
    else { return nil }
    var message = source.trimmed(close + 2..<limit)
    let words = [
      "Library not loaded: ", "Symbol not found: ", "symbol not found in flat namespace ",
    ]
    guard
      words.contains(where: { source.has($0, at: message.lowerBound, limit: message.upperBound) })
    else { return nil }
    // The lines below may be joined to it.
    let joined = ["Referenced from: ", "\\n"].compactMap {
      source.find($0, from: message.lowerBound, limit: message.upperBound)
    }
    if let end = joined.min() { message = source.trimmed(message.lowerBound..<end) }
    let arguments = source.string(call + "dlopen(".utf8.count..<close)
    let path = String(arguments.prefix { $0 != "," })
    var facts = ReportFacts()
    facts.applicationInformation = [
      "dlopen() could not load \(path.lastPathComponent): \(source.string(message))"
    ]
    facts.process.name = path.split(separator: "/").first { $0.hasSuffix(".app") }
      .map { String($0.dropLast(".app".count)) }
    return Report(
      format: .crashText, byteRange: line.start..<line.end, facts: facts, images: [],
      backtraces: [], faults: [])
  }

  /// A message of one line, behind who says it: `dyld: `, `dyld[42]: ` or `Dyld Message: `; or
  /// below `Dyld Error Message:`, whose first line is dyld's whatever it says.
  private static func alone(_ line: TextLine, in source: TextSource) -> Report? {
    let whole = source.trimmed(line.start..<min(line.end, line.start + 4096))
    guard
      let writer = ["dyld", "Dyld Message: "].compactMap({ words in
        source.find(words, from: whole.lowerBound, limit: whole.upperBound)
      }).min()
    else { return nil }
    var start = writer
    var isNumbered = false
    let isTitled = source.has("Dyld Message: ", at: writer, limit: whole.upperBound)
    if isTitled {
      start += "Dyld Message: ".utf8.count
    } else {
      start += "dyld".utf8.count
      if source[start] == UInt8(ascii: "["),
        let end = source.number(at: start + 1, limit: whole.upperBound)?.end,
        source[end] == Ascii.closeBracket
      {
        start = end + 1
        isNumbered = true
      }
      guard source.has(": ", at: start, limit: whole.upperBound) else { return nil }
      start += 2
    }
    guard start < whole.upperBound else { return nil }
    let isBelowTitle =
      isTitled
      && source.lineAbove(line).map {
        source.find("Dyld Error Message:", from: $0.start, limit: $0.end) != nil
      } == true
    let isKnown = aloneStarts.contains { source.has($0, at: start, limit: whole.upperBound) }
    guard isBelowTitle || isKnown || isNumbered && isComplaint(start..<whole.upperBound, source)
    else { return nil }
    var text = source.string(start..<whole.upperBound)
    var end = line.end
    // Somebody broke the line.
    var next = line.next
    for _ in 0..<2
    where text.hasPrefix(inserted) && text.firstRange(of: "could not be loaded") == nil
      && next < source.count
    {
      let below = source.line(at: next)
      guard !source.isBlank(below), below.end - below.start < 1024 else { break }
      text += " " + source.string(source.trimmed(below.start..<below.end))
      (end, next) = (below.end, below.next)
    }
    return report([text], path: nil, line.start..<end)
  }

  /// Whether dyld says that something is wrong. With the variables `DYLD_PRINT_…` it also writes
  /// what it loads, searches, binds and runs, and it warns of what it can do without.
  ///
  /// ```text
  /// dyld[42]: missing LC_LOAD_DYLIB (must link with at least libSystem.dylib) in /tmp/board
  /// dyld[42]: <4C4C4460-5555-3144-A1F0-1B2C3D4E5F60> /usr/lib/libSystem.B.dylib
  /// ```
  ///
  /// Source: github.com/apple-oss-distributions/dyld, mach_o/Header.cpp and mach_o/Image.cpp for
  /// complaints, of older versions dyld3/MachOAnalyzer.cpp (`in '/tmp/board' missing …`);
  /// dyld/Loader.cpp, dyld/DyldRuntimeState.cpp and doc/man/man1/dyld.1 for the rest.
  private static func isComplaint(_ range: Range<Int>, _ source: TextSource) -> Bool {
    func begins(_ words: String) -> Bool {
      source.has(words, at: range.lowerBound, limit: range.upperBound)
    }
    return range.count < 1024 && complaintStarts.contains(where: begins)
      && !traceStarts.contains(where: begins)
      // Of a trace.
      && source.find(" => ", from: range.lowerBound, limit: range.upperBound) == nil
  }

  private static let complaintStarts = [
    "missing ", "malformed ", "unknown ", "unsupported ", "invalid ", "incompatible ", "bad ",
    "duplicate ", "overlapping ", "segment '", "load command ", "LC_", "in '/", "not a ", "no ",
    "cannot ", "can't ", "could not ", "unable to ", "code signature ", "mmap(", "open(", "stat(",
    "fcntl(", "terminating ", "chained fixups", "Symbols not found", "file too ", "mach-o file",
  ]
  private static let traceStarts = ["could not use ", "unable to use "]

  private static let inserted = "terminating because inserted dylib '"
  private static let aloneStarts = [
    "no cache image with name (", inserted, "could not load inserted library '",
    "lazy symbol binding failed: ", "Incompatible library version: ",
    "unknown required load command 0x", "malformed mach-o", "dependent dylib '",
    "weak-def symbol not found '", "symbol not found in flat namespace '", "Symbol not found: ",
    "missing symbol called",
  ]

  private static func report(_ details: [String], path: String?, _ range: Range<Int>) -> Report {
    var facts = ReportFacts()
    facts.termination.namespace = "DYLD"
    facts.termination.details = details
    let path = path.map { String($0.prefix { !"'\"`".contains($0) }) }
    // Of a library in the bundle of a program, that is what ends.
    if let path, let end = path.firstRange(of: "/Frameworks/")?.lowerBound,
      let bundle = path[..<end].split(separator: "/").last(where: {
        $0.hasSuffix(".app") || $0.hasSuffix(".appex")
      }), let dot = bundle.lastIndex(of: ".")
    {
      facts.process.name = String(bundle[..<dot])
    } else if path?.hasSuffix(".dylib") != true {
      facts.process.path = path
      facts.process.name = path?.split(separator: "/").last.map { String($0) }
    }
    return Report(
      format: .crashText, byteRange: range, facts: facts, images: [], backtraces: [], faults: [])
  }

  /// The parts of a message whose lines were joined: `Library not loaded: /lib/libkit.dylib
  /// Referenced from: /bin/board Reason: image not found`. What follows is no part of it.
  private static func parts(
    _ range: Range<Int>, of source: TextSource
  ) -> (details: [String], path: String, end: Int)? {
    // A message is not longer, but the line may be that of a page, whose next tag ends it.
    let longest = min(range.upperBound, range.lowerBound + 4096)
    let tags = ["</", "<br"].compactMap {
      source.find($0, from: range.lowerBound, limit: longest)
    }
    let limit = tags.min() ?? longest
    func place(_ words: String) -> Int? {
      source.find(words, from: range.lowerBound, limit: limit)
    }
    guard let referenced = place(" Referenced from: ") else { return nil }
    let reason = [" Reason: ", " Expected in: "].compactMap { place($0) }.filter { $0 > referenced }
      .min()
    let details = [
      range.lowerBound..<referenced, referenced..<(reason ?? limit),
      reason.map { $0..<limit },
    ].compactMap(\.self).map { source.string(source.trimmed($0)) }
    guard let slash = details[1].firstIndex(of: "/") else { return nil }
    return (details, String(details[1][slash...]), limit)
  }

  /// Where the message begins, behind what a log has in front of it.
  private static func start(of line: TextLine, in source: TextSource) -> Int? {
    for words in ["Library not loaded: ", "Symbol not found: "] {
      guard let start = source.find(words, from: line.start, limit: line.end) else { continue }
      let above = source.lineAbove(line)
      let isLinker =
        ["dyld", "Dyld"].contains { source.find($0, from: line.start, limit: start) != nil }
        || above.map { source.find("Dyld Error Message:", from: $0.start, limit: $0.end) != nil }
          == true
      return isLinker ? start : nil
    }
    return nil
  }

  /// The program or library that needs what is missing.
  private static func path(in line: TextLine, of source: TextSource) -> String? {
    let text = withoutQuote(source.trimmed(line.start..<line.end), source)
    guard text.hasPrefix("Referenced from: "), let slash = text.firstIndex(of: "/") else {
      return nil
    }
    return String(text[slash...])
  }

  private static let starts = ["Referenced from: ", "Reason: ", "Expected in: "]

  /// The line without the mark of a quotation, and with single spaces.
  private static func withoutQuote(_ range: Range<Int>, _ source: TextSource) -> String {
    let text = source.string(range).drop { $0 == ">" || $0 == " " }
    guard text.hasPrefix("Referenced  from") else { return String(text) }
    return "Referenced from" + text.dropFirst("Referenced  from".count)
  }
}

extension Report {
  /// Whether dyld's message in it is another's, with the file behind it: dyld prints both.
  fileprivate func saysMore(than other: Report) -> Bool {
    guard let own = facts.termination.details.first,
      let rest = other.facts.termination.details.first
    else { return false }
    return own.hasPrefix(rest)
  }
}
