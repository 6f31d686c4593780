public import SymbolicationModel

/// One line of the list of binary images: where an executable or library lay in the process.
public struct BinaryImage: Sendable {
  struct Spans: Hashable, Sendable {
    var line = ByteSpan.empty
    var name = ByteSpan.empty
    var version = ByteSpan.empty
    var architecture = ByteSpan.empty
    var identity = ByteSpan.empty
    var path = ByteSpan.empty
  }

  private let source: TextSource
  private let spans: Spans

  /// The first address of the image in the process: of its Mach-O header.
  public let loadAddress: LoadAddress
  /// The last address of the image, as the line prints it: inclusive.
  public let lastAddress: LoadAddress
  /// Whether the writer marked the image with `+`, as older writers mark what is not part of the
  /// system.
  public let isMarked: Bool

  init(
    source: TextSource, spans: Spans, loadAddress: LoadAddress, lastAddress: LoadAddress,
    isMarked: Bool
  ) {
    self.source = source
    self.spans = spans
    self.loadAddress = loadAddress
    self.lastAddress = lastAddress
    self.isMarked = isMarked
  }

  /// The line without its line end, as a half-open range of offsets in the input.
  public var byteRange: Range<Int> { spans.line.range }
  /// The digits and dashes of the identity, without the angle brackets; nil where there are none.
  public var identityRange: Range<Int>? { spans.identity.isEmpty ? nil : spans.identity.range }

  /// The bytes from the first address to the last: 0 for an image that ends before it starts, which
  /// is how an image of no size is printed.
  public var byteCount: UInt64 {
    guard lastAddress >= loadAddress else { return 0 }
    let (count, overflow) = (lastAddress.value - loadAddress.value).addingReportingOverflow(1)
    return overflow ? .max : count
  }

  /// Whether the address lies in the image. Never true for the absolute pseudo-image.
  public func contains(_ address: LoadAddress) -> Bool {
    !isAbsolutePseudoImage && address >= loadAddress && address <= lastAddress
  }

  /// Whether this is `0x0 - 0xffffffffffffffff ??? (*) <0000…>`: not an image, but the entry that
  /// translated reports make for addresses that belong to no image. It would contain every address.
  /// Whatever takes up the first 4 GB, and perhaps more, is that: no image is loaded at 0.
  public var isAbsolutePseudoImage: Bool {
    loadAddress.value == 0 && lastAddress.value >= 0xffff_ffff
  }

  /// The file name, or in reports of macOS 11 and earlier the bundle identifier. Names repeat.
  ///
  /// Made from the bytes at each call, as are the other texts of an image.
  public var name: String { source.string(spans.name.range) }
  /// What stands in parentheses behind the name in the layouts of macOS: `1.0 - 1`, `*`, `???`.
  public var version: String? { spans.version.isEmpty ? nil : source.string(spans.version.range) }
  /// The architecture of the slice, where the layout states it, as those of iOS do.
  public var architecture: Architecture? {
    spans.architecture.isEmpty
      ? nil : Architecture(name: source.string(spans.architecture.range))
  }
  /// The UUID. Nil where there is none (`<(null)>`, only zeros) or it could not be read.
  public var identity: ImageIdentity? {
    ImageIdentity(hexadecimal: source.bytes[spans.identity.range])
  }
  /// The path as printed: complete, cut (`/Users/USER/*/App`), or only a name. Nil where none is.
  public var path: String? { spans.path.isEmpty ? nil : source.string(spans.path.range) }
}
