import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// The instructions around the one at which lldb or Xcode stopped, which has an arrow:
///
/// ```text
/// libboard.dylib`board_turn:
///     0x101081f9c <+60>: add    x20, x20, #0x801          ; "BUG IN CLIENT OF LIBBOARD: no cards"
/// ->  0x101081fb4 <+84>: brk    #0x1
/// ```
///
/// A trap says that the function stopped the process, and the text that is loaded before it is what
/// the library says about that. Any other instruction only says where.
///
/// Source: lldb, source/Core/Disassembler.cpp (`Instruction::Dump`); the words:
/// apple-oss-distributions/libdispatch, src/internal.h (`DISPATCH_CLIENT_CRASH`).
struct Disassembly {
  let image: String
  let symbol: FrameSymbol
  /// `EXC_BREAKPOINT` or `EXC_BAD_INSTRUCTION`, if the instruction is a trap.
  let exception: String?
  /// What the library says.
  private(set) var words: String?

  /// Nil if no function stands above the instructions.
  ///
  /// - Parameters:
  ///   - instruction: at which the debugger stopped.
  ///   - offset: of it in the function.
  ///   - line: with it.
  init?(_ instruction: String, _ offset: UInt64?, _ line: TextLine, _ source: TextSource) {
    exception = Self.traps.first { instruction.hasPrefix($0.instruction) }?.exception
    var current = line
    for distance in 0..<Self.longest {
      guard let above = source.lineAbove(current), above.end - above.start < 1024 else {
        return nil
      }
      current = above
      let range = source.trimmed(above.start..<above.end, leading: " \t>|", trailing: " \t:")
      guard !Self.isInstruction(range, source) else {
        if distance < Self.nearest, exception != nil, words == nil {
          words = Self.words(range, source)
        }
        continue
      }
      let parts = source.string(range).split(separator: "`", omittingEmptySubsequences: false)
      guard parts.count == 2, let image = parts.first, let name = parts.last, !image.isEmpty,
        !name.isEmpty, !image.contains(where: { $0 == ":" || $0 == ";" })
      else { return nil }
      self.image = String(image)
      symbol = FrameSymbol(
        name: String(name),
        offset: offset.flatMap { Int64(exactly: $0) })
      return
    }
    return nil
  }

  /// Whether a line has an address in front, with the distance from the start of the function or,
  /// of lldb before version 300, without.
  static func isInstruction(_ range: Range<Int>, _ source: TextSource) -> Bool {
    guard source.has("0x", at: range.lowerBound, limit: range.upperBound) else { return false }
    let limit = min(range.upperBound, range.lowerBound + 32)
    return [" <+", ": "].contains {
      source.find($0, from: range.lowerBound, limit: limit) != nil
    }
  }

  /// `BUG IN CLIENT OF LIBDISPATCH: …` of the comment behind an instruction.
  private static func words(_ range: Range<Int>, _ source: TextSource) -> String? {
    guard source.has("\"", at: range.upperBound - 1, limit: range.upperBound),
      let start = source.find("; \"BUG IN ", from: range.lowerBound, limit: range.upperBound)
    else { return nil }
    return source.string(start + 3..<range.upperBound - 1)
  }

  private static let traps = [
    (instruction: "brk ", exception: "EXC_BREAKPOINT"),
    (instruction: "int3", exception: "EXC_BREAKPOINT"),
    (instruction: "trap", exception: "EXC_BREAKPOINT"),
    (instruction: "ud2", exception: "EXC_BAD_INSTRUCTION"),
    (instruction: "udf ", exception: "EXC_BAD_INSTRUCTION"),
  ]
  /// Functions that a runtime calls for what nobody caught.
  ///
  /// Source: github.com/JetBrains/kotlin, kotlin-native/runtime/src/main/cpp/Exceptions.cpp;
  /// swiftlang/swift, stdlib/public/core/ErrorType.swift.
  fileprivate static let endings: Set = [
    "Kotlin_processUnhandledException", "Kotlin_terminateWithUnhandledException",
    "swift_unexpectedError", "swift_errorInMain",
  ]
  /// Functions with more instructions are not read.
  private static let longest = 400
  /// How many instructions above the trap the text is loaded at most.
  private static let nearest = 16
}

extension StatementReading {
  /// Whether a sentence has the words of a library in quotation marks. Source code has a bracket in
  /// front of them, and a disassembly a semicolon.
  func isQuotedBug(_ words: LastWords, _ line: TextLine) -> Bool {
    (words.text.hasPrefix("BUG IN ") || words.isOfConcurrency) && words.start - line.start < 1024
      && !source.bytes[line.start..<words.start].contains { "(;".utf8.contains($0) }
  }

