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
  /// How the stubs of a Mach-O stub section belong to symbols; nil for every other section.
  let stubLayout: StubLayout?
  /// ELF `SHF_COMPRESSED`: a compression header and compressed bytes.
  let isCompressed: Bool
  /// ELF: there are relocations for this section that no linker has applied.
  let needsRelocation: Bool
}

/// What the header of a Mach-O stub section (`S_SYMBOL_STUBS`) states of its stubs. Unchecked.
struct StubLayout: Hashable, Sendable {
  /// `reserved1`: the place of the first stub's entry in the indirect symbol table.
  let firstIndirectSymbol: UInt32
  /// `reserved2`: the bytes of one stub.
  let stubSize: UInt32
}
