package import SymbolicationModel

/// A part of an image that is mapped as a whole: a Mach-O segment or an ELF `PT_LOAD` entry.
package struct Segment: Hashable, Sendable {
  /// Empty in ELF.
  package let name: String
  /// Half-open.
  package let addresses: Range<LinkAddress>
  /// The offsets of its bytes, from the start of the slice. Empty if the file holds none, as for
  /// most segments of a dSYM. The range may reach beyond the end of a truncated file.
  package let fileRange: Range<UInt64>
  /// Whether it is mapped as executable (Mach-O `initprot`, ELF `p_flags`).
  package let isExecutable: Bool
}
