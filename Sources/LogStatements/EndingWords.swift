import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// The words for how a process ended: `SIGILL | sent by exc handler[7]`, `Trace/BPT trap: 5 sent by
/// exc handler[0]`, `signal 9`, `OS_REASON_CODESIGNING | Launch Constraint Violation`.
struct EndingWords {
  var signal: String?
  var termination = ReportFacts.Termination()

  /// Signals that a fault or the process itself causes.
  static let crashes: Set = [
    "SIGILL", "SIGTRAP", "SIGABRT", "SIGFPE", "SIGBUS", "SIGSEGV", "SIGSYS", "SIGXCPU",
  ]

  init(signal: String) { self.signal = signal }

  /// - Parameters:
  ///   - namespace: its number. 0 is an end as it should be, and 2 a signal.
  ///   - message: behind it, or the code in other words: `SIGSEGV(11)>>`, `11,`.
  init?(_ namespace: UInt64, _ code: UInt64?, _ message: String?) {
    let number =
      message?.split { !$0.isNumber }.first { $0.utf8.count < 11 }.flatMap { UInt64($0) }
    if namespace == 2 {
      guard let signal = (code ?? number).flatMap({ MachNames.signal($0) }) else { return nil }
      self.init(signal: signal)
    } else {
      guard namespace > 0 else { return nil }
      self.init(
        namespace: MachNames.terminationNamespace(namespace) ?? "<\(namespace.hexadecimal)>",
        code: code ?? number, message)
    }
  }

  init(namespace: String, code: UInt64?, _ message: String?) {
    termination.namespace = namespace
    termination.code = code
    if let explanation = message?.firstRange(of: "explanation:")?.upperBound, let message {
      let end =
        message[explanation...].firstRange(of: " reportType:")?.lowerBound ?? message.endIndex
      termination.details = [String(message[explanation..<end])]
    } else if let bar = message?.firstRange(of: " | ")?.upperBound, let message {
      let end = message[bar...].firstRange(of: ", ran for ")?.lowerBound ?? message.endIndex
      termination.details = [String(message[bar..<end])]
    }
  }

  /// Nil for an end as it should be (`exit(0)`) and for other words.
  init?(_ text: String) {
    if text.hasPrefix("OS_REASON_") {
      let name = text.dropFirst("OS_REASON_".utf8.count).prefix { $0.isLetter || $0 == "_" }
      self.init(namespace: String(name), code: nil, text)
    } else if text.hasPrefix("memory "),
      ["issue", "error", "pressure"].contains(
        text.dropFirst(7).lowercased().prefix { $0.isLetter })
    {
      self.init(namespace: "JETSAM", code: nil, nil)
      termination.details = [
        "terminated due to \(text.last == "." ? String(text.dropLast()) : text)"
      ]
    } else {
      let words = text.hasPrefix("signal ") ? text.dropFirst(7) : text[...]
      guard let signal = SignalWords(words)?.signal else { return nil }
      self.init(signal: signal)
      // Who sends them about itself adds nothing.
      guard signal == "SIGKILL", let sender = text.firstRange(of: "sent by ")?.upperBound else {
        return
      }
      let name = text[sender...].prefix { $0 != "[" && $0 != "," }
      if name != "exc handler" { termination.process.name = String(name) }
    }
  }
}

/// A signal in the words of strsignal(3), of zsh and of Xcode's tests, or by name or number.
struct SignalWords {
  let signal: String
  /// What is behind it.
  let rest: Substring

  init?(_ text: Substring) {
    if text.hasPrefix("SIG") {
      let name = text.prefix { $0.isUppercase || $0.isNumber }
      guard name.utf8.count > 4 else { return nil }
      (signal, rest) = (String(name), text[name.endIndex...])
      return
    }
    let digits = text.prefix(while: \.isNumber)
    if !digits.isEmpty {
      guard digits.utf8.count < 4, let number = UInt64(digits),
        let name = MachNames.signal(number)
      else { return nil }
      (signal, rest) = (name, text[digits.endIndex...])
      return
    }
    let lower = text.prefix(40).lowercased()
    guard
      let found = Self.words.first(where: { words, _ in
        lower.hasPrefix(words)
          && lower.dropFirst(words.count).first.map { !$0.isLetter } ?? true
      })
    else { return nil }
    var rest = text.dropFirst(found.words.count)
    if rest.hasPrefix(": ") {
      let number = rest.dropFirst(2).prefix(while: \.isNumber)
      if !number.isEmpty { rest = rest[number.endIndex...] }
    }
    let core = "(core dumped)"
    let note = rest.drop(while: \.isWhitespace)
    if note.hasPrefix(core) { rest = note.dropFirst(core.utf8.count) }
    signal = found.signal
    self.rest = rest
  }

