package import JsonReading
public import SymbolicationModel

/// An entry of a report's list of images: where an executable or library was loaded in the process.
///
/// An image reads its texts from the bytes of the report each time they are asked for.
public struct BinaryImage: Sendable {
  /// What an entry stands for: some are not executables or libraries.
  public enum Kind: Hashable, Sendable {
    /// An executable or library.
    case image
    /// The shared cache as a whole, without its libraries (source `S` in `.ips`).
    case sharedCache
    /// Not an image but the entry for addresses that belong to none:
    /// `0x0 - 0xffffffffffffffff ???`, which translated reports have, or source `A` in `.ips`. No
    /// image is loaded at 0, so an entry that covers the first 4 GB is one of these. No address is
    /// looked up in it.
    case absolute
  }

  /// What the entry stands for. Only `image` is an executable or library with symbols.
  public let kind: Kind
  /// The first address of the image in the process. 0 if the report does not state it.
  public let loadAddress: LoadAddress
  /// The last address of the image: inclusive. Meaningless if ``byteCount`` is 0.
  public let lastAddress: LoadAddress
  /// The number of addresses that the image takes up. 0 if the report does not state it, or if the
  /// image ends before it starts, which is how an image without a size is printed.
  public let byteCount: UInt64
  /// Where the entry's bytes are, and how to read them.
  private let carrier: Carrier

  package enum Carrier: Sendable {
    case line(TextSource, Spans)
    case object(JsonValue)
    indirect case values(Values)
  }

  /// The parts of a line in Apple's text format.
  package struct Spans: Hashable, Sendable {
    package var line = ByteSpan.empty
    package var name = ByteSpan.empty
    package var version = ByteSpan.empty
    package var architecture = ByteSpan.empty
    package var identity = ByteSpan.empty
    package var path = ByteSpan.empty

    package init() {}
  }

  /// What other formats state about an image.
  package struct Values: Hashable, Sendable {
    package var name: String?
    package var path: String?
    package var identity: ImageIdentity?
    package var architecture: Architecture?
    package let byteRange: Range<Int>

    package init(byteRange: Range<Int>) { self.byteRange = byteRange }
  }

  /// An image whose last address is stated.
  ///
  /// - Parameter lastAddress: inclusive. Less than `loadAddress` for an image without addresses.
  package init(
    kind: Kind, loadAddress: LoadAddress, lastAddress: LoadAddress, carrier: Carrier
  ) {
    self.kind = kind
    self.loadAddress = loadAddress
    self.lastAddress = lastAddress
    self.carrier = carrier
    if lastAddress >= loadAddress {
      let span = lastAddress.value - loadAddress.value
      byteCount = span == .max ? .max : span + 1
    } else {
      byteCount = 0
    }
  }

  /// An image whose size is stated.
  package init(kind: Kind, loadAddress: LoadAddress, byteCount: UInt64, carrier: Carrier) {
    self.kind = kind
    self.loadAddress = loadAddress
    self.byteCount = byteCount
    self.carrier = carrier
    let (last, overflow) = loadAddress.value.addingReportingOverflow(max(byteCount, 1) - 1)
    lastAddress = LoadAddress(overflow ? .max : last)
  }

  /// An image of a format that is neither Apple's text nor Apple's JSON.
  ///
  /// - Parameter endAddress: exclusive. An image that ends where it starts, or before, has no
  ///   addresses.
  package init(loadAddress: LoadAddress, endAddress: LoadAddress, _ values: Values) {
    self.init(
      kind: .image, loadAddress: loadAddress,
      byteCount: endAddress > loadAddress ? endAddress.value - loadAddress.value : 0,
      carrier: .values(values))
  }

  /// Whether the address lies in the image. Never true for an entry of kind ``Kind/absolute``.
  public func contains(_ address: LoadAddress) -> Bool {
    kind != .absolute && byteCount > 0 && address >= loadAddress && address <= lastAddress
  }

  // MARK: Texts

  /// The line without its line end, or the JSON object: a half-open range of offsets in the input.
  public var byteRange: Range<Int> {
    switch carrier {
    case .line(_, let spans): spans.line.range
    case .object(let object): object.byteRange
    case .values(let values): values.byteRange
    }
  }

  /// The digits and dashes of the identity, without brackets or quotes. Nil if there is none, or if
  /// the format does not keep its place.
  public var identityRange: Range<Int>? {
    switch carrier {
    case .line(_, let spans):
      return spans.identity.isEmpty ? nil : spans.identity.range
    case .object(let object):
      guard let uuid = object[.uuid], uuid.kind == .string else { return nil }
      let range = uuid.byteRange
      return range.lowerBound + 1..<range.upperBound - 1
    case .values: return nil
    }
  }

  /// The file name, or a bundle identifier in text reports of macOS 11 and earlier. Names repeat.
  public var name: String? {
    switch carrier {
    case .line(let source, let spans): source.string(spans.name.range)
    case .object(let object): object[.name]?.string
    case .values(let values): values.name
    }
  }

  /// The path as the report has it: complete, cut (`/Users/USER/*/App`), or only a name.
  public var path: String? {
    switch carrier {
    case .line(let source, let spans): spans.path.isEmpty ? nil : source.string(spans.path.range)
    case .object(let object): object[.path]?.string
    case .values(let values): values.path
    }
  }

  /// The architecture of the slice, if the report states it.
  public var architecture: Architecture? {
    switch carrier {
    case .line(let source, let spans):
      spans.architecture.isEmpty
        ? nil : Architecture(name: source.string(spans.architecture.range))
    case .object(let object): object[.arch]?.string.map { Architecture(name: $0) }
    case .values(let values): values.architecture
    }
  }

  /// The UUID of a Mach-O file or the build-id of an ELF file. Nil if there is none (`<(null)>`,
  /// only zeros) or it cannot be read.
  public var identity: ImageIdentity? {
    switch carrier {
    case .line(let source, let spans):
      ImageIdentity(hexadecimal: source.bytes.span.extracting(spans.identity.range))
    case .object(let object):
      object[.uuid]?.withStringBytes { ImageIdentity(hexadecimal: $0) } ?? nil
    case .values(let values): values.identity
    }
  }

  /// What Apple's macOS layouts print in parentheses after the name: `1.0 - 1`, `*`, `???`. For an
  /// `.ips`, the short version of the bundle.
  public var version: String? {
    switch carrier {
    case .line(let source, let spans):
      spans.version.isEmpty ? nil : source.string(spans.version.range)
    case .object(let object): object[.bundleShortVersion]?.string
    case .values: nil
    }
  }

  /// The identifier of the image's bundle; only an `.ips` states it.
  public var bundleIdentifier: String? { object?[.bundleIdentifier]?.string }

  /// The entry of an `.ips`.
  package var object: JsonValue? {
    if case .object(let object) = carrier { object } else { nil }
  }
}
