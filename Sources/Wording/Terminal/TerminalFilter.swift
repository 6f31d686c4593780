/// Makes output harmless for a terminal, whatever reports and symbol files put into it.
///
/// Control characters (C0, DEL, C1), bytes that are not UTF-8, and characters that change the
/// direction of the text around them (embeddings, overrides and isolates) become U+FFFD. Tabs, line
/// feeds, and carriage returns before a line feed stay. Colours (`ESC [ 31 m`), which Swift's
/// backtraces have, are left out: a colour like the background's could hide a part of the text.
///
/// The output may come in pieces that end anywhere.
package struct TerminalFilter: Sendable {
  /// The end of the last piece, if what follows decides what it is: a character that is cut, the
  /// start of a colour, a carriage return. At most `longestColour` bytes.
  private var pending: [UInt8] = []

  package init() {}

  /// A longer sequence is not taken for a colour.
  private static let longestColour = 40

  private static let replacement = Array("\u{fffd}".utf8)

  /// What to show for the next piece of the output. What it ends with may be shown with the next
  /// piece; if there is none, it was cut and is not shown.
  package mutating func shown(_ piece: [UInt8]) -> [UInt8] {
    if pending.isEmpty, piece.allSatisfy(Self.isPlain) { return piece }
    let bytes = pending + piece
    pending = []
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    var offset = 0
    while offset < bytes.count {
      let rest = bytes[offset...]
      switch Self.part(rest) {
      case .kept(let count):
        shown += rest.prefix(count)
        offset += count
      case .replaced(let count):
        shown += Self.replacement
        offset += count
      case .left(let count): offset += count
      case .cut:
        pending = Array(rest)
        return shown
      }
    }
    return shown
  }

  private enum Part {
    /// So many bytes are shown as they are.
    case kept(Int)
    /// So many bytes become U+FFFD.
    case replaced(Int)
    /// So many bytes are not shown.
    case left(Int)
    /// What follows decides.
    case cut
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20..<0x7f, UInt8(ascii: "\n"), UInt8(ascii: "\t"): true
    default: false
    }
  }

  /// What to do with the start of `bytes`, which are not empty.
  private static func part(_ bytes: ArraySlice<UInt8>) -> Part {
    let first = bytes[bytes.startIndex]
    if isPlain(first) { return .kept(bytes.prefix(while: isPlain).count) }
    switch first {
    case UInt8(ascii: "\r"):
      guard let next = bytes.dropFirst().first else { return .cut }
      return next == UInt8(ascii: "\n") ? .kept(2) : .replaced(1)
    case 0x1b: return colour(bytes)
    case 0x80...: return character(bytes)
    default: return .replaced(1)
    }
  }

  /// `ESC [`, digits with `;` and `:` between them, `m` (ECMA-48, Select Graphic Rendition).
  private static func colour(_ bytes: ArraySlice<UInt8>) -> Part {
    let rest = bytes.dropFirst()
    guard let bracket = rest.first else { return .cut }
    guard bracket == UInt8(ascii: "[") else { return .replaced(1) }
    let parameters = rest.dropFirst().prefix {
      (UInt8(ascii: "0")...UInt8(ascii: ";")).contains($0)
    }
    guard parameters.count <= longestColour - 3 else { return .replaced(1) }
    guard let final = bytes.dropFirst(2 + parameters.count).first else { return .cut }
    return final == UInt8(ascii: "m") ? .left(3 + parameters.count) : .replaced(1)
  }

  /// A character of several bytes (Unicode 16, table 3-7), or what is none.
  private static func character(_ bytes: ArraySlice<UInt8>) -> Part {
    let first = bytes[bytes.startIndex]
    var seconds: ClosedRange<UInt8> = 0x80...0xbf
    let count: Int
    switch first {
    case 0xc2...0xdf: count = 2
    case 0xe0...0xef:
      count = 3
      if first == 0xe0 { seconds = 0xa0...0xbf }
      if first == 0xed { seconds = 0x80...0x9f }
    case 0xf0...0xf4:
      count = 4
      if first == 0xf0 { seconds = 0x90...0xbf }
      if first == 0xf4 { seconds = 0x80...0x8f }
    default: return .replaced(1)
    }
    var code = UInt32(first) & (0x7f >> UInt32(count))
    for (position, byte) in bytes.prefix(count).dropFirst().enumerated() {
      guard (position == 0 ? seconds : 0x80...0xbf).contains(byte) else {
        return .replaced(position + 1)
      }
      code = code << 6 | UInt32(byte & 0x3f)
    }
    guard bytes.count >= count else { return .cut }
    return isHarmful(code) ? .replaced(count) : .kept(count)
  }

  /// Whether a terminal acts on the character, or shows the text around it in another order.
  static func isHarmful(_ code: UInt32) -> Bool {
    switch code {
    case 0x00..<0x20, 0x7f...0x9f: true
    // LRE, RLE, PDF, LRO, RLO; LRI, RLI, FSI, PDI.
    case 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The text as one line of a message, with every character replaced by U+FFFD that a terminal
  /// would act on, and without marks of commands to a CI system.
  package var shownInMessages: String { withoutCommandMarks.withoutHarmfulCharacters }

  private var withoutHarmfulCharacters: String {
    // Such characters begin with one of the bytes 0xc2 and 0xe2.
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == 0xc2 || $0 == 0xe2 }) else {
      return self
    }
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars {
      scalars.append(TerminalFilter.isHarmful(scalar.value) ? "\u{fffd}" : scalar)
    }
    return String(scalars)
  }
}

/// Tells binary data from text.
package enum BinaryContent {
  /// How much is looked at.
  private static let sampleSize = 8192

  /// Whether the start of `bytes` has a zero, or a third of it are control characters and bytes
  /// that are not UTF-8. Text in the encodings of old systems has fewer.
  package static func isBinary(_ bytes: [UInt8]) -> Bool {
    let sample = bytes.prefix(sampleSize)
    if sample.contains(0) { return true }
    var filter = TerminalFilter()
    let shown = filter.shown(Array(sample))
    // Each of them is shown as U+FFFD.
    let replaced = shown.indices.count { index in
      shown[index] == 0xef && shown[index...].starts(with: [0xef, 0xbf, 0xbd])
    }
    return replaced * 3 > sample.count
  }
}
