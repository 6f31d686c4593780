package import SymbolicationModel

/// A part of an image that is loaded as a whole: a Mach-O segment or an ELF `PT_LOAD` entry.
package struct Segment: Hashable, Sendable {
  /// Empty in ELF.
  package let name: String
  package let addresses: Range<LinkAddress>
  /// Where its bytes are, from the start of the slice. Empty where it has none, as most segments of
  /// a dSYM; it may reach beyond a truncated file.
  package let fileRange: Range<UInt64>
  /// Whether it is mapped executable at first (Mach-O `initprot`, ELF `p_flags`).
  package let isExecutable: Bool
}
