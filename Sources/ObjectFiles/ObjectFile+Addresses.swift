package import SymbolicationModel

extension ObjectFile {
  /// The link address that corresponds to the load address a report gives for the image.
  ///
  /// Without a name, of Mach-O: that of `__TEXT`, or where there is no such segment the lowest of
  /// all but `__PAGEZERO` (what `atos` does, whose own comment says "lowest vmaddr segment, excluding
  /// __PAGEZERO"); of ELF: the first `PT_LOAD` entry's `p_vaddr`, rounded down to a page of 4096
  /// bytes, which is where the loader maps it. With a name (`__TEXT_EXEC`): that Mach-O segment's.
  /// Nil where there is no such segment, and of GSYM, which has none. Cost: a walk over the segments.
  package func linkBase(segmentName: String? = nil) -> LinkAddress? {
    if let segmentName {
      guard format == .machO else { return nil }
      return segments.first { $0.name == segmentName }?.addresses.lowerBound
    }
    switch format {
    case .machO:
      if let text = segments.first(where: { $0.name == "__TEXT" }) {
        return text.addresses.lowerBound
      }
      return segments.lazy.filter { $0.name != "__PAGEZERO" }.map(\.addresses.lowerBound).min()
    case .elf:
      return segments.first.map { LinkAddress($0.addresses.lowerBound.value & ~4095) }
    case .gsym: return nil
    }
  }

  /// The addresses that the image occupies when it is loaded, ascending and not overlapping: all
  /// segments but `__PAGEZERO`, `__LINKEDIT` and `__DWARF`. Of a relocatable Mach-O file, whose one
  /// segment holds everything, the sections but those of `__DWARF`. Cost: they are sorted anew at
  /// each call.
  package var loadedRanges: [Range<LinkAddress>] {
    if format == .machO, fileType == .relocatable {
      return joined(sections.lazy.filter { $0.segmentName != "__DWARF" }.map(\.addresses))
    }
    return joined(
      segments.lazy.filter { !["__PAGEZERO", "__LINKEDIT", "__DWARF"].contains($0.name) }
        .map(\.addresses))
  }

  /// The addresses where the image has code, ascending and not overlapping: its code sections, or
  /// where no section is said to hold code its executable segments. In a dSYM these sections have
  /// addresses and no bytes. Empty for relocatable ELF files, whose sections have no addresses yet.
  /// Cost: they are sorted anew at each call.
  package var codeRanges: [Range<LinkAddress>] {
    if format == .elf, fileType == .relocatable { return [] }
    let ranges = joined(sections.lazy.filter(\.holdsCode).map(\.addresses))
    guard ranges.isEmpty else { return ranges }
    return joined(segments.lazy.filter(\.isExecutable).map(\.addresses))
  }
}
