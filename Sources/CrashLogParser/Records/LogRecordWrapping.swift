import JsonReading
import ReportFormats
import ReportModel
import ReportWrappings

/// The texts in the records of a log. Those of each writer follow each other as if it alone had
/// written them; lines that are no records are a writer of their own.
struct LogRecordWrapping: WrappingReader {
  var reader = LogRecordReader()

  /// A text or a run of other lines, with the line that it is in.
  private enum Part {
    case message(LogMessage, TextLine)
    case lines(Range<Int>)
  }

  func unwrap(_ source: TextSource) -> UnwrappedText? {
    var parts: [[Part]] = []
    var places: [[UInt8]: Int] = [:]
    var statesLineEnds = false
    func add(_ part: Part, _ group: [UInt8]) {
      let place = places[group] ?? parts.count
      if place == parts.count {
        places[group] = place
        parts.append([])
      }
      if case .lines(let range) = part, case .lines(let last)? = parts[place].last,
        last.upperBound == range.lowerBound
      {
        parts[place][parts[place].count - 1] = .lines(last.lowerBound..<range.upperBound)
      } else {
        parts[place].append(part)
      }
    }
    var hasRecords = false
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard let messages = reader.messages(of: line, in: source) else {
        // No record has this group.
        add(.lines(line.start..<line.next), [0])
        continue
      }
      hasRecords = true
      for message in messages {
        if message.end == .isStated, message.endsLine(in: source) { statesLineEnds = true }
        add(.message(message, line), message.group)
      }
    }
    guard hasRecords else { return nil }
    return text(source, parts, statesLineEnds: statesLineEnds)
  }

  private func text(
    _ source: TextSource, _ groups: [[Part]], statesLineEnds: Bool
  ) -> UnwrappedText? {
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count)
    let spelling = JsonSpelling(source)
    var messages: [LogRecordEdits.Place] = []
    for group in groups {
      for part in group {
        let start = text.text.count
        switch part {
        case .lines(let range):
          text.copy(range)
          messages.append(.init(start: start, content: .line(range), line: range, addsEnd: false))
        case .message(let message, let line):
          message.decode(source, into: &text)
          let isLine =
            switch message.end {
            case .isInsideLine: false
            case .isLineEnd: true
            // Without any line ends, the writer of the records dropped them.
            case .isStated: !statesLineEnds
            }
          let addsEnd =
            isLine && (text.text.count == start || text.text.last != Ascii.lineFeed)
          if addsEnd { text.put(Ascii.lineFeed, for: message.end(in: source)) }
          messages.append(
            .init(
              start: start, content: message.content, line: line.start..<line.next,
              addsEnd: addsEnd, isRecord: true))
        }
      }
      // Another writer's lines belong to no trace of this one.
      let end = source.count..<source.count
      if text.text.last != Ascii.lineFeed { text.put(Ascii.lineFeed, for: end) }
      text.put(Ascii.lineFeed, for: end)
    }
    text.edits = LogRecordEdits(messages, spelling)
    return text
  }
}

extension LogMessage {
  fileprivate func end(in source: TextSource) -> Range<Int> {
    switch content {
    case .string(let range), .line(let range): range.upperBound..<range.upperBound
    case .numbers(let range): range.upperBound - 1..<range.upperBound - 1
    }
  }

  func endsLine(in source: TextSource) -> Bool {
    guard case .string(let range) = content, range.count >= 2 else { return false }
    return source.has("\\n", at: range.upperBound - 2, limit: range.upperBound)
  }

  func decode(_ source: TextSource, into text: inout UnwrappedText) {
    switch content {
    case .string(let range): JsonStringEscapes.decode(source, range, into: &text)
    case .line(let range): text.copy(range)
    case .numbers(let range):
      var position = range.lowerBound
      while position < range.upperBound {
        guard let (value, end) = source.decimal(at: position, limit: range.upperBound) else {
          position += 1
          continue
        }
        text.put(UInt8(truncatingIfNeeded: value ?? 0), for: position..<end)
        position = end
      }
    }
  }

  /// The text alone.
  func text(in source: TextSource) -> [UInt8] {
    if case .string(let range) = content,
      let string = try? JsonStringBytes(
        in: source.bytes, at: range.lowerBound - 1, limit: range.upperBound + 1)
    {
      return string.bytes
    }
    var text = UnwrappedText(of: source.bytes)
    decode(source, into: &text)
    return text.text
  }
}
