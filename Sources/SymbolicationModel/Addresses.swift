/// An address in the crashed process: what a report prints, slide included.
public struct LoadAddress: Hashable, Comparable, Sendable {
  public var value: UInt64

  public init(_ value: UInt64) { self.value = value }

  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// An address as the linker wrote it into a file, slide not included: what DWARF and symbol tables
/// hold.
///
/// A `LoadAddress` becomes a `LinkAddress` in one place only, `AddressResolver`'s `Slide`.
public struct LinkAddress: Hashable, Comparable, Sendable {
  public var value: UInt64

  public init(_ value: UInt64) { self.value = value }

  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

  /// The bytes from `start` up to this address, or nil where this address lies before it.
  public func distance(from start: LinkAddress) -> UInt64? {
    value >= start.value ? value - start.value : nil
  }
}
