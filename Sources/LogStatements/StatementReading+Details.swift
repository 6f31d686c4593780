import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Messages that need more than their own line, or more than one of them.
extension StatementReading {
  /// The frame that the line names behind the reason; nil if it names none.
  func frame(_ match: LineMatch, _ line: TextLine) -> StackFrame? {
    guard let image = match.text(.image, source) else { return nil }
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = 0
    values.imageName = image
    values.imageOffset = match.number(.place, source)
    values.symbol = match.text(.symbol, source).map {
      FrameSymbol(name: $0, offset: match.number(.offset, source).flatMap { Int64(exactly: $0) })
    }
    return StackFrame(address: nil, carrier: .values(values))
  }

  /// Takes how a process ended. What another one printed may follow without a line break.
  mutating func takeEnd(_ match: LineMatch, _ line: TextLine) -> Bool {
    if let words = LastWords(line, of: source), words.isSentence, words.start > line.start,
      source[words.start - 1] == UInt8(ascii: ")")
    {
      _ = take(words, line)
    }
    return ending.takeEnd(match, source)
  }

  func isOfSameProcess(_ match: LineMatch) -> Bool {
    let number = match.integer(.pid, source)
    return number == nil || facts.process.identifier == nil || number == facts.process.identifier
  }

  /// Whether the line or the one above says that the limit is one that ends processes: `Received
  /// (FATAL) CPU usage trigger:`.
  func isOfFatalTrigger(_ line: TextLine) -> Bool {
    [line, above].contains { line in
      line.flatMap { source.find("Received (FATAL) ", from: $0.start, limit: $0.end) } != nil
    }
  }

  /// What RunningBoard and its forerunners say before they end a suspended process, with the paths
  /// of the files in the lines below.
  ///
  /// - Returns: false if the line names neither the process nor a file, as a question does.
  mutating func takeLockedFiles(_ match: LineMatch, _ line: TextLine) -> Bool {
    guard facts.termination.namespace == nil else { return true }
    var paths: [String] = []
    var next = line.next
    while next < source.count, paths.count < 8 {
      let below = source.line(at: next)
      // Of quotations in Markdown.
      let start = source.bytes[below.start..<below.end].firstIndex {
        $0 > Ascii.space && $0 != Ascii.greater
      }
      guard let start, source[start] == Ascii.slash else { break }
      let path = source.string(source.trimmed(start..<below.end))
      // SpringBoard has the whole message in parentheses.
      paths.append(path.hasSuffix(")") ? String(path.dropLast()) : path)
      next = below.next
    }
    let onLine = match.text(.path, source).map { [$0] } ?? []
    guard match[.process] != nil || (onLine + paths).first?.hasPrefix("/") == true else {
      return false
    }
    skipEnd = next
    facts.termination.namespace = "RUNNINGBOARD"
    facts.termination.code = 0xdead_10cc
    facts.termination.details = (onLine + paths).prefix(1).map { "locked file: \($0)" }
    guard facts.process.name == nil, let owner = match.text(.process, source) else { return true }
    // `app<com.example.board>`, in newer versions with a UUID behind the identifier.
    if owner.hasSuffix(">"), let open = owner.firstIndex(of: "<") {
      let name = String(owner[owner.index(after: open)...].prefix { $0 != ">" && $0 != "(" })
      facts.process.bundleIdentifier = name
      facts.process.name = name
    } else if let end = owner.lastIndex(of: ";") {
      // SpringBoard's message names the process twice.
      let name = owner[owner.index(after: end)...].drop { $0 == " " }
      facts.process.name = name.isEmpty ? nil : String(name)
    }
    return true
  }

  /// Takes TCC's words and the next lines, until one names the key that is missing.
  mutating func takeBrokenPrivacy(_ match: LineMatch, _ line: TextLine, _ sign: Int) -> Bool {
    let first = source.string(source.trimmed(sign..<line.end))
    var words = first
    var next = line.next
    for _ in 0..<3 where next < source.count {
      // The sentence with the key ends.
      if words.last == ".", words.firstRange(of: "UsageDescription") != nil { break }
      let below = source.line(at: next)
      let range = source.trimmed(below.start..<below.end)
      guard !range.isEmpty, range.count < 512,
        !source.has("```", at: range.lowerBound, limit: range.upperBound)
      else { break }
      words += " " + source.string(range)
      next = below.next
    }
    if words.firstRange(of: "UsageDescription") == nil {
      guard first == StatementMessage.privateSentence else { return false }
      (words, next) = (first, line.next)
      guard match[.process] != nil else {
        facts.applicationInformation.append(words)
        return true
      }
    }
    if facts.termination.namespace == nil {
      facts.termination.namespace = "TCC"
      facts.termination.details = [words]
      if let name = match.text(.process, source) {
        (facts.process.name, facts.process.identifier) = (name, match.integer(.pid, source))
      }
    }
    skipEnd = next
    return true
  }

