import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// A line that says something about a crash: a text in it that few other lines have, its shape, and
/// what it means.
struct StatementMessage: Sendable {
  let sign: String
  let pairs: BytePairs
  let patterns: [LinePattern]
  let meaning: Meaning

  init(_ sign: String, _ patterns: String..., means meaning: Meaning) {
    self.sign = sign
    pairs = BytePairs(Array(sign.utf8).span)
    self.patterns = patterns.map { LinePattern($0) }
    self.meaning = meaning
  }

  enum Meaning: Sendable {
    /// The line is what the process said.
    case words
    /// What the process said begins at the sign.
    case wordsFromSign
    /// The same, and they go on in the line below, if that begins with this mark.
    case wordsGoingOn(below: String)
    /// Xcode says why a test could not go on, in the part of the line that is called `message`.
    case testError
    /// Somebody says that the code signature was the reason.
    case signature(code: UInt64?)
    /// Each part of the line is a fact.
    case parts
    /// Each part of the line is a fact; with the innermost frame behind it.
    case crashReason
    /// Each part of the line is a fact, but none of them says why.
    case facts
    /// The kernel, or who watches it, says that the process exceeded a limit of that kind.
    case exception(String, subtype: String? = nil)
    /// symptomsd says that the process exceeded a limit, whose kind is in the message.
    case resourceNotification
    /// A library's own macro of assertions says what it found, around the sign.
    case assertion
    /// TCC ended the process, in words that go on in the lines below.
    case brokenPrivacy
    /// Somebody ended the process.
    case termination(namespace: String, code: UInt64? = nil)
    /// The line says which signal ended the process, or for which reason it was ended.
    case end
    /// A test ended with its process.
    case testEnd
    /// The signal that ended a test, if another line says which.
    case testSignal
    /// A test began, or ended as it should.
    case test(isRunning: Bool)
    /// It crashed, and a report was written.
    case savedReport
    /// The line is the head of a crash of Dart's virtual machine.
    case virtualMachine
    /// The kernel panicked with these words, which go on in the next lines.
    case panic
    /// The first line of the kernel's text about a panic begins at the sign, in a sentence or cut.
    case quotedPanic
    /// The line is a part of what the Java virtual machine OpenJ9 prints.
    case openJ9
    /// The line names the program, its version and the system.
    case program
    /// The program caught a signal, at an address.
    case signalAtAddress
    /// A crash SDK names the signal, and maybe the place.
    case signalOfSdk
    /// Go says where it got the signal that the line above names.
    case signalOfGo
    /// The process was suspended while it held locks on files, whose paths follow.
    case lockedFiles
    /// Of a sanitizer of that name, or with that end of its name.
    case finding(String)
    /// Why Xcode or lldb stopped, around the sign.
    case stop
    /// Which limit was exceeded when Xcode or lldb stopped: its kind is at the sign.
    case resourceStop
    /// Somebody's own words name the kind of the exception at the sign, and maybe the function.
    case exceptionName
    /// What a report says about the exception beside its kind.
    case exceptionMessage
    /// A page of Crashlytics names an exception, whose reason is behind it or on the next line.
    case fatalException
    /// The Java virtual machine says which exception nobody caught, with a stack below.
    case javaException
    /// React Native says which error of JavaScript nobody caught.
    case javaScriptError
    /// Somebody quotes what Swift's runtime said about a crash, and a frame behind it.
    case swiftCrash
    /// The line is what an exception says about a method that was called wrongly.
    case thrownReason
    /// Why the process was ended, in a field of another name than in reports.
    case terminationField
    /// The instruction that a debugger stopped at.
    case disassembly
    /// The system says why it restarted the GPU, behind the sign.
    case gpuRestart
    /// Somebody's sentence quotes the words of a library.
    case sentence
    /// malloc could not get the memory that a program asked for, which may go on without.
    case failedAllocation
  }
}

/// Whether the lines of a text may have the sign of a ``StatementMessage``. Logs have millions of
/// lines, so the signs are looked for at once, ahead of the lines.
struct SignCursor {
  private static let signs = TextSigns(StatementMessage.all.lazy.map(\.sign))
  /// The signs that are too short for the others, without those that have another one in them.
  private static let shortSigns = {
    let short = StatementMessage.all.map(\.sign).filter {
      $0.utf8.count < TextSigns.shortestText
    }
    return Set(short).sorted().filter { sign in !short.contains { $0 != sign && sign.contains($0) }
    }
  }()

