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
  /// Without references: a search copies a step for each byte that it looks at.
  private enum Step: Sendable, BitwiseCopyable {
    /// A part of `literals`.
    case literal(Literal)
    case gap
    /// With the place among the texts of the pattern, if it is one.
    case field(LineField, LineField.Kind, text: Int)
    /// So many of the steps that follow may be missing.
    case optional(Int)
    case mark
  }

  private struct Literal: Sendable, BitwiseCopyable {
    let start: Int32
    let count: Int32
    let first: UInt8

    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  private let steps: [Step]
  /// The bytes of all literals, one after the other.
  private let literals: [UInt8]
  /// By the index of a step: the bytes that it may begin with.
  private let firstBytes: [ByteSet]
  /// What every line begins with; nil if it may be anything.
  package let firstByte: UInt8?
  /// The longest text that every line has, which is looked for first in long lines.
  private let neededText: String

  package init(_ text: String) {
    var steps: [Step] = []
    var textCount = 0
    var literals: [UInt8] = []
    var literal: [UInt8] = []
    /// Where the groups begin that are open.
    var groups: [Int] = []
    func flush() {
      guard let first = literal.first else { return }
      steps.append(
        .literal(
          Literal(
            start: Int32(clamping: literals.count), count: Int32(clamping: literal.count),
            first: first)))
      literals += literal
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
    self.literals = literals
    firstBytes = Self.firstBytes(steps)
    neededText = Self.neededText(steps, literals)
    if case .literal(let literal)? = steps.first {
      firstByte = literal.first
    } else {
      firstByte = nil
    }
  }

  private static func neededText(_ steps: [Step], _ literals: [UInt8]) -> String {
    var needed = 0..<0
    var next = 0
    while next < steps.count {
      switch steps[next] {
      case .optional(let count): next += count
      case .literal(let literal) where literal.count > needed.count: needed = literal.range
      default: break
      }
      next += 1
    }
    return String(decoding: literals[needed], as: UTF8.self)
  }

  /// ASCII bytes. Others always count as in it.
  private struct ByteSet: Sendable, BitwiseCopyable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    static var separators: Self { Self(" \t") }
    static var all: Self { Self(low: .max, high: .max) }

    init(_ bytes: String) { for byte in bytes.utf8 { insert(byte) } }

    mutating func insert(_ byte: UInt8) {
      let bit = UInt64(1) << UInt64(byte & 63)
      if byte < 64 { low |= bit } else { high |= bit }
    }

    func union(_ other: Self) -> Self { Self(low: low | other.low, high: high | other.high) }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
      byte >= 0x80 || (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 != 0
    }

    var isAll: Bool { low == .max && high == .max }

    init() {}
    private init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }
  }

  /// By the index of a step: the first bytes of what it and those behind it describe. The end of a
  /// line is no byte.
  private static func firstBytes(_ steps: [Step]) -> [ByteSet] {
    var sets = [ByteSet](repeating: ByteSet(), count: steps.count + 1)
    for index in steps.indices.reversed() {
      switch steps[index] {
      case .literal(let literal): sets[index].insert(literal.first)
      case .gap: sets[index] = .separators
      case .mark: sets[index] = sets[index + 1]
      case .optional(let count): sets[index] = sets[index + 1].union(sets[index + 1 + count])
      case .field(_, .decimal, _): sets[index] = ByteSet("0123456789")
      case .field(_, .hexadecimal, _): sets[index] = ByteSet("0123456789abcdefABCDEF")
      case .field(_, .address, _): sets[index] = ByteSet("0")
      case .field: sets[index] = .all
      }
    }
    return sets
  }

  /// In bytes. Trying a pattern takes shorter lines as little time as looking for its text.
  private static let shortLine = 96

  /// Reads a line without separators at its ends.
  ///
  /// - Complexity: O(n), within a limit of steps.
  package func match(_ source: TextSource, _ range: Range<Int>) -> LineMatch? {
    // A line may be empty, and so may be what a pattern describes.
    guard range.isEmpty || firstBytes[0].contains(source[range.lowerBound]) else { return nil }
    if range.count > Self.shortLine, !neededText.isEmpty,
      source.find(neededText, from: range.lowerBound, limit: range.upperBound) == nil
    {
      return nil
    }
    var search = Search(source, limit: range.upperBound, self, budget: 2_000 + 40 * range.count)
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
    let literals: [UInt8]
    let firstBytes: [ByteSet]
    /// How many steps may still be tried, and how many bytes of texts looked at. No line of a trace
    /// needs as many.
    var budget: Int
    var match = LineMatch()
    private var failures = TextFailures()

    init(_ source: TextSource, limit: Int, _ pattern: LinePattern, budget: Int) {
      self.source = source
      self.limit = limit
      steps = pattern.steps
      literals = pattern.literals
      firstBytes = pattern.firstBytes
      self.budget = budget
    }

    mutating func run(_ first: Int, _ start: Int) -> Bool {
      var (step, position) = (first, start)
      while step < steps.count {
        budget -= 1
        guard budget > 0 else { return false }
        switch steps[step] {
        case .literal(let literal):
          guard has(literal, at: position) else { return false }
          position += Int(literal.count)
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

    private func has(_ literal: Literal, at position: Int) -> Bool {
      guard limit - position >= Int(literal.count) else { return false }
      var place = position
      for index in literal.range {
        guard source[place] == literals[index] else { return false }
        place += 1
      }
      return true
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
      // Most bytes are none that the text could end before. Brackets are counted one by one.
      let stops = firstBytes[next]
      let separators = ByteSet.separators
      let skips = kind != .balanced && !stops.isAll
      var end = start
      var depth = 0
      while end < limit {
        if skips {
          let first = end
          while end + 1 < limit, !separators.contains(source[end]),
            !stops.contains(source[end + 1])
          {
            end += 1
          }
          budget -= end - first
        }
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
      case .literal(let literal): source[position] == literal.first
      case .gap: source.separatorLength(at: position, limit: limit) > 0
      case .mark: mayFollow(step + 1, at: position)
      case .optional(let count):
        mayFollow(step + 1, at: position) || mayFollow(step + 1 + count, at: position)
      case .field: true
      }
    }
  }
}