  /// Takes a part of what OpenJ9 prints about a signal, each part on a line of its own:
  ///
  /// ```text
  /// Type=Segmentation error vmState=0x00000000
  /// J9Generic_Signal_Number=00000018 Signal_Number=0000000b Error_Value=00000000 Signal_Code=…
  /// Handler1=00000001052A0000 Handler2=0000000104FF0000 InaccessibleAddress=0000000000000450
  /// Module=/jdk/lib/default/libj9vm29.dylib
  /// ```
  ///
  /// - Returns: whether the part says what happened.
  mutating func takeOpenJ9(_ match: LineMatch) -> Bool {
    if let kind = match.text(.message, source) {
      // The parts that follow are of the first one.
      guard facts.exception.message == nil, facts.exception.subtype == nil else { return true }
      facts.exception.subtype = kind
      facts.exception.message = Self.ofOpenJ9
      return true
    }
    guard let message = facts.exception.message, message.hasPrefix(Self.ofOpenJ9),
      let kind = facts.exception.subtype
    else { return false }
    if let number = match.number(.base, source), facts.exception.signal == nil {
      // Darwin has another number for it than Linux.
      facts.exception.signal = number == 7 ? "SIGBUS" : MachNames.signal(number)
    } else if let address = match.number(.fault, source), kind.firstRange(of: " at 0x") == nil {
      facts.exception.subtype = "\(kind) at \(address.hexadecimal)"
    } else if let path = match.text(.path, source), message == Self.ofOpenJ9 {
      facts.exception.message = "\(message), in \(path.lastPathComponent)"
    }
    return false
  }

  private static let ofOpenJ9 = "caught by the Java VM OpenJ9"

  /// Takes what Go says about a signal in the code that it runs, or that it called in C:
  ///
  /// ```text
  /// SIGSEGV: segmentation violation
  /// PC=0x18a7871a8 m=0 sigcode=2 addr=0x0
  /// ```
  ///
  /// Source: github.com/golang/go, src/runtime/signal_unix.go (`fatalsignal`).
  mutating func takeSignalOfGo(_ match: LineMatch) -> Bool {
    guard let above, facts.exception.signal == nil,
      let name = Self.signalOfGo.match(source, source.trimmed(above.start..<above.end))
    else { return facts.exception.signal != nil }
    facts.take(name, source)
    facts.take(match, source)
    return true
  }

  private static let signalOfGo = LinePattern("SIG{signal:w}: {skip}")

  /// Takes what an assertion of Xcode's says in the lines below its place, up to its words:
  ///
  /// ```text
  /// ASSERTION FAILURE in /Library/Caches/com.apple.xbs/Sources/Board/Board.m:62
  /// Details:  (cards) should not be nil.
  /// Object:   <Board: 0x7ff5b24cf330>
  /// ```
  mutating func takeDetailsOfXcode(below line: TextLine) {
    var next = line.next
    for _ in 0..<4 where next < source.count {
      let below = source.line(at: next)
      next = below.next
      let range = source.trimmed(below.start..<below.end, leading: "> \t|", trailing: " \t")
      guard source.has("Details:", at: range.lowerBound, limit: range.upperBound),
        range.count < 4096
      else { continue }
      facts.applicationInformation.append(source.string(range))
      skipEnd = next
      return
    }
  }

  /// Takes why a debugger stopped, wherever it is in a sentence.
  mutating func takeStop(_ stop: String?, _ line: TextLine) -> Bool {
    guard let stop else { return false }
    if facts.exception.type == nil {
      facts.take(stop: stop)
      takePlace(behind: stop, line)
    }
    if facts.process.name == nil, writerAbove.name == nil {
      writerAbove = source.writer(above: line, floor: source.textStart) ?? writerAbove
    }
    return true
  }

