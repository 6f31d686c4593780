import JsonReading
import SymbolicationModel

/// The shape of a line, written as a text:
///
/// ```text
/// #{index} pc {address:h}  {image}{? ({symbol}+{offset})?}{? (BuildId: {build})?}
/// ```
///
/// - `{name}` is a field of ``LineField``. `{name:h}` has a kind other than the field's own.
/// - A space is one separator or more.
/// - `{?` and `?}` enclose what may be missing.
/// - `{:}` is before and behind the part of the line that an answer replaces.
///
/// A pattern describes a whole line, without the separators at its ends. A field of text is as
/// short as the rest of the pattern allows.
package struct LinePattern: Sendable {
  private enum Step: Sendable {
    case literal([UInt8])
    case gap
    /// With the place among the texts of the pattern, if it is one.
    case field(LineField, LineField.Kind, text: Int)
    /// So many of the steps that follow may be missing.
    case optional(Int)
    case mark
  }

  private let steps: [Step]
  /// What every line begins with; nil if it may be anything.
  package let firstByte: UInt8?
  /// The longest text that every line has, which is looked for first in long lines.
  private let neededText: String

  package init(_ text: String) {
    var steps: [Step] = []
    var textCount = 0
    var literal: [UInt8] = []
    /// Where the groups begin that are open.
    var groups: [Int] = []
    func flush() {
      if !literal.isEmpty { steps.append(.literal(literal)) }
      literal = []
    }
    var rest = Array(text.utf8)[...]
    func drop(_ prefix: String) -> Bool {
      guard rest.starts(with: prefix.utf8) else { return false }
      rest = rest.dropFirst(prefix.utf8.count)
      return true
    }
    while let byte = rest.first {
      if drop("{?") {
        flush()
        groups.append(steps.count)
        steps.append(.optional(0))
      } else if drop("?}") {
        flush()
        if let start = groups.popLast() { steps[start] = .optional(steps.count - start - 1) }
      } else if drop("{:}") {
        flush()
        steps.append(.mark)
      } else if drop("{"), let end = rest.firstIndex(of: Ascii.closeBrace) {
        flush()
        let parts = rest[..<end].split(separator: Ascii.colon).map {
          String(decoding: $0, as: UTF8.self)
        }
        rest = rest[(end + 1)...]
        guard let field = parts.first.flatMap({ LineField(rawValue: $0) }) else {
          preconditionFailure("no such field in \(text)")
        }
        let kind = parts.dropFirst().first.flatMap { LineField.Kind(rawValue: $0) }
        steps.append(.field(field, kind ?? field.kind, text: textCount))
        if (kind ?? field.kind).isText { textCount += 1 }
      } else if drop(" ") {
        flush()
        steps.append(.gap)
      } else {
        literal.append(byte)
        rest = rest.dropFirst()
      }
    }
    flush()
    self.steps = steps
    neededText = Self.neededText(steps)
    if case .literal(let bytes)? = steps.first { firstByte = bytes.first } else { firstByte = nil }
  }

  private static func neededText(_ steps: [Step]) -> String {
    var needed: [UInt8] = []
    var next = 0
    while next < steps.count {
      switch steps[next] {
      case .optional(let count): next += count
      case .literal(let bytes) where bytes.count > needed.count: needed = bytes
      default: break
      }
      next += 1
    }
    return String(decoding: needed, as: UTF8.self)
  }

  /// In bytes. Trying a pattern takes shorter lines as little time as looking for its text.
  private static let shortLine = 96

  /// Reads a line without separators at its ends.
  ///
  /// - Complexity: O(n), within a limit of steps.
  package func match(_ source: TextSource, _ range: Range<Int>) -> LineMatch? {
    if let firstByte, source[range.lowerBound] != firstByte { return nil }
    if range.count > Self.shortLine, !neededText.isEmpty,
      source.find(neededText, from: range.lowerBound, limit: range.upperBound) == nil
    {
      return nil
    }
    var search = Search(
      source: source, limit: range.upperBound, steps: steps, budget: 2_000 + 40 * range.count)
    guard search.run(0, range.lowerBound) else { return nil }
    return search.match
  }

  /// For each text of a pattern where one began, and how far it could reach, if nothing fits behind
  /// it. Nothing fits then behind one that begins further on: it can end at the same places, and no
  /// others.
  private struct TextFailures {
    private var (first, second, third, fourth) = (0..<0, 0..<0, 0..<0, 0..<0)

    /// By the place of the text among those of the pattern; not kept of more than four.
    subscript(text: Int) -> Range<Int> {
      get {
        switch text {
        case 0: first
        case 1: second
        case 2: third
        case 3: fourth
        default: 0..<0
        }
      }
      set {
        switch text {
        case 0: first = newValue
        case 1: second = newValue
        case 2: third = newValue
        case 3: fourth = newValue
        default: break
        }
      }
    }
  }

  private struct Search {
    let source: TextSource
    let limit: Int
    let steps: [Step]
    /// How many steps may still be tried, and how many bytes of texts looked at. No line of a trace
    /// needs as many.
    var budget: Int
    var match = LineMatch()
    private var failures = TextFailures()

    init(source: TextSource, limit: Int, steps: [Step], budget: Int) {
      self.source = source
      self.limit = limit
      self.steps = steps
      self.budget = budget
    }

    mutating func run(_ first: Int, _ start: Int) -> Bool {
      var (step, position) = (first, start)
      while step < steps.count {
        budget -= 1
        guard budget > 0 else { return false }
        switch steps[step] {
        case .literal(let bytes):
          guard limit - position >= bytes.count,
            source.bytes[position..<position + bytes.count].elementsEqual(bytes)
          else { return false }
          position += bytes.count
        case .gap:
          let next = source.skipSeparators(from: position, limit: limit)
          guard next > position else { return false }
          position = next
        case .mark: match.addMark(position)
        case .optional(let count):
          let state = match.state
          if run(step + 1, position) { return true }
          match.goBack(to: state)
          step += count
        case .field(let field, let kind, let text):
          guard kind.isText else {
            guard let end = kind.end(in: source, position, limit) else { return false }
            match.set(field, kind, position..<end)
            position = end
            break
          }
          return runText(field, kind, text, step + 1, position)
        }
        step += 1
      }
      return position == limit
    }

    private mutating func runText(
      _ field: LineField, _ kind: LineField.Kind, _ text: Int, _ next: Int, _ start: Int
    ) -> Bool {
      guard start < limit, source.separatorLength(at: start, limit: limit) == 0 else {
        return false
      }
      // How far one reaches with brackets in pairs depends on where it begins.
      let isRemembered = kind != .balanced
      if isRemembered, failures[text].contains(start) { return false }
      if next == steps.count, kind == .text {
        match.set(field, kind, start..<limit)
        return true
      }
      let state = match.state
      var end = start
      var depth = 0
      while end < limit {
        budget -= 1
        guard budget > 0 else { return false }
        let length = source.separatorLength(at: end, limit: limit)
        if kind == .word || kind == .exceptionName || kind == .throwable, length > 0 { break }
        if kind == .balanced {
          if source[end] == UInt8(ascii: "(") { depth += 1 }
          if source[end] == UInt8(ascii: ")") { depth -= 1 }
          if depth < 0 { return false }
        }
        end += max(length, 1)
        guard length == 0, depth == 0, mayFollow(next, at: end), kind.fits(source, start, end)
        else { continue }
        match.goBack(to: state)
        match.set(field, kind, start..<end)
        if run(next, end) { return true }
        if budget <= 0 { return false }
      }
      if isRemembered { failures[text] = start..<end }
      return false
    }

    /// A quick look at what follows a text.
    private func mayFollow(_ step: Int, at position: Int) -> Bool {
      guard step < steps.count else { return position == limit }
      return switch steps[step] {
      case .literal(let bytes): source[position] == bytes[0]
      case .gap: source.separatorLength(at: position, limit: limit) > 0
      case .mark: mayFollow(step + 1, at: position)
      case .optional(let count):
        mayFollow(step + 1, at: position) || mayFollow(step + 1 + count, at: position)
      case .field: true
      }
    }
  }
}

