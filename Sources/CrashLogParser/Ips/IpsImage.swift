public import SymbolicationModel

/// One entry of `usedImages`: where an executable or library lay in the process.
public struct IpsImage: Sendable {
  /// The entry.
  package let value: JsonValue
  /// The base that the entry states, if it can be read.
  let base: UInt64?

  /// The first address of the image in the process: of its Mach-O header. 0 where it is not stated.
  public var loadAddress: LoadAddress { LoadAddress(base ?? 0) }
  /// How many bytes of addresses the image takes up. 0 where it is not stated.
  public let byteCount: UInt64
  /// Whether this is not an image, but the entry for addresses that belong to none: its source is `A`,
  /// for absolute, or it starts at 0 and has no size, or one of 4 GB and more. No address is looked up in
  /// it.
  public let isAbsolutePseudoImage: Bool

  /// The entry from brace to brace, as a half-open range of offsets in the input.
  public var byteRange: Range<Int> { value.byteRange }

  /// The last address of the image: inclusive. That of its start for an image without a size.
  public var lastAddress: LoadAddress {
    let (last, overflow) = loadAddress.value.addingReportingOverflow(max(byteCount, 1) - 1)
    return LoadAddress(overflow ? .max : last)
  }

  /// Whether the address lies in the image. Never true for the absolute pseudo-image.
  public func contains(_ address: LoadAddress) -> Bool {
    !isAbsolutePseudoImage && byteCount > 0 && address >= loadAddress && address <= lastAddress
  }
}

/// What else an entry says. All is read from the bytes at each call, and nil where it is missing.
extension IpsImage {
  /// Where the operating system found the image: `P` in the process, `C` in the shared cache, `S` the
  /// shared cache as a whole, `K`, `U` and `T` of the kernel, `A` nowhere.
  public var sourceCode: String? { value["source"]?.string }
  /// The file name. Names repeat.
  public var name: String? { value["name"]?.string }
  /// The path: complete, or cut (`/Users/USER/*/App`).
  public var path: String? { value["path"]?.string }
  /// The architecture of the slice.
  public var architecture: Architecture? {
    value["arch"]?.string.map { Architecture(name: $0) }
  }
  /// The UUID. Nil for one of only zeros, and where it could not be read.
  public var identity: ImageIdentity? {
    value["uuid"]?.string.flatMap { ImageIdentity(hexadecimal: $0.utf8) }
  }
  /// The digits and dashes of the UUID as a half-open range of offsets, without the quotes.
  public var identityRange: Range<Int>? {
    guard let uuid = value["uuid"], uuid.kind == .string else { return nil }
    let range = uuid.byteRange
    return range.lowerBound + 1..<range.upperBound - 1
  }
  public var bundleIdentifier: String? { value["CFBundleIdentifier"]?.string }
  /// `CFBundleVersion`.
  public var bundleVersion: String? { value["CFBundleVersion"]?.string }
  /// `CFBundleShortVersionString`.
  public var bundleShortVersion: String? { value["CFBundleShortVersionString"]?.string }
}
