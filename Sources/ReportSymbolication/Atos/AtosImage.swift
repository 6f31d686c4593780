import AddressResolver
import SymbolicationModel

/// One symbol file of an `atos` invocation, and how the addresses given become addresses in it.
struct AtosImage {
  let resolver: ImageResolver
  /// What stands after `in`: the name of the file itself, of a dSYM that of the DWARF file in it.
  let name: String
  private let slide: Slide
  private let base: LinkAddress
  private let takesOffsets: Bool

  /// Throws `missingSegment` where the file has no segment that the addresses could be relative to.
  init(
    _ resolver: ImageResolver, addressing: AtosOptions.Addressing
  ) throws(SymbolFileProblem) {
    self.resolver = resolver
    self.name = resolver.imageName
    let segment: String? = if case .textExecLoaded = addressing { "__TEXT_EXEC" } else { nil }
    guard let base = resolver.linkBase(segmentName: segment) else {
      if resolver.isUnlinkedElf {
        throw SymbolFileProblem(
          path: resolver.path, kind: .needsRelocation(structure: "an address"))
      }
      throw SymbolFileProblem(path: resolver.path, kind: .missingSegment(name: segment))
    }
    self.base = base
    self.takesOffsets = addressing == .offset
    switch addressing {
    case .linked, .offset: self.slide = Slide(value: 0)
    case .loaded(let address), .textExecLoaded(let address):
      self.slide = Slide(loadAddress: address, linkBase: base)
    case .slid(let value): self.slide = Slide(value: value)
    }
  }

  /// What lies at an address given. Of 32-bit arm the lowest bit says thumb, not where.
  func linkAddress(of value: UInt64) -> LinkAddress {
    let address = LoadAddress(takesOffsets ? base.value &+ value : value)
    return slide.linkAddress(
      of: FrameAddressKind.programCounter.lookupAddress(
        for: address, architecture: resolver.architecture))
  }

  /// The address as it would be printed: an offset counted from the image's base.
  func runtimeAddress(of address: LinkAddress) -> LoadAddress {
    slide.loadAddress(of: address)
  }
}
