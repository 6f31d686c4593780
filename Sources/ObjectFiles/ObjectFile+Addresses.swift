package import SymbolicationModel

extension ObjectFile {
  /// The link address that corresponds to the load address which a report states for the image.
  ///
  /// With a name (`__TEXT_EXEC`), this is the start of that Mach-O segment. Without a name:
  /// - Mach-O: the start of `__TEXT`, or the lowest start of all segments except `__PAGEZERO` if
  ///   there is no `__TEXT`. `atos` does the same; its own comment says "lowest vmaddr segment,
  ///   excluding __PAGEZERO".
  /// - ELF: `p_vaddr` of the first `PT_LOAD` entry, rounded down to a page of 4096 bytes, where the
  ///   loader maps it.
  ///
  /// - Formats that answer alone: what the head of the file states; nothing for GSYM.
  ///
  /// Nil if there is no such segment. Cost: a walk over the
  /// segments.
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
    default: return standaloneLinkBase
    }
  }

  /// The addresses that the image occupies when it is loaded, ascending and not overlapping: those
  /// of all segments except `__PAGEZERO`, `__LINKEDIT` and `__DWARF`. A relocatable Mach-O file has
  /// one segment for everything, so its sections count, except those of `__DWARF`. Cost: the ranges
  /// are sorted at each call.
  package var loadedRanges: [Range<LinkAddress>] {
    if format == .machO, fileType == .relocatable {
      return joined(sections.lazy.filter { $0.segmentName != "__DWARF" }.map(\.addresses))
    }
    return joined(
      segments.lazy.filter { !["__PAGEZERO", "__LINKEDIT", "__DWARF"].contains($0.name) }
        .map(\.addresses))
  }

  /// The addresses of the image's code, ascending and not overlapping: its code sections, or its
  /// executable segments if no section is marked as code. In a dSYM these sections have addresses
  /// and no bytes. Empty for relocatable ELF files, whose sections have no addresses yet. Cost: the
  /// ranges are sorted at each call.
  package var codeRanges: [Range<LinkAddress>] {
    if format == .elf, fileType == .relocatable { return [] }
    let ranges = joined(sections.lazy.filter(\.holdsCode).map(\.addresses))
    guard ranges.isEmpty else { return ranges }
    return joined(segments.lazy.filter(\.isExecutable).map(\.addresses))
  }
}

/// The ranges in ascending order. Empty ones are left out; those that touch or overlap are joined.
func joined(_ ranges: some Sequence<Range<LinkAddress>>) -> [Range<LinkAddress>] {
  var sorted: [Range<LinkAddress>] = []
  for range in ranges where !range.isEmpty { sorted.append(range) }
  sorted.sort { $0.lowerBound < $1.lowerBound }
  var result: [Range<LinkAddress>] = []
  for range in sorted {
    if let last = result.last, range.lowerBound <= last.upperBound {
      result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      result.append(range)
    }
  }
  return result
}

/// The `size` addresses from `start` on, or nil if they do not fit in 64 bits.
func addressRange(start: UInt64, size: UInt64) -> Range<LinkAddress>? {
  let (end, overflow) = start.addingReportingOverflow(size)
  return overflow ? nil : LinkAddress(start)..<LinkAddress(end)
}

/// The `size` file offsets from `start` on, or nil if they do not fit in 64 bits.
func fileRange(start: UInt64, size: UInt64) -> Range<UInt64>? {
  let (end, overflow) = start.addingReportingOverflow(size)
  return overflow ? nil : start..<end
}