  private static let words: [(words: String, signal: String)] = [
    ("segmentation fault", "SIGSEGV"), ("segv", "SIGSEGV"), ("bus error", "SIGBUS"),
    ("bus", "SIGBUS"), ("illegal hardware instruction", "SIGILL"),
    ("illegal instruction", "SIGILL"), ("ill", "SIGILL"), ("abort trap", "SIGABRT"),
    ("aborted", "SIGABRT"), ("abort", "SIGABRT"), ("abrt", "SIGABRT"),
    ("trace/bpt trap", "SIGTRAP"), ("trace/breakpoint trap", "SIGTRAP"), ("trace trap", "SIGTRAP"),
    ("trap", "SIGTRAP"), ("floating point exception", "SIGFPE"), ("fpe", "SIGFPE"),
    ("floating point error", "SIGFPE"), ("arithmetic exception", "SIGFPE"),
    ("killed", "SIGKILL"), ("kill", "SIGKILL"), ("bad system call", "SIGSYS"),
    ("invalid system call", "SIGSYS"), ("sys", "SIGSYS"), ("terminated", "SIGTERM"),
    ("term", "SIGTERM"),
  ]
}

extension TextSource {
  /// The signal in what a sentence quotes from a shell: `with this message: "Killed: 9"`. Only
  /// these words with the signal's number are no others, or those behind the name of the shell.
  /// Nil if there are none.
  ///
  /// Source: as those of ``ShellLine``.
  package func shellSignal(inSentence range: Range<Int>) -> String? {
    let quoted = [
      ("Killed: 9", "SIGKILL"), ("Segmentation fault: 11", "SIGSEGV"), ("Abort trap: 6", "SIGABRT"),
      ("Bus error: 10", "SIGBUS"), ("Illegal instruction: 4", "SIGILL"),
      ("Trace/BPT trap: 5", "SIGTRAP"), ("Floating point exception: 8", "SIGFPE"),
    ]
    for (words, signal) in quoted {
      guard let start = find(words, from: range.lowerBound, limit: range.upperBound),
        start == range.lowerBound || !Ascii.isWord(self[start - 1]),
        !Ascii.isDigit(self[start + words.utf8.count])
      else { continue }
      return signal
    }
    guard let shell = find("zsh: ", from: range.lowerBound, limit: range.upperBound) else {
      return nil
    }
    let words = string(shell + 5..<min(range.upperBound, shell + 64))
    return SignalWords(words[...]).flatMap { found in
      EndingWords.crashes.contains(found.signal) || found.signal == "SIGKILL" ? found.signal : nil
    }
  }
}

extension TextSource {
  /// The place of a panic of Rust that a sentence names: `Rust panic at kit-0.3.5/src/board.rs:12`
  /// for `The panic location: kit-0.3.5/src/board.rs:12 - …`. Nil if there is none. Source: the
  /// places in the words of std::panic (rust-lang/rust, library/std/src/panicking.rs).
  ///
  /// - Complexity: looks at eight sentences.
  package func panicPlace(inSentence range: Range<Int>) -> String? {
    var next = range.lowerBound
    for _ in 0..<8 {
      guard let word = find("panic", from: next, limit: range.upperBound) else { return nil }
      next = word + 5
      let lineEnd = line(at: lineStart(of: word)).end
      let limit = min(range.upperBound, word + 200, lineEnd)
      guard let mark = find(".rs:", from: next, limit: limit), Ascii.isDigit(self[mark + 4]),
        let end = decimal(at: mark + 4, limit: limit)?.end, !isExample(range.lowerBound..<word)
      else { continue }
      let path = bytes[next..<mark].reversed().prefix { byte in
        byte > Ascii.space && !"`'\"([".utf8.contains(byte)
      }
      // Nothing else may be between.
      let words = string(next..<mark - path.count).drop { "ked".contains($0) }
        .split { " :`'\"([-".contains($0) }
      guard !path.isEmpty, words.count < 4, words.allSatisfy(Self.placeWords.contains) else {
        continue
      }
      return "Rust panic at \(string(mark - path.count..<end))"
    }
    return nil
  }

  private static let placeWords: Set<Substring> = [
    "location", "place", "is", "was", "at", "in", "from",
  ]

