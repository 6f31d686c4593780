public import SymbolicationModel

/// The difference between an image's addresses in the process and in its file.
///
/// Load addresses become link addresses here and nowhere else. The arithmetic is modulo 2^64, like
/// the loader's: an image may be loaded below its link base, and an address outside the image
/// becomes one outside its segments.
public struct Slide: Hashable, Sendable {
  /// A load address minus this is the link address.
  private let difference: UInt64

  /// - Parameters:
  ///   - loadAddress: where the image's first segment is in the process: the start of its line in
  ///     `Binary Images`, or `-l` of `atos`.
  ///   - linkBase: where the file states that this segment is: the vmaddr of `__TEXT`, or the page
  ///     of the first `PT_LOAD`.
  public init(loadAddress: LoadAddress, linkBase: LinkAddress) {
    self.difference = loadAddress.value &- linkBase.value
  }

  /// A slide of `value`, as `-s` of `atos` gives it.
  public init(value: UInt64) {
    self.difference = value
  }

  /// The link address of the code at `address` in the process.
  public func linkAddress(of address: LoadAddress) -> LinkAddress {
    LinkAddress(address.value &- difference)
  }

  /// The load address of the code at `address` in the file.
  public func loadAddress(of address: LinkAddress) -> LoadAddress {
    LoadAddress(address.value &+ difference)
  }
}
