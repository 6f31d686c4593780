/// An address as the linker wrote it into a file, without the slide: what DWARF and symbol tables
/// hold.
///
/// Only `AddressResolver`'s `Slide` turns a ``LoadAddress`` into a `LinkAddress`.
public struct LinkAddress: Hashable, Comparable, Sendable {
  /// The address as a number of 64 bits, also for 32-bit images.
  public var value: UInt64

  /// Makes an address from its number.
  public init(_ value: UInt64) { self.value = value }

  /// Whether `left` is the lower address.
  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

  /// The number of bytes from `start` up to this address; nil if this address is before `start`.
  public func distance(from start: LinkAddress) -> UInt64? {
    value >= start.value ? value - start.value : nil
  }
}