/// What a line says, by the names of its parts.
package struct LineMatch {
  /// In the order of the line. A pattern has few.
  private var fields: [(field: LineField, kind: LineField.Kind, range: ByteSpan)] = []
  /// The part that an answer replaces; nil if the pattern has none.
  package private(set) var content: Range<Int>?

  /// The last range, if a pattern has a field twice.
  package subscript(field: LineField) -> Range<Int>? {
    fields.last { $0.field == field }?.range.range
  }

  fileprivate mutating func set(
    _ field: LineField, _ kind: LineField.Kind, _ range: Range<Int>
  ) {
    fields.append((field, kind, ByteSpan(range.lowerBound, range.upperBound)))
  }

  /// Whether a pattern has a field as a decimal number.
  package func isDecimal(_ field: LineField) -> Bool {
    fields.last { $0.field == field }?.kind == .decimal
  }

  /// What was found so far: how many fields, and the content.
  fileprivate var state: (count: Int, content: Range<Int>?) { (fields.count, content) }

  fileprivate mutating func goBack(to state: (count: Int, content: Range<Int>?)) {
    fields.removeLast(fields.count - state.count)
    content = state.content
  }

  fileprivate mutating func addMark(_ position: Int) {
    content = (content?.lowerBound ?? position)..<position
  }

  package func text(_ field: LineField, _ source: TextSource) -> String? {
    self[field].map { source.string($0) }
  }

  /// A number, decimal or behind `0x`; or the digits of a hexadecimal one.
  package func number(_ field: LineField, _ source: TextSource) -> UInt64? {
    guard let range = self[field] else { return nil }
    if let (value, end) = source.hexadecimal(at: range.lowerBound, limit: range.upperBound),
      end == range.upperBound
    {
      return value
    }
    let isHexadecimal =
      (field.kind == .address || field.kind == .hexadecimal) && !isDecimal(field)
    let digits =
      isHexadecimal
      ? source.hexadecimalDigits(at: range.lowerBound, limit: range.upperBound)
      : source.number(at: range.lowerBound, limit: range.upperBound)
    return digits.flatMap { $0.end == range.upperBound ? $0.value : nil }
  }

  package func integer(_ field: LineField, _ source: TextSource) -> Int? {
    number(field, source).flatMap { Int(exactly: $0) }
  }
}

