import JsonReading

/// The register dump of a thread. Registers are read from the bytes each time they are asked for.
/// They are not frames, although they hold addresses.
public struct ThreadState: Sendable {
  private let source: TextSource
  private let flavorSpan: ByteSpan

  /// The number in `Thread N crashed with …`; nil for a thread that the writer did not know.
  public let threadNumber: Int?
  /// From the start of the heading to the end of the last line of registers, without its line end:
  /// a half-open range of offsets in the input.
  public package(set) var byteRange: Range<Int>

  package init(source: TextSource, flavor: ByteSpan, threadNumber: Int?, byteRange: Range<Int>) {
    self.source = source
    self.flavorSpan = flavor
    self.threadNumber = threadNumber
    self.byteRange = byteRange
  }

  /// What the heading calls the registers: `ARM Thread State (64-bit)`.
  public var flavor: String { source.string(flavorSpan.range) }

  /// The heading and the lines of registers.
  package var text: String { source.string(byteRange) }

  /// The value of a register: the number after `name:`. Nil if there is none.
  package func register(_ name: String) -> UInt64? {
    var position = byteRange.lowerBound
    let pattern = "\(name):"
    while let found = source.find(pattern, from: position, limit: byteRange.upperBound) {
      position = found + pattern.utf8.count
      // `esp:` ends with `sp:`.
      let before = found == 0 ? Ascii.space : source[found - 1]
      guard [Ascii.space, Ascii.tab, Ascii.lineFeed].contains(before) else { continue }
      let start = source.skipSeparators(from: position, limit: byteRange.upperBound)
      let limit = byteRange.upperBound
      let number =
        source.hexadecimal(at: start, limit: limit) ?? source.number(at: start, limit: limit)
      if let number { return number.value }
    }
    return nil
  }
}