  /// Takes the function that follows what a debugger says: `EXC_BAD_ACCESS (code=2) in
  /// -[Board turn]`. Titles have a method as its class and its selector: `in DeckBoard
  /// turnCard:atIndex: when …`.
  private mutating func takePlace(behind stop: String, _ line: TextLine) {
    guard innermost == nil, let found = source.find(stop, from: line.start, limit: line.end)
    else { return }
    let end = found + stop.utf8.count
    guard source.has(" in ", at: end, limit: line.end) else {
      takeQuotedFrame(behind: end, line)
      return
    }
    var start = end + 4
    while start < min(line.end, end + 8), "`*".utf8.contains(source[start]) { start += 1 }
    guard
      let name = source.functionInSentence(start..<line.end)
        ?? source.methodInTitle(start..<line.end)
    else { return }
    innermost = source.frame(FrameSymbol(name: name), line.start..<line.end)
  }

  /// Takes the innermost frame that a sentence quotes behind what a debugger says, or the next line
  /// has: `frame #0: board_turn + 12`. Markdown needs a backslash in front of the mark in between:
  ///
  /// ```text
  /// lldb: `stop reason = EXC_BAD_ACCESS (code=2, address=0x209ac0da0)`,
  /// `frame #0: libboard.dylib\`board_turn`
  /// ```
  private mutating func takeQuotedFrame(behind end: Int, _ line: TextLine) {
    let limit = min(source.line(at: line.next).end, end + 240)
    let title = "frame #0: "
    guard let mark = source.find(title, from: end, limit: limit) else { return }
    let start = mark + title.utf8.count
    guard source[mark - 1] == UInt8(ascii: "`") else {
      let text = source.trimmed(start..<source.line(at: line.next).end)
      guard mark >= line.next, source.isName(source.withoutOffset(text)) else { return }
      innermost = source.placedFunction(text).map { source.frame($0, text) }
      return
    }
    let image = source.bytes[start..<limit].prefix { $0 > Ascii.space && !"`\\".utf8.contains($0) }
    var next = image.endIndex
    if source.has("\\", at: next, limit: limit) { next += 1 }
    guard !image.isEmpty, source.has("`", at: next, limit: limit) else { return }
    let name = source.bytes[next + 1..<limit].prefix(while: TextSource.isOfName)
    guard !name.isEmpty, source.has("`", at: name.endIndex, limit: limit) else { return }
    var values = FrameValues(byteRange: mark..<name.endIndex)
    values.index = 0
    values.imageName = source.string(start..<image.endIndex)
    values.symbol = FrameSymbol(name: source.string(name.startIndex..<name.endIndex))
    innermost = StackFrame(address: nil, carrier: .values(values))
  }

  /// Takes the kind of the exception from somebody's own words, with the function behind it.
  mutating func takeExceptionName(
    at sign: Int, _ range: Range<Int>, _ line: TextLine
  ) -> Bool {
    told.take(at: sign, range, source)
    if takeRecursion(at: sign, range) { return true }
    guard let words = source.exceptionWords(at: sign, range) else {
      return takeReportInSentence(at: sign, range, line)
    }
    guard facts.exception.type == nil else { return true }
    facts.exception.type = words.type
    facts.exception.signal = words.signal
    facts.exception.subtype = words.code
    if facts.exception.name == nil, facts.exception.reason == nil {
      facts.exception.name = source.uncaughtException(behind: sign, range)
    }
    if let symbol = words.function, innermost == nil {
      var values = FrameValues(byteRange: line.start..<line.end)
      values.index = 0
      values.symbol = symbol
      innermost = StackFrame(address: nil, carrier: .values(values))
    }
    return true
  }

  /// Takes what an exception says from a line with nothing else, and its name from the sentences
  /// around it.
  mutating func takeThrownReason(_ range: Range<Int>, _ line: TextLine, _ sign: Int) -> Bool {
    guard
      let reason = source.thrownReason(range) ?? source.missingMethod(range, line, sign)
        ?? source.reasonOfThread(range)
    else { return false }
    guard facts.exception.reason == nil else { return true }
    facts.exception.reason = source.string(reason)
    facts.exception.name = source.exceptionName(around: line)
    if facts.process.name == nil { facts.takeWriter(range, reason.lowerBound, source) }
    return true
  }