  /// Where the next one of `signs` is, and the next of each of `shortSigns`; the limit if there is
  /// none.
  private var places = Array(repeating: -1, count: 1 + shortSigns.count)

  /// - Parameters:
  ///   - range: begins where the one before began, or further on.
  ///   - limit: the end of the text; always the same.
  /// - Returns: false if no sign is in the range.
  mutating func mayBeSign(in range: Range<Int>, of source: TextSource, limit: Int) -> Bool {
    for index in places.indices where places[index] < range.lowerBound {
      places[index] =
        index == 0
        ? Self.signs.firstOffset(in: source.bytes.span, from: range.lowerBound, to: limit)
        : source.find(Self.shortSigns[index - 1], from: range.lowerBound, limit: limit) ?? limit
    }
    return places.contains { $0 < range.upperBound }
  }
}

/// Which pairs of neighbouring bytes a text has; it may seem to have some more.
///
/// A text that lacks a pair of a sign does not have the sign. Logs have millions of lines, and to
/// look for every sign in each takes much longer.
struct BytePairs: Sendable {
  private var words = SIMD4<UInt64>()

  init(_ text: Span<UInt8>) {
    guard var last = text.isEmpty ? nil : text[0] else { return }
    for index in 1..<text.count {
      let byte = text[index]
      let pair = (last &* 31) &+ byte
      words[Int(pair >> 6)] |= 1 << UInt64(pair & 63)
      last = byte
    }
  }

  func contains(_ other: Self) -> Bool { (other.words & ~words) == SIMD4() }
}

extension TextSource {
  /// `GGML_ASSERT(cards) failed at Deck.cpp:62` of the words that a library's own macro prints:
  /// `/src/Deck.cpp:62: GGML_ASSERT(cards) failed`, in older versions
  /// `GGML_ASSERT: /src/Deck.cpp:62: cards`. Nil if a line only mentions the macro.
  ///
  /// Source: github.com/ggml-org/ggml, include/ggml.h.
  ///
  /// - Parameter sign: where the end of the macro's name begins.
  func failedAssertion(at sign: Int, _ line: Range<Int>) -> String? {
    guard line.count < 4096 else { return nil }
    var start = sign
    while start > line.lowerBound, sign - start < 32, Self.isOfName(self[start - 1]) { start -= 1 }
    let name = bytes[start...].prefix {
      Ascii.isUppercase($0) || Ascii.isDigit($0) || $0 == UInt8(ascii: "_")
    }
    guard start < sign, name.endIndex > sign else { return nil }
    if has(": ", at: name.endIndex, limit: line.upperBound) {
      let place = name.endIndex + 2..<line.upperBound
      guard let colon = find(": ", from: place.lowerBound, limit: place.upperBound),
        let file = placeBefore(colon, from: place.lowerBound), file.start == place.lowerBound
      else { return nil }
      let condition = string(trimmed(colon + 2..<line.upperBound))
      return condition.isEmpty
        ? nil : "\(string(name.startIndex..<name.endIndex))(\(condition)) failed at \(file.text)"
    }
    guard start - 2 > line.lowerBound, has(": ", at: start - 2, limit: start),
      let file = placeBefore(start - 2, from: line.lowerBound),
      let close = find(") failed", from: sign, limit: line.upperBound)
    else { return nil }
    // A sentence goes on behind code.
    let isCode = file.start > line.lowerBound && self[file.start - 1] == UInt8(ascii: "`")
    let end = isCode ? find("`", from: close, limit: line.upperBound) : nil
    let rest = string(close + 8..<(end ?? line.upperBound))
    return "\(string(start..<close + 8)) at \(file.text)\(rest)"
  }

  /// `Deck.cpp:62` of a path and a line that end at an offset, and where the path begins.
  private func placeBefore(_ end: Int, from floor: Int) -> (text: String, start: Int)? {
    var digits = end
    while digits > floor, end - digits < 8, Ascii.isDigit(self[digits - 1]) { digits -= 1 }
    guard digits < end, digits - 1 > floor, self[digits - 1] == Ascii.colon else { return nil }
    var start = digits - 1
    while start > floor, self[start - 1] > Ascii.space, !"\"'`(".utf8.contains(self[start - 1]) {
      start -= 1
    }
    guard bytes[start..<digits - 1].contains(UInt8(ascii: ".")) else { return nil }
    let path = string(start..<digits - 1)
    let file = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
    return ("\(file):\(string(digits..<end))", start)
  }
}