/// The parts of lines in traces.
package enum LineField: String, Sendable {
  // Of a frame.
  case index, address, image, symbol, offset, file, line, column, build
  /// The distance from the start of the image.
  case place
  /// The address in the image's file.
  case virtual
  /// What a frame of Apple's text has behind the address.
  case content
  // Of a thread, an exception, a process.
  case thread, threadName, queue, exception, reason, stop, signal, code, fault
  case process, pid, path, system, systemVersion, systemBuild, model, architecture, message, date
  case version, base, end
  /// Of the end of a process.
  case namespace, test
  /// What Android says about a fault.
  case cause
  /// Where a debugger stopped.
  case instruction
  /// The letter before a frame that says what kind of code it is.
  case kind
  case skip

  package enum Kind: String, Sendable {
    case decimal = "d"
    /// With or without `0x`.
    case hexadecimal = "h"
    /// `0x` and digits, or 18 zeros.
    case address = "x"
    /// Text with no separator in it.
    case word = "w"
    /// A word that ends as names of exceptions in .NET do.
    case exceptionName = "n"
    /// A word with a package that ends as names of errors in Kotlin do.
    case throwable = "k"
    /// Text in which brackets are in pairs.
    case balanced = "b"
    case text = "t"

    fileprivate var isText: Bool {
      switch self {
      case .text, .word, .exceptionName, .throwable, .balanced: true
      case .decimal, .hexadecimal, .address: false
      }
    }

    /// Whether a whole text may be of this kind.
    fileprivate func fits(_ source: TextSource, _ start: Int, _ end: Int) -> Bool {
      guard self == .throwable else {
        return self != .exceptionName || source.has("Exception", at: end - 9, limit: end)
      }
      return end - start < 256
        && (source.has("Error", at: end - 5, limit: end)
          || source.has("Exception", at: end - 9, limit: end))
        && source.bytes[start..<end].contains(UInt8(ascii: "."))
    }

    /// Where a number ends that begins at an offset.
    fileprivate func end(in source: TextSource, _ start: Int, _ limit: Int) -> Int? {
      switch self {
      case .decimal: return source.decimal(at: start, limit: limit)?.end
      case .hexadecimal:
        if let end = source.hexadecimal(at: start, limit: limit)?.end { return end }
        var end = start
        while end < limit, hexadecimalDigitValue(source[end]) != nil { end += 1 }
        return end > start ? end : nil
      case .address:
        if let end = source.hexadecimal(at: start, limit: limit)?.end { return end }
        let zeros = start + 18
        return zeros <= limit && source.bytes[start..<zeros].allSatisfy({ $0 == Ascii.zero })
          ? zeros : nil
      case .word, .exceptionName, .throwable, .balanced, .text: return nil
      }
    }
  }

  var kind: Kind {
    switch self {
    case .index, .offset, .line, .column, .thread, .pid: .decimal
    case .address, .place, .fault: .address
    case .virtual, .build, .base, .end: .hexadecimal
    default: .text
    }
  }
}