  /// A signal and its code, by the name of the code in a sentence of any language or a heading:
  /// ``# Crash with `SEGV_ACCERR` ``. Nobody but those who mean the signal writes these names. Nil
  /// if there is none, or it is an example.
  ///
  /// Source: sigaction(2), POSIX `<signal.h>`.
  package func signalCode(inSentence range: Range<Int>) -> (signal: String, code: String)? {
    for (signal, code) in Self.signalCodes {
      guard let start = find(code, from: range.lowerBound, limit: range.upperBound),
        start == range.lowerBound || !Self.isOfName(self[start - 1]),
        !Self.isOfName(self[start + code.utf8.count]),
        !isExample(max(range.lowerBound, lineStart(of: start))..<start)
      else { continue }
      return (signal, code)
    }
    return nil
  }

  private static let signalCodes = [
    ("SIGSEGV", "SEGV_ACCERR"), ("SIGSEGV", "SEGV_MAPERR"), ("SIGBUS", "BUS_ADRALN"),
    ("SIGBUS", "BUS_ADRERR"), ("SIGBUS", "BUS_OBJERR"), ("SIGILL", "ILL_ILLOPC"),
    ("SIGILL", "ILL_ILLTRP"), ("SIGFPE", "FPE_INTDIV"), ("SIGTRAP", "TRAP_BRKPT"),
  ]

  /// The code that the system ended a process with, by a heading of Markdown: `# Watch app ends
  /// with 0xdead10cc`. Only codes that stand for words are no other numbers. Nil if there is none,
  /// or several.
  ///
  /// Source: developer.apple.com/documentation/xcode/sigkill.
  package func endingCode(inHeading range: Range<Int>) -> UInt64? {
    var found: Set<UInt64> = []
    var next = range.lowerBound
    while next < range.upperBound {
      let line = self.line(at: next)
      next = line.next
      guard self[line.start] == UInt8(ascii: "#"), line.end - line.start < 512 else { continue }
      var start = line.start
      while let sign = find("0x", from: start, limit: line.end) {
        start = sign + 2
        if let code = hexadecimal(at: sign, limit: line.end)?.0, Self.endingCodes.contains(code) {
          found.insert(code)
        }
      }
    }
    return found.count == 1 ? found.first : nil
  }

  private static let endingCodes: Set<UInt64> = [
    0x8bad_f00d, 0xdead_10cc, 0xc000_10ff, 0xbaad_ca11, 0xbad2_2222, 0xc51b_ad01, 0xc51b_ad02,
    0xc51b_ad03, 0xd00d_2bad,
  ]

  /// The names of tests in the sentence that quotes how their process ended, or in the list that it
  /// introduces:
  ///
  /// ```text
  /// Two suites die with `error: Exited with unexpected signal code 11` here:
  ///
  /// - `BoardTests`
  /// - `DeckTests`
  /// ```
  ///
  /// None if it also says which tests do not end so.
  ///
  /// - Parameter quotation: within its line.
  /// - Complexity: looks at the line and ten below.
  func namesOfTests(around quotation: TextLine) -> [String] {
    let sentence = line(at: lineStart(of: quotation.start))
    guard quotation.start > sentence.start, self[quotation.start - 1] == UInt8(ascii: "`"),
      ![" but ", " not ", " no ", " pass"].contains(where: {
        find($0, from: sentence.start, limit: sentence.end) != nil
      })
    else { return [] }
    var names: [String] = []
    var next = sentence.start
    while names.count < 8, let open = find("`", from: next, limit: sentence.end),
      let close = find("`", from: open + 1, limit: sentence.end)
    {
      if let name = nameOfTest(open + 1..<close) { names.append(name) }
      next = close + 1
    }
    let end = trimEnd(from: sentence.start, to: sentence.end)
    guard names.isEmpty, self[end - 1] == Ascii.colon else { return names }
    next = sentence.next
    for index in 0..<10 where next < count {
      let item = line(at: next)
      next = item.next
      if isBlank(item), index == 0 { continue }
      let text = skipSeparators(from: item.start, limit: item.end)
      guard item.end - item.start < 256,
        has("- ", at: text, limit: item.end)
          || has("* ", at: text, limit: item.end),
        let name = nameOfTest(trimmed(text + 2..<item.end, leading: " `*", trailing: " `*"))
      else { break }
      names.append(name)
    }
    return names
  }

