package import SymbolicationModel

/// A section of an object file.
package struct Section: Hashable, Sendable {
  /// Empty in ELF.
  package let segmentName: String
  /// Mach-O names are cut to 16 bytes.
  package let name: String
  /// Empty if the section is not loaded (ELF without `SHF_ALLOC`) or states an impossible range.
  package let addresses: Range<LinkAddress>
  /// The offsets of its bytes, from the start of the slice. Nil if the file holds none, as for the
  /// code sections of a dSYM. The range may reach beyond the end of a truncated file.
  package let fileRange: Range<UInt64>?
  /// Mach-O `S_ATTR_PURE_INSTRUCTIONS` or `S_ATTR_SOME_INSTRUCTIONS`; ELF `SHF_EXECINSTR`.
  package let holdsCode: Bool
  /// Stubs that jump to other images: Mach-O `S_SYMBOL_STUBS`, ELF `.plt` and its kin.
  package let isSymbolStubs: Bool
  /// How the stubs of a Mach-O stub section map to symbols; nil for any other section.
  let stubLayout: StubLayout?
  /// ELF `SHF_COMPRESSED`: the bytes are a compression header and compressed data.
  let isCompressed: Bool
  /// ELF: the section has relocations that no linker has applied.
  let needsRelocation: Bool
}

/// What the header of a Mach-O stub section (`S_SYMBOL_STUBS`) states about its stubs. Unchecked.
struct StubLayout: Hashable, Sendable {
  /// `reserved1`: the index of the first stub's entry in the indirect symbol table.
  let firstIndirectSymbol: UInt32
  /// `reserved2`: the size of one stub in bytes.
  let stubSize: UInt32
}

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
