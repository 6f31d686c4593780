public import SymbolicationModel

/// One image of a Swift backtrace: where an executable or library lay in the process.
public struct SwiftBacktraceImage: Sendable {
  /// The first address of the image.
  public let loadAddress: LoadAddress
  /// The end of the image's code: exclusive, unlike in Apple's reports.
  public let endAddress: LoadAddress
  /// The GNU build-id of an ELF file, the UUID of a Mach-O file; nil where it has none.
  public let identity: ImageIdentity?
  /// The file's name.
  public let name: String
  /// Nil where it is not known.
  public let path: String?
  /// The line, without what a log has before it and without its line end; the object in a report
  /// as JSON.
  public let byteRange: Range<Int>

  /// Whether the address lies in the image.
  public func contains(_ address: LoadAddress) -> Bool {
    address >= loadAddress && address < endAddress
  }
}

extension SwiftBacktraceImage: AddressedImage {
  /// Inclusive. For an image that ends where it starts it is no address of the image.
  var lastAddress: LoadAddress { LoadAddress(endAddress.value &- 1) }
  var isAbsolutePseudoImage: Bool { false }
}