  /// `BoardTests`, `BoardTests.testTurn`, `BoardTests/testTurn()`; nil for other words.
  private func nameOfTest(_ range: Range<Int>) -> String? {
    guard range.count > 4, range.count < 200,
      bytes[range].allSatisfy({ Ascii.isWord($0) || "./()".utf8.contains($0) })
    else { return nil }
    let name = string(range)
    let last = name.split { $0 == "." || $0 == "/" }.last?.prefix { $0 != "(" } ?? ""
    let isMethod =
      last.hasPrefix("test") && last.dropFirst(4).first.map { !$0.isLowercase } ?? false
    return isMethod || (last.hasSuffix("Tests") || last.hasSuffix("Test")) && last != "XCTest"
      ? name : nil
  }
}

/// The line of a shell about a command that a signal ended:
///
/// ```text
/// zsh: segmentation fault  ./game
/// [1]  + 812 abort      ./game
/// ./run.sh: line 3:   812 Abort trap: 6           ./game
/// make: *** [run] Segmentation fault: 11
/// Killed: 9
/// ```
///
/// Source: zsh, Src/jobs.c and Src/signals.c; GNU Bash, jobs.c; GNU Make, src/job.c; strsignal(3).
struct ShellLine {
  let signal: String
  private(set) var process: String?
  private(set) var identifier: Int?

  init?(_ line: TextLine, _ source: TextSource) {
    let range = source.trimmed(line.start..<line.end)
    guard range.count > 7, range.count < 1024, let form = Form(range, source) else { return nil }
    var text = source.string(range)[...]
    switch form {
    case .alone: break
    case .zsh: text = text.dropFirst("zsh: ".utf8.count)
    case .job:
      text = text.drop { $0 != "]" }.dropFirst().drop { " +-\t".contains($0) }
    case .script:
      guard let mark = text.firstRange(of: ": line ")?.upperBound else { return nil }
      text = text[mark...].drop(while: \.isNumber)
      guard text.first == ":" else { return nil }
      text = text.dropFirst().drop(while: \.isWhitespace)
    case .make:
      guard let end = text.firstRange(of: "] ")?.upperBound else { return nil }
      text = text[end...]
    }
    if form == .job || form == .script {
      let digits = text.prefix(while: \.isNumber)
      if digits.utf8.count > 0, digits.utf8.count < 10, let number = Int(digits) {
        identifier = number
        text = text[digits.endIndex...].drop(while: \.isWhitespace)
      }
    }
    guard text.first?.isNumber != true, let words = SignalWords(text),
      EndingWords.crashes.contains(words.signal) || words.signal == "SIGKILL"
    else { return nil }
    signal = words.signal
    let command = words.rest.drop(while: \.isWhitespace)
    let isNumbered = text[..<words.rest.startIndex].last.map { $0.isNumber || $0 == ")" } ?? false
    switch form {
    // With its number, or the note about the core: other words are prose.
    case .alone, .make: guard command.isEmpty, isNumbered else { return nil }
    case .zsh, .script, .job:
      let gap = words.rest.prefix(while: \.isWhitespace).count
      guard command.isEmpty || gap > 1 || isNumbered && gap > 0 else { return nil }
      process = Self.program(command)
    }
  }

  private enum Form {
    case alone, zsh, job, script, make

    /// A quick look: logs have millions of lines.
    init?(_ range: Range<Int>, _ source: TextSource) {
      let start = range.lowerBound
      func starts(_ text: String) -> Bool { source.has(text, at: start, limit: range.upperBound) }
      switch source[start] {
      case UInt8(ascii: "z") where starts("zsh: "): self = .zsh
      case Ascii.openBracket where Ascii.isDigit(source[start + 1]): self = .job
      case UInt8(ascii: "m") where starts("make"), UInt8(ascii: "g") where starts("gmake"):
        guard source.find(": *** [", from: start, limit: range.upperBound) != nil else {
          return nil
        }
        self = .make
      case UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "F"), UInt8(ascii: "I"),
        UInt8(ascii: "K"), UInt8(ascii: "S"), UInt8(ascii: "T"):
        guard range.count < 48 else { return nil }
        self = .alone
      default:
        guard source.find(": line ", from: start, limit: range.upperBound) != nil else {
          return nil
        }
        self = .script
      }
    }
  }

  /// `game` of `LEVEL=3 ./build/game --new`.
  private static func program(_ command: Substring) -> String? {
    let words = command.prefix(400).split(whereSeparator: \.isWhitespace)
    let word = words.first { word in
      !(word.contains("=") && word.first?.isLetter == true)
        && !["sudo", "exec", "("].contains(word)
    }
    let name = word.map { String($0).withoutQuotes.lastPathComponent }
    return name?.isEmpty == false ? name : nil
  }
}
