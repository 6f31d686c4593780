import AddressResolver
import SymbolicationModel

/// One symbol file of an `atos` invocation, which converts the addresses given into its own.
struct AtosImage {
  let resolver: ImageResolver
  /// The name printed after `in`: that of the file, or of the DWARF file in a dSYM.
  let name: String
  private let slide: Slide
  private let base: LinkAddress
  private let takesOffsets: Bool
  /// Known once: an architecture compares its name.
  private let hasThumb: Bool

  /// Throws `missingSegment` if the file has no segment that the addresses could be relative to.
  init(
    _ resolver: ImageResolver, addressing: AtosOptions.Addressing
  ) throws(SymbolFileProblem) {
    self.resolver = resolver
    self.name = resolver.imageName
    self.hasThumb = resolver.architecture.hasThumb
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

  /// The address in the file for an address given. For 32-bit arm, the lowest bit is cleared: it
  /// marks Thumb code.
  func linkAddress(of value: UInt64) -> LinkAddress {
    let address = LoadAddress(takesOffsets ? base.value &+ value : value)
    return slide.linkAddress(
      of: FrameAddressKind.programCounter.lookupAddress(for: address, hasThumb: hasThumb))
  }

  /// The address as `atos` prints it: relocated; for `-offset`, counted from the image's base.
  func runtimeAddress(of address: LinkAddress) -> LoadAddress {
    slide.loadAddress(of: address)
  }
}
