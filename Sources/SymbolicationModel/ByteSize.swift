/// A number of bytes as a user writes it: decimal digits, and maybe a unit.
package enum ByteSize {
  /// With the greatest of KiB, MiB, GiB and TiB that divides it; else in bytes.
  package static func text(_ size: UInt64) -> String {
    for (shift, unit) in [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")]
    where size >= 1 << shift && size.trailingZeroBitCount >= shift {
      return "\(size >> shift) \(unit)"
    }
    return "\(size) bytes"
  }
}
