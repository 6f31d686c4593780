/// The register dump of a thread. Only its range is kept: the registers are not decoded, and they
/// are not frames although they hold addresses.
public struct ThreadState: Sendable {
  private let source: TextSource
  private let flavorSpan: ByteSpan

  /// The number in `Thread N crashed with …`; nil for a thread that the writer did not know.
  public let threadNumber: Int?
  /// From the start of the heading to the end of the last line of registers, without its line end:
  /// a half-open range of offsets in the input.
  public internal(set) var byteRange: Range<Int>

  init(source: TextSource, flavor: ByteSpan, threadNumber: Int?, byteRange: Range<Int>) {
    self.source = source
    self.flavorSpan = flavor
    self.threadNumber = threadNumber
    self.byteRange = byteRange
  }

  /// What the heading calls the registers: `ARM Thread State (64-bit)`.
  public var flavor: String { source.string(flavorSpan.range) }
}
