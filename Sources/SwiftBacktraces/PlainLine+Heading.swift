import JsonReading
import ReportModel
import SymbolicationModel

/// A headline of a Swift backtrace, which precedes the threads.
struct SwiftBacktraceHeadline {
  /// `Signal 11: Backtracing from …`
  var signal: Int?
  /// `Exception c0000005: Backtracing from …`
  var exceptionCode: UInt64?
  /// What happened; nil in the first line, which is printed before that is known.
  var reason: String?
  /// The number of bytes before it in its line.
  var column = 0
}

extension PlainLine {
  /// Reads `*** Signal 11: Backtracing from 0x… done ***`, `*** Program crashed: REASON ***` and
  /// `*** Swift runtime failure: REASON ***`. With colours, 💣 replaces the asterisks, and the
  /// second line overwrites the first after a carriage return.
  func headline() -> SwiftBacktraceHeadline? {
    var headline = SwiftBacktraceHeadline()
    var segment = start
    var isFound = false
    while segment < end {
      let limit = text.find("\r", from: segment, limit: end) ?? end
      if let position = headlinePlace(from: segment, to: limit) {
        if !isFound { headline.column = inputRange(position, position + 1).lowerBound }
        isFound = true
        readHeadline(from: position, to: limit, into: &headline)
      }
      segment = limit + 1
    }
    guard isFound else { return nil }
    headline.column -= byteRange.lowerBound
    return headline
  }

  /// The offset of the asterisks or the bomb of a headline.
  private func headlinePlace(from start: Int, to limit: Int) -> Int? {
    var position = start
    while position < limit {
      let byte = text[position]
      let width = text.has("*** ", at: position, limit: limit) ? 4 : byte == 0xF0 ? 5 : 0
      if width == 4 || width == 5 && text.has("💣 ", at: position, limit: limit) {
        let words = position + width
        func begins(_ words: String, at offset: Int) -> Bool {
          text.has(words, at: offset, limit: limit)
        }
        if begins("Program crashed: ", at: words) || begins("Swift runtime failure: ", at: words) {
          return position
        }
        let isStart = begins("Signal ", at: words) || begins("Exception ", at: words)
        if isStart,
          text.find(": Backtracing from ", from: words, limit: min(limit, words + 48)) != nil
        {
          return position
        }
      }
      position += 1
    }
    return nil
  }

  private func readHeadline(
    from position: Int, to limit: Int, into headline: inout SwiftBacktraceHeadline
  ) {
    var words = position + (text[position] == 0xF0 ? 5 : 4)
    let isCrash = text.has("Program crashed: ", at: words, limit: limit)
    if isCrash { words += 17 }
    if text.has("Signal ", at: words, limit: limit),
      let (number, end) = text.number(at: words + 7, limit: limit),
      text.has(": Backtracing from ", at: end, limit: limit)
    {
      headline.signal = Int(exactly: number)
      return
    }
    if text.has("Exception ", at: words, limit: limit),
      let (code, end) = text.hexadecimalDigits(at: words + 10, limit: limit),
      text.has(": Backtracing from ", at: end, limit: limit)
    {
      headline.exceptionCode = code
      return
    }
    guard isCrash || text.has("Swift runtime failure: ", at: words, limit: limit) else { return }
    var reasonEnd = text.trimEnd(from: words, to: limit)
    if reasonEnd - words >= 4, text.has(" ***", at: reasonEnd - 4, limit: reasonEnd) {
      reasonEnd -= 4
    }
    headline.reason = text.string(words..<reasonEnd)
  }

  /// `Platform: x86_64 Linux (Ubuntu 24.04.3 LTS)`
  func platform() -> (architecture: Architecture, system: String)? {
    guard text.has("Platform: ", at: start, limit: end) else { return nil }
    let architecture = start + 10
    guard let space = text.find(" ", from: architecture, limit: end), space > architecture else {
      return nil
    }
    let name = text.string(architecture..<space)
    return (
      // Swift uses this name for every 32-bit arm.
      name == "arm" ? .armv7 : Architecture(name: name), text.string(text.trimmed(space..<end))
    )
  }

  struct ThreadHeading {
    let number: Int?
    let name: String?
    let isCrashed: Bool
  }

  /// `Thread 0 "name" crashed:`
  func threadHeading() -> ThreadHeading? {
    guard text.has("Thread ", at: start, limit: end), text[end - 1] == Ascii.colon,
      let (number, numberEnd) = text.decimal(at: start + 7, limit: end - 1)
    else { return nil }
    var rest = numberEnd..<(end - 1)
    let isCrashed = rest.count >= 8 && text.has(" crashed", at: rest.upperBound - 8, limit: end)
    if isCrashed { rest = rest.lowerBound..<(rest.upperBound - 8) }
    var name: String?
    if !rest.isEmpty {
      guard rest.count >= 3, text.has(" \"", at: rest.lowerBound, limit: end),
        text[rest.upperBound - 1] == Ascii.quote
      else { return nil }
      name = text.string((rest.lowerBound + 2)..<(rest.upperBound - 1))
    }
    return ThreadHeading(
      number: number.flatMap { Int(exactly: $0) }, name: name?.isEmpty == true ? nil : name,
      isCrashed: isCrashed)
  }

  /// `Images:`, `Images (13 omitted):`
  var isImagesHeading: Bool {
    guard text.has("Images", at: start, limit: end), text[end - 1] == Ascii.colon else {
      return false
    }
    return end - start == 7
      || text.has(" (", at: start + 6, limit: end) && text[end - 2] == Ascii.closeParenthesis
  }

  var isRegistersHeading: Bool {
    end - start == 10 && text.has("Registers:", at: start, limit: end)
  }

  /// `Backtrace took 0.02s`, the last line of a report.
  var isDuration: Bool { text.has("Backtrace took ", at: start, limit: end) }
}
