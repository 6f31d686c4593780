/// A line that begins with `Thread N`.
struct ThreadLine {
  enum Kind {
    /// `Thread 3 name:  label`, the line before the heading.
    case name
    /// `Thread 3:`, `Thread 3 Crashed:: label`, …: frames follow.
    case heading(isCrashed: Bool, isHighlighted: Bool)
    /// `Thread 3 crashed with ARM Thread State (64-bit):`: registers follow.
    case state(flavor: ByteSpan)
    /// `Thread 3 instruction stream:`: bytes of code follow.
    case instructionStream
  }

  let kind: Kind
  /// Nil where the digits are more than a number holds.
  let number: Int?
  /// The name of the thread; empty where it has none.
  var name = ByteSpan.empty
  /// The label of its dispatch queue; empty where it has none.
  var dispatchQueue = ByteSpan.empty
}

extension TextSource {
  func threadLine(_ line: TextLine) -> ThreadLine? {
    let end = trimEnd(from: line.start, to: line.end)
    let start = skipSeparators(from: line.start, limit: end)
    guard has("Thread ", at: start, limit: end),
      let (value, numberEnd) = decimal(at: start + 7, limit: end)
    else { return unknownThreadStateLine(start, end) }
    let number = value.flatMap { Int(exactly: $0) }

    if has(" crashed with ", at: numberEnd, limit: end) {
      return ThreadLine(kind: .state(flavor: flavor(from: numberEnd + 14, to: end)), number: number)
    }
    if has(" instruction stream:", at: numberEnd, limit: end) {
      return ThreadLine(kind: .instructionStream, number: number)
    }
    if has(" name:", at: numberEnd, limit: end) {
      return labelled(.name, number, label: numberEnd + 6, end)
    }

    var place = numberEnd
    let isCrashed = has(" Crashed:", at: place, limit: end)
    let isHighlighted = has(" Highlighted:", at: place, limit: end)
    if isCrashed { place += 8 }
    if isHighlighted { place += 12 }
    guard place < end, self[place] == Ascii.colon else { return nil }
    place += 1
    if place < end, self[place] == Ascii.colon { place += 1 }
    guard place == end || separatorLength(at: place, limit: end) > 0 else { return nil }
    return labelled(
      .heading(isCrashed: isCrashed, isHighlighted: isHighlighted), number, label: place, end)
  }

  /// `Unknown thread crashed with unknown flavor: 5, state_count: 1`.
  private func unknownThreadStateLine(_ start: Int, _ end: Int) -> ThreadLine? {
    guard has("Unknown thread crashed with ", at: start, limit: end) else { return nil }
    return ThreadLine(kind: .state(flavor: flavor(from: start + 28, to: end)), number: nil)
  }

  private func flavor(from start: Int, to end: Int) -> ByteSpan {
    ByteSpan(start, end > start && self[end - 1] == Ascii.colon ? end - 1 : end)
  }

  /// Takes `name  Dispatch queue: label` apart; macOS 26 capitalises and writes `name, Dispatch
  /// Queue:`.
  private func labelled(
    _ kind: ThreadLine.Kind, _ number: Int?, label start: Int, _ end: Int
  ) -> ThreadLine {
    var line = ThreadLine(kind: kind, number: number)
    var nameEnd = end
    if let place = find("Dispatch ", from: start, limit: end),
      has("queue:", at: place + 9, limit: end) || has("Queue:", at: place + 9, limit: end)
    {
      let queue = trimmed(place + 15..<end)
      line.dispatchQueue = ByteSpan(queue.lowerBound, queue.upperBound)
      nameEnd = place
    }
    let nameStart = skipSeparators(from: start, limit: nameEnd)
    nameEnd = trimEnd(from: nameStart, to: nameEnd)
    if nameEnd < end, nameEnd > nameStart, self[nameEnd - 1] == UInt8(ascii: ",") { nameEnd -= 1 }
    line.name = ByteSpan(nameStart, nameEnd)
    return line
  }
}