  /// Takes where a debugger stopped, and why if the instruction is a trap.
  mutating func takeDisassembly(_ match: LineMatch, _ line: TextLine) -> Bool {
    // Each looks at many lines.
    guard innermost == nil, disassemblies < 8 else { return false }
    disassemblies += 1
    let instruction = match.text(.message, source) ?? ""
    guard
      let found = Disassembly(instruction, match.number(.offset, source), line, source)
    else { return takeCall(above: line) }
    take(found, match.number(.address, source), line)
    guard let exception = found.exception else { return false }
    if facts.exception.type == nil { facts.exception.type = exception }
    if let words = found.words { facts.applicationInformation.append(words) }
    return true
  }

  /// Takes the function that the instruction above calls, if that only ends the process: nothing
  /// else says what the instructions are of.
  private mutating func takeCall(above line: TextLine) -> Bool {
    guard let above = source.lineAbove(line), above.end - above.start < 256 else { return false }
    let text = source.trimmed(above.start..<above.end, leading: " \t>|", trailing: " \t\r")
    guard Disassembly.isInstruction(text, source),
      let mark = source.find("; ", from: text.lowerBound, limit: text.upperBound),
      source.find(" bl ", from: text.lowerBound, limit: mark) != nil
        || source.find(" call", from: text.lowerBound, limit: mark) != nil,
      case let name = source.string(mark + 2..<text.upperBound), Disassembly.endings.contains(name)
    else { return false }
    innermost = Self.frame(nil, FrameSymbol(name: name), nil, above)
    return true
  }

  private mutating func take(_ found: Disassembly, _ address: UInt64?, _ line: TextLine) {
    innermost = Self.frame(found.image, found.symbol, address, line)
  }

  private static func frame(
    _ image: String?, _ symbol: FrameSymbol, _ address: UInt64?, _ line: TextLine
  ) -> StackFrame {
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = 0
    values.imageName = image
    values.symbol = symbol
    return StackFrame(address: address.map { LoadAddress($0) }, carrier: .values(values))
  }

  /// Takes the function whose instructions follow, from the line above them: ``Board`board_turn:``.
  /// A text may end before the one at which the debugger stopped.
  mutating func takeHeadOfDisassembly(_ line: TextLine) {
    guard line.end - line.start < 1024, shownFunction?.count ?? 0 < 2,
      let mark = source.find("`", from: line.start, limit: line.end), mark > line.start,
      mark + 2 < line.end, source.find("`", from: mark + 1, limit: line.end) == nil
    else { return }
    let image = source.string(line.start..<mark)
    let name = source.string(mark + 1..<line.end - 1)
    let below = source.line(at: line.next)
    guard !image.contains(" "),
      Disassembly.isInstruction(
        source.trimmed(below.start..<below.end, leading: " \t>|-", trailing: " "), source)
    else { return }
    let frame = Self.frame(image, FrameSymbol(name: name), nil, line)
    shownFunction = (shownFunction?.frame ?? frame, (shownFunction?.count ?? 0) + 1)
  }

  /// Takes where a debugger stopped from a line with the instruction, behind which Xcode, or who
  /// copies it, writes why: `0x1b3a8 <+8>: ldr x13, [x0]   Thread 1: EXC_BAD_ACCESS (code=1, …)`.
  mutating func takeInstruction(before stop: Int, _ line: TextLine) {
    let range = source.trimmed(line.start..<stop, leading: " \t>|*-", trailing: " ")
    guard innermost == nil, disassemblies < 8, Disassembly.isInstruction(range, source),
      let (address, end) = source.hexadecimal(at: range.lowerBound, limit: range.upperBound)
    else { return }
    disassemblies += 1
    let offset = source.find("<+", from: end, limit: min(range.upperBound, end + 4)).flatMap {
      source.decimal(at: $0 + 2, limit: range.upperBound)?.value
    }
    guard let found = Disassembly("", offset, line, source) else { return }
    take(found, address, line)
  }
}

