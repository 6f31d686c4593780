/// An address in the crashed process, as a report prints it: with the slide.
public struct LoadAddress: Hashable, Comparable, Sendable {
  /// The address as a number of 64 bits, also for 32-bit images.
  public var value: UInt64

  /// Makes an address from its number.
  public init(_ value: UInt64) { self.value = value }

  /// Whether `left` is the lower address.
  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
