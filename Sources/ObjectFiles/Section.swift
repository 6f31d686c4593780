package import SymbolicationModel

/// A section of an object file.
package struct Section: Hashable, Sendable {
  /// Empty in ELF.
  package let segmentName: String
  package let name: String
  /// Empty where the section is not loaded (ELF without `SHF_ALLOC`) or states an impossible range.
  package let addresses: Range<LinkAddress>
  /// Where its bytes are, from the start of the slice; nil where the file has none of it, as of the
  /// code sections of a dSYM. It may reach beyond a truncated file.
  package let fileRange: Range<UInt64>?
  /// Mach-O `S_ATTR_PURE_INSTRUCTIONS` or `S_ATTR_SOME_INSTRUCTIONS`; ELF `SHF_EXECINSTR`.
  package let holdsCode: Bool
  /// Stubs that jump to other images: Mach-O `S_SYMBOL_STUBS`, ELF `.plt` and its kin.
  package let isSymbolStubs: Bool
  /// ELF `SHF_COMPRESSED`: a compression header and compressed bytes.
  let isCompressed: Bool
  /// ELF: there are relocations for this section that no linker has applied.
  let needsRelocation: Bool
}