  /// The last words of a text that ends within them, as far as another line has them: people cut a
  /// log off, and say above what happened.
  func whole(_ words: LastWords) -> String {
    guard words.end >= source.count - 8,
      source.bytes[min(words.end, source.count)...].allSatisfy({ $0 <= Ascii.space || $0 == 0x60 }),
      let mark = words.text.firstRange(of: ": ")
    else { return words.text }
    let rest = String(words.text[mark.upperBound...])
    guard rest.utf8.count >= 24, rest.utf8.count < 512,
      let start = source.find(rest, from: source.textStart, limit: words.start)
    else { return words.text }
    let line = source.line(at: start)
    let whole = source.string(source.trimmed(start..<min(line.end, start + 512)))
    return whole.utf8.count > rest.utf8.count
      ? words.text[..<mark.upperBound] + whole : words.text
  }

  /// Takes why a process was ended, with the details in the indented lines below.
  mutating func takeTermination(_ match: LineMatch, _ line: TextLine) -> Bool {
    guard let text = match.text(.message, source),
      let (termination, end) = source.termination(text, below: line)
    else { return false }
    if facts.termination.namespace == nil { facts.termination = termination }
    skipEnd = end
    return true
  }

  /// What a sanitizer found: the first of it is what happened.
  mutating func takeFinding(_ match: LineMatch, of tool: String) -> Bool {
    guard let reason = match.text(.reason, source), !reason.contains(" leaked in ") else {
      return false
    }
    guard facts.exception.type == nil else { return true }
    facts.exception.type = match.text(.exception, source).map { $0 + tool } ?? tool
    let place = match.text(.file, source).map { file in
      " at \(file.lastPathComponent):\(match.integer(.line, source) ?? 0)"
    }
    facts.exception.subtype = reason + (place ?? "")
    return true
  }
}

extension TextSource {
  /// What Xcode shows about a thread on which nobody caught an exception: `Thread 1: "no cards"`.
  fileprivate func reasonOfThread(_ range: Range<Int>) -> Range<Int>? {
    threadHeadEnd(range).map { trimmed($0..<range.upperBound, leading: "\"", trailing: "`\"") }
  }

  /// The words about a missing method in a sentence; nil for an example, and if the line says more
  /// of the exception.
  fileprivate func missingMethod(_ range: Range<Int>, _ line: TextLine, _ sign: Int) -> Range<Int>?
  {
    guard range.count < 1024, let words = missingMethod(inSentence: range, at: sign),
      !isExample(range.lowerBound..<words.lowerBound), LastWords(line, of: self) == nil
    else { return nil }
    return words
  }
}

extension TextSource {
  /// Whether a title has an image and a function of it, and no other words: a file with a dot in
  /// its name, or a program or framework and what only functions are called.
  func namesFunction(_ title: LineMatch) -> Bool {
    guard let image = title[.image], let name = title[.symbol], isName(name) else { return false }
    return bytes[image].contains(UInt8(ascii: "."))
      || Ascii.isUppercase(self[image.lowerBound]) && bytes[image].allSatisfy(Self.isOfName)
        && bytes[name].contains { "([:._".utf8.contains($0) }
  }
}

extension TextSource {
  /// A message of Swift 5.3 and earlier, which has its place at the end, with the lines down to it,
  /// and where the line below them begins:
  ///
  /// ```text
  /// Fatal error: No observable object of type Deck.Type found.
  /// A View.environmentObject(_:) for Deck.Type may be missing …: file …/Board.swift, line 161
  /// ```
  ///
  /// Nil if there is no place in the six lines below.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core/AssertCommon.swift, and
  /// stdlib/public/stubs/Assert.cpp before and after version 5.3.
  func swiftMessage(_ words: String, below line: TextLine) -> (text: String, end: Int)? {
    var text = words
    var next = line.next
    for _ in 0..<6 where next < count {
      let below = self.line(at: next)
      let range = trimmed(below.start..<below.end)
      guard below.end - below.start < 4096, logHeadEnd(range) == nil,
        !has("Fatal error: ", at: range.lowerBound, limit: range.upperBound)
      else { return nil }
      text += " \(string(range))"
      next = below.next
      if find(".swift, line ", from: range.lowerBound, limit: range.upperBound) != nil {
        return (text, next)
      }
    }
    return nil
  }
}