extension TextSource {
  /// The stack that somebody copied from the window of a debugger: names and addresses, without
  /// numbers and images. It counts below a heading that calls it a stack, in a text about a crash.
  ///
  /// ```text
  /// ### Stacktrace
  /// _os_object_retain 0x0000000190dcee24
  /// deck::Dealer::next() 0x0000000192c04a4c
  /// ```
  ///
  /// Source: how JetBrains' debuggers list frames without source code.
  ///
  /// - Complexity: O(n); looks at a few lines below each heading.
  func reportOfStack() -> Report? {
    var next = textStart
    while next < count {
      let line = self.line(at: next)
      next = line.next
      if let report = reportOfList(below: line) ?? reportOfThread(from: line) { return report }
      guard isHeadingOfStack(line) else { continue }
      var frames: [StackFrame] = []
      var isBelowFrames = false
      var skipped = 0
      while next < count, !isBelowFrames, frames.count < 512 {
        let below = self.line(at: next)
        if let frame = nameAndAddress(below, frames.count) {
          frames.append(frame)
        } else {
          isBelowFrames = !frames.isEmpty || skipped > 3
          skipped += 1
        }
        if !isBelowFrames { next = below.next }
      }
      guard frames.count > 1, let last = frames.last, let end = last.byteRange?.upperBound,
        mentionsCrash(near: line.start..<end)
      else { continue }
      let stack = Backtrace(
        kind: .thread, number: nil, isCrashed: true, frames: frames, byteRange: line.start..<end)
      return Report(
        format: .crashText, byteRange: line.start..<end, facts: ReportFacts(), images: [],
        backtraces: [stack], faults: [])
    }
    return nil
  }

  private func isHeadingOfStack(_ line: TextLine) -> Bool {
    guard line.end - line.start > 5, line.end - line.start < 48 else { return false }
    let text = trimmed(line.start..<line.end, leading: "#*_> \t", trailing: "*_: \t\r")
    guard text.count > 8, text.count < 16 else { return false }
    let isHeading = text.lowerBound > line.start || text.upperBound < line.end
    return isHeading
      && ["stacktrace", "stack trace", "backtrace", "call stack"].contains(
        string(text).lowercased())
  }

  /// A function and an address of 16 digits, which nothing follows.
  private func nameAndAddress(_ line: TextLine, _ index: Int) -> StackFrame? {
    let text = trimmed(line.start..<line.end, leading: "> \t", trailing: " \t\r")
    guard text.count > 20, text.count < 2048, case let digits = text.upperBound - 16,
      has(" 0x", at: digits - 3, limit: digits),
      let (address, end) = hexadecimal(at: digits - 2, limit: text.upperBound),
      end == text.upperBound,
      case let name = trimmed(text.lowerBound..<digits - 3), isFunctionOfDebugger(name)
    else { return nil }
    var values = FrameValues(byteRange: text)
    values.index = index
    values.symbol = FrameSymbol(name: string(name))
    return StackFrame(address: LoadAddress(address), carrier: .values(values))
  }

  /// Whether a text is the name of a function: one word up to its parameters, or a method.
  private func isFunctionOfDebugger(_ name: Range<Int>) -> Bool {
    isName(name) || isFunction(name)
  }
}

extension TextSource {
  /// The stack that somebody retells as a numbered list of functions below a heading, in the order
  /// of the calls or from the innermost on; one of the ends says that the process aborted:
  ///
  /// ```text
  /// **Thread 0, bottom→top:**
  ///
  /// 1. deck_call_observers (DeckKit)
  /// 2. board::window::theme_changed
  /// 3. core::panicking::panic_cannot_unwind
  /// 4. abort() → SIGABRT
  /// ```
  ///
  /// Nil below other lines.
  fileprivate func reportOfList(below heading: TextLine) -> Report? {
    guard isHeadingOfList(heading) else { return nil }
    var items: [(name: Range<Int>, text: Range<Int>)] = []
    var (signal, next) = (nil as String?, heading.next)
    for _ in 0..<64 where next < count {
      let line = self.line(at: next)
      let text = trimmed(line.start..<line.end, leading: "> \t", trailing: " \t\r")
      let isAbove = text.isEmpty || has("```", at: text.lowerBound, limit: text.upperBound)
      guard items.isEmpty && isAbove || line.end - line.start < 512 else { return nil }
      if !isAbove || !items.isEmpty {
        guard let item = listedFunction(text, after: items.count) else { break }
        items.append((item.name, text))
        signal = signal ?? item.signal
      } else if next - heading.next > 16 {
        return nil
      }
      next = line.next
    }
    guard items.count > 2, let first = items.first, let last = items.last,
      case let (isFirst, isLast) = (endsProcess(first.name), endsProcess(last.name)),
      isFirst != isLast
    else { return nil }
    let frames = (isLast ? items.reversed() : items).enumerated().map { index, item in
      var values = FrameValues(byteRange: item.text)
      values.index = index
      values.symbol = FrameSymbol(name: string(item.name))
      return StackFrame(address: nil, carrier: .values(values))
    }
    let range = first.text.lowerBound..<last.text.upperBound
    guard signal != nil || saysCrash(near: range) else { return nil }
    var facts = ReportFacts()
    facts.exception.signal = signal
    return Report(
      format: .crashText, byteRange: range, facts: facts, images: [],
      backtraces: [
        Backtrace(kind: .thread, number: nil, isCrashed: true, frames: frames, byteRange: range)
      ], faults: [])
  }

