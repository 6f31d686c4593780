import JsonReading
package import ReportModel

/// A line that begins with `Thread N`.
package struct ThreadLine {
  package enum Kind {
    /// `Thread 3 name:  label`, the line before the heading.
    case name
    /// `Thread 3:`, `Thread 3 Crashed:: label`, …: frames follow. iOS 8 says `Attributed` for
    /// `Highlighted`.
    case heading(isCrashed: Bool, isHighlighted: Bool)
    /// `Thread 3 crashed with ARM Thread State (64-bit):`: registers follow.
    case state(flavor: ByteSpan)
    /// `Thread 3 instruction stream:`: bytes of code follow.
    case instructionStream
  }

  package let kind: Kind
  /// Nil if the number does not fit.
  package let number: Int?
  /// The name of the thread; empty if it has none.
  package var name = ByteSpan.empty
  /// The label of its dispatch queue; empty if it has none.
  package var dispatchQueue = ByteSpan.empty
}

extension TextSource {
  package func threadLine(_ line: TextLine) -> ThreadLine? {
    let end = trimEnd(from: line.start, to: line.end)
    let start = skipSeparators(from: line.start, limit: end)
    guard let word = threadWordEnd(start, end),
      let (value, numberEnd) = decimal(at: word, limit: end)
    else { return unknownThreadStateLine(start, end) }
    let number = value.flatMap { Int(exactly: $0) }

    if has(" crashed with ", at: numberEnd, limit: end) {
      return ThreadLine(kind: .state(flavor: flavor(from: numberEnd + 14, to: end)), number: number)
    }
    if has(" instruction stream:", at: numberEnd, limit: end) {
      return ThreadLine(kind: .instructionStream, number: number)
    }
    let crashed = " Crashed:"
    if has(" name:", at: numberEnd, limit: end), end - numberEnd > 15,
      has(crashed, at: end - crashed.utf8.count, limit: end)
    {
      // Of Sentry: the name in the heading.
      return labelled(
        .heading(isCrashed: true, isHighlighted: false), number, label: numberEnd + 6,
        end - crashed.utf8.count)
    }
    if has(" name:", at: numberEnd, limit: end) {
      return labelled(.name, number, label: numberEnd + 6, end)
    }

    // Of Sentry: `Thread 1 (Crashed)`, with or without a name.
    if has(" (Crashed)", at: numberEnd, limit: end)
      || has(" (crashed) name:", at: numberEnd, limit: end)
    {
      let rest = numberEnd + 10
      let hasName = has(" name:", at: rest, limit: end)
      guard hasName || rest == end || self[rest] == Ascii.colon else { return nil }
      return labelled(
        .heading(isCrashed: true, isHighlighted: false), number,
        label: min(end, hasName ? rest + 6 : rest + 1), end)
    }

    var position = numberEnd
    // Writers of traces put the word in brackets.
    let isBracketed = has(" [Crashed]:", at: position, limit: end)
    let isCrashed = isBracketed || has(" Crashed:", at: position, limit: end)
    let isAttributed = has(" Attributed:", at: position, limit: end)
    let isHighlighted = isAttributed || has(" Highlighted:", at: position, limit: end)
    if isCrashed { position += isBracketed ? 10 : 8 }
    if isHighlighted { position += isAttributed ? 11 : 12 }
    guard position < end, self[position] == Ascii.colon else { return nil }
    position += 1
    if position < end, self[position] == Ascii.colon { position += 1 }
    guard position == end || separatorLength(at: position, limit: end) > 0 else { return nil }
    // Of old pages of Crashlytics: `Thread 6: Crashed: com.example.board.store`, without a name
    // `Thread 6: Crashed`.
    let saysCrashed =
      has(" Crashed: ", at: position, limit: end)
      || has(" Crashed", at: position, limit: end) && end - position < 10
        && (end - position == 8 || self[end - 1] == Ascii.colon)
    if saysCrashed { position = min(end, position + 9) }
    return labelled(
      .heading(isCrashed: isCrashed || saysCrashed, isHighlighted: isHighlighted), number,
      label: position, end)
  }

  /// Where the word ends that a line about a thread begins with. Who selects text to copy may lose
  /// the first letters of the first line: `hread 0 Crashed:`.
  private func threadWordEnd(_ start: Int, _ end: Int) -> Int? {
    if has("Thread ", at: start, limit: end) { return start + 7 }
    guard start < end, Self.isCutThread(self[start]) else { return nil }
    for word in ["hread ", "read "] where has(word, at: start, limit: end) {
      let digits = start + word.utf8.count
      guard let (_, number) = decimal(at: digits, limit: end) else { return nil }
      return has(" Crashed:", at: number, limit: end) ? digits : nil
    }
    return nil
  }

  static func isCutThread(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "h") || byte == UInt8(ascii: "r")
  }

  /// `Unknown thread crashed with unknown flavor: 5, state_count: 1`.
  private func unknownThreadStateLine(_ start: Int, _ end: Int) -> ThreadLine? {
    guard has("Unknown thread crashed with ", at: start, limit: end) else { return nil }
    return ThreadLine(kind: .state(flavor: flavor(from: start + 28, to: end)), number: nil)
  }

  private func flavor(from start: Int, to end: Int) -> ByteSpan {
    ByteSpan(start, end > start && self[end - 1] == Ascii.colon ? end - 1 : end)
  }

  /// Splits `name  Dispatch queue: label`; macOS 26 writes `name, Dispatch Queue: label`.
  private func labelled(
    _ kind: ThreadLine.Kind, _ number: Int?, label start: Int, _ end: Int
  ) -> ThreadLine {
    var line = ThreadLine(kind: kind, number: number)
    var nameEnd = end
    if let position = find("Dispatch ", from: start, limit: end),
      has("queue:", at: position + 9, limit: end) || has("Queue:", at: position + 9, limit: end)
    {
      let queue = trimmed(position + 15..<end)
      line.dispatchQueue = ByteSpan(queue.lowerBound, queue.upperBound)
      nameEnd = position
    }
    let nameStart = skipSeparators(from: start, limit: nameEnd)
    nameEnd = trimEnd(from: nameStart, to: nameEnd)
    if nameEnd < end, nameEnd > nameStart, self[nameEnd - 1] == UInt8(ascii: ",") { nameEnd -= 1 }
    line.name = ByteSpan(nameStart, nameEnd)
    return line
  }
}
