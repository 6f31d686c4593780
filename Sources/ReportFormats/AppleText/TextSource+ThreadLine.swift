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
    plainThreadLine(line) ?? dressedHeading(line)
  }

  private func plainThreadLine(_ line: TextLine) -> ThreadLine? {
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

  /// A heading with signs of Markdown or of a list around it, without its colon or its capital,
  /// above a frame:
  ///
  /// ```text
  /// ### Thread 0 Crashed:
  /// - **Thread 3 Crashed**: com.example.queue
  /// * Thread 1:
  /// Thread 2 - Crashed
  /// thread #0 crashed：
  /// ```
  ///
  /// Source: github.github.com/gfm, sections "ATX headings", "List items" and "Emphasis".
  private func dressedHeading(_ line: TextLine) -> ThreadLine? {
    var position = skipSeparators(from: line.start, limit: line.end)
    guard Self.mayBeginHeading(self[position]), line.end - line.start < 512 else { return nil }
    while position < line.end, Self.isDress(self[position]) || self[position] <= Ascii.space {
      position += 1
    }
    guard
      has("Thread ", at: position, limit: line.end)
        || has("thread ", at: position, limit: line.end)
    else { return nil }
    position += 7
    if self[position] == UInt8(ascii: "#") { position += 1 }
    guard let (value, numberEnd) = decimal(at: position, limit: line.end), isAboveFrame(line) else {
      return nil
    }
    // The word, and what is between it and the label.
    let start = skipDress(from: numberEnd, limit: line.end)
    var label = start
    let isCrashed = ["Crashed", "crashed", "CRASHED"].contains {
      has($0, at: start.position, limit: line.end)
    }
    if isCrashed { label = skipDress(from: start.position + 7, limit: line.end) }
    var end = trimEnd(from: label.position, to: line.end)
    while end > label.position, Self.isDress(self[end - 1]) { end -= 1 }
    // Other words than the label of a thread are a sentence.
    guard
      start.hasColon || label.hasColon
        || isCrashed && (label.position == end || hasQueue(label.position, end))
    else { return nil }
    return labelled(
      .heading(isCrashed: isCrashed, isHighlighted: false), value.flatMap { Int(exactly: $0) },
      label: label.position, end)
  }

  private func hasQueue(_ start: Int, _ end: Int) -> Bool {
    find("Dispatch ", from: start, limit: end) != nil
  }

  /// Where the text goes on behind blanks, brackets, such signs and colons; and whether a colon is
  /// among them.
  private func skipDress(from offset: Int, limit: Int) -> (position: Int, hasColon: Bool) {
    var (position, hasColon) = (offset, false)
    while position < limit {
      let byte = self[position]
      if byte == Ascii.colon {
        hasColon = true
      } else if has("：", at: position, limit: limit) {
        hasColon = true
        position += 2
      } else if byte > Ascii.space, !Self.isDress(byte), byte != Ascii.openParenthesis,
        byte != Ascii.closeParenthesis, byte != Ascii.openBracket, byte != Ascii.closeBracket
      {
        break
      }
      position += 1
    }
    return (position, hasColon)
  }

  /// Whether a heading may begin with a byte that has such signs in front of it, or a small letter.
  static func mayBeginHeading(_ byte: UInt8) -> Bool {
    isDress(byte) || byte == UInt8(ascii: "T") || byte == UInt8(ascii: "t")
  }

  /// Whether such signs may begin with a byte.
  static func isDress(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "#"), UInt8(ascii: "*"), UInt8(ascii: "_"), Ascii.minus, UInt8(ascii: ">"):
      true
    default: false
    }
  }

  /// Whether the line below is a frame, perhaps behind a blank one or the fence of a block of code.
  private func isAboveFrame(_ line: TextLine) -> Bool {
    var below = self.line(at: line.next)
    for _ in 0..<3 where below.next < count {
      guard isBlank(below) || has("```", at: below.start, limit: below.end) else { break }
      below = self.line(at: below.next)
    }
    if case .frame = frameLine(below) { return true }
    return bareFrame(below) != nil || numberlessFrame(below) != nil
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