  /// Whether a crash is named around a list. What explains panics has `abort` there, too.
  private func saysCrash(near range: Range<Int>) -> Bool {
    find(
      "rash", from: max(textStart, range.lowerBound - 2048),
      limit: min(count, range.upperBound + 2048)) != nil
  }

  private func isHeadingOfList(_ line: TextLine) -> Bool {
    guard line.end - line.start > 7, line.end - line.start < 96 else { return false }
    let text = trimmed(line.start..<line.end, leading: "#*_> \t", trailing: "*_ \t\r")
    guard text.count > 7,
      text.lowerBound > line.start || self[text.upperBound - 1] == Ascii.colon
    else { return false }
    return ["hread", "tack", "acktrace"].contains {
      find($0, from: text.lowerBound, limit: text.upperBound) != nil
    }
  }

  /// The function of an item of the list, behind the next number; nil for anything else.
  private func listedFunction(
    _ text: Range<Int>, after index: Int
  ) -> (name: Range<Int>, signal: String?)? {
    guard let (value, end) = decimal(at: text.lowerBound, limit: text.upperBound),
      value.flatMap({ Int(exactly: $0) }) == index + 1, has(". ", at: end, limit: text.upperBound)
    else { return nil }
    var name = trimmed(end + 2..<text.upperBound, leading: " `", trailing: " `")
    var signal: String?
    for arrow in [" → ", " -> "] {
      guard let mark = find(arrow, from: name.lowerBound, limit: name.upperBound) else { continue }
      let word = string(mark + arrow.utf8.count..<name.upperBound)
      guard MachNames.isSignal(word) else { return nil }
      signal = word
      name = trimmed(name.lowerBound..<mark, leading: "", trailing: " `")
    }
    // What somebody calls the code that it is of, maybe in short.
    if let open = find(" (", from: name.lowerBound, limit: name.upperBound),
      case let inside = open + 2..<name.upperBound - 1, inside.count > 1,
      self[name.upperBound - 1] == UInt8(ascii: ")"), bytes[inside].allSatisfy(Self.isOfName)
    {
      name = name.lowerBound..<open
    }
    name = withoutOffset(name)
    return isName(name) ? (name, signal) : nil
  }

  /// Whether a function only runs to end the process.
  private func endsProcess(_ name: Range<Int>) -> Bool {
    ["abort", "abort()", "__abort", "__pthread_kill", "pthread_kill", "rust_panic"].contains(
      string(name)) || find("panicking::", from: name.lowerBound, limit: name.upperBound) != nil
  }
}

extension TextSource {
  /// `DeckBoard turnCard:atIndex:` of words that begin with a class and a selector: both have
  /// capitals inside. Nil for others.
  func methodInTitle(_ range: Range<Int>) -> String? {
    let limit = min(range.upperBound, range.lowerBound + 200)
    let className = bytes[range.lowerBound..<limit].prefix(while: Self.isOfName)
    guard has(" ", at: className.endIndex, limit: limit), Ascii.isUppercase(className.first ?? 0),
      className.dropFirst().contains(where: Ascii.isUppercase),
      className.contains(where: Ascii.isLowercase)
    else { return nil }
    let selector = bytes[className.endIndex + 1..<limit].prefix {
      Self.isOfName($0) || $0 == Ascii.colon
    }
    // Systems have capitals, too: `macOS:`.
    guard selector.last == Ascii.colon, selector.prefix(2).allSatisfy(Ascii.isLowercase),
      selector.contains(where: Ascii.isUppercase),
      !has("OS:", at: selector.endIndex - 3, limit: limit)
    else { return nil }
    return string(range.lowerBound..<selector.endIndex)
  }

  /// The innermost frame, which a sentence names.
  func frame(_ symbol: FrameSymbol, _ range: Range<Int>) -> StackFrame {
    var values = FrameValues(byteRange: range)
    values.index = 0
    values.symbol = symbol
    return StackFrame(address: nil, carrier: .values(values))
  }
}
