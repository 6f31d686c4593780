public import SymbolicationModel

/// How far an image was moved when it was loaded: the difference between its addresses in the process
/// and in its file.
///
/// This is the only place where a load address becomes a link address. The arithmetic is modulo 2^64,
/// as the loader's is: an image may be moved down, and an address that does not belong to the image
/// comes out as one that lies outside its segments.
public struct Slide: Hashable, Sendable {
  /// What is subtracted from a load address.
  private let difference: UInt64

  /// - Parameters:
  ///   - loadAddress: where the image's first segment lies in the process: the start of its line in
  ///     `Binary Images`, `-l` of `atos`.
  ///   - linkBase: where the file says that this segment lies: the vmaddr of `__TEXT`, or the page of
  ///     the first `PT_LOAD`.
  public init(loadAddress: LoadAddress, linkBase: LinkAddress) {
    self.difference = loadAddress.value &- linkBase.value
  }

  /// A slide by its value: `-s` of `atos`.
  public init(value: UInt64) {
    self.difference = value
  }

  /// The address in the file of what lies at `address` in the process.
  public func linkAddress(of address: LoadAddress) -> LinkAddress {
    LinkAddress(address.value &- difference)
  }

  /// The address in the process of what lies at `address` in the file.
  public func loadAddress(of address: LinkAddress) -> LoadAddress {
    LoadAddress(address.value &+ difference)
  }
}
