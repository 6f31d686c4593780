import AddressResolver
import CrashLogParser
import SymbolicationModel

/// Finds the images in which the frames of a report lie.
///
/// An address belongs to the image whose range holds it. What the frame itself says, the start of an
/// image (`BASE + OFFSET`) or the image's place in the list (`imageIndex`), decides between several, and
/// where no range holds the address. The pseudo-image that stands for no image holds nothing.
struct ImageFinder {
  /// Where an address lies.
  struct Place {
    /// Nil where the report does not tell of any image there.
    var image: ReportImage?
    /// The address without what is no part of it: a pointer authentication code, the thumb bit.
    var codeAddress: LoadAddress
    var contradiction: PlaceContradiction?
  }

  private let report: ParsedReport
  /// What the report tells of the process, for images whose entries have none.
  private let architecture: Architecture?
  /// The same, or what the first image says: what addresses are like.
  private let addressArchitecture: Architecture?
  /// The images met so far, by their places in the report's list; nil for one that stands for no image.
  private var images: [Int: ReportImage?] = [:]

  init(report: ParsedReport) {
    self.report = report
    self.architecture = report.architecture
    self.addressArchitecture = report.architecture ?? report.firstImageArchitecture
  }

  /// - Parameters:
  ///   - stated: `BASE + OFFSET`, where the frame says that.
  ///   - name: what the frame calls its image.
  mutating func place(
    of address: LoadAddress, _ kind: FrameAddressKind, stated: StatedPlace?, name: String
  ) -> Place {
    let stated = stated?.base.value == 0 ? nil : stated  // 0: the writer knew no image.
    if let (position, codeAddress) = holder(of: address, kind, base: stated?.base) {
      var place = place(in: position, at: codeAddress)
      place.contradiction = stated.flatMap { stated in
        contradiction(
          of: stated, at: address, place.codeAddress, in: place.image?.loadAddress, kind)
      }
      return place
    }
    guard let stated else { return Place(image: nil, codeAddress: address) }
    guard let position = position(of: address, base: stated.base) else {
      let image = ReportImage(
        name: name, loadAddress: stated.base, reportArchitecture: architecture)
      let codeAddress = withoutThumbBit(address, image)
      return Place(
        image: image, codeAddress: codeAddress,
        contradiction: contradiction(of: stated, at: address, codeAddress, in: stated.base, kind))
    }
    // The frame names its image, and the image's range does not hold what is looked up.
    var place = place(in: position, at: address)
    place.contradiction = contradiction(
      of: stated, at: address, place.codeAddress, in: stated.base, kind)
    if place.contradiction == nil, !holds(position, address) {
      place.contradiction = PlaceContradiction(stated, .outsideImage)
    }
    return place
  }

  /// - Parameter index: the place of the image in the report's list that the frame names, and its distance
  ///   from the start of that image.
  mutating func place(
    of address: LoadAddress, _ kind: FrameAddressKind, imageIndex index: Int, offset: UInt64,
    in report: IpsReport
  ) -> Place {
    let named = report.images.indices.contains(index) ? report.images[index] : nil
    let lookup = kind.lookupAddress(for: address, architecture: addressArchitecture)
    if let named, named.contains(lookup) { return place(in: index, at: address) }
    let holder = holder(of: address, kind, base: nil)
    guard let named, !named.isAbsolutePseudoImage, !named.isSharedCache else {
      guard let (position, codeAddress) = holder else {
        return Place(image: nil, codeAddress: address)
      }
      return place(in: position, at: codeAddress)
    }
    // A call that never returns may be the last instruction of the image before.
    let isSound = named.contains(address) || named.byteCount == 0
    let stated = StatedPlace(base: named.loadAddress, offset: offset)
    if let (position, codeAddress) = holder, named.byteCount > 0 {
      var place = place(in: position, at: codeAddress)
      if !isSound, codeAddress == address || place.image?.loadAddress != named.loadAddress {
        place.contradiction = PlaceContradiction(stated, .otherImage)
      }
      return place
    }
    var place = place(in: index, at: address)
    if !isSound { place.contradiction = PlaceContradiction(stated, .outsideImage) }
    return place
  }

  // MARK: Ranges

  /// The image whose range holds the address, and the address in it: as it is, or else without a pointer
  /// authentication code.
  private func holder(
    of address: LoadAddress, _ kind: FrameAddressKind, base: LoadAddress?
  ) -> (position: Int, codeAddress: LoadAddress)? {
    // A call that never returns may be the last instruction of its image.
    let lookup = kind.lookupAddress(for: address, architecture: addressArchitecture)
    if let position = position(of: lookup, base: base), holds(position, lookup) {
      return (position, address)
    }
    for candidate in PointerAuthentication.addressesWithoutCode(
      address, architecture: addressArchitecture)
    {
      let lookup = kind.lookupAddress(for: candidate, architecture: addressArchitecture)
      if let position = position(of: lookup, base: base), holds(position, lookup) {
        return (position, candidate)
      }
    }
    return nil
  }

  private func position(of address: LoadAddress, base: LoadAddress?) -> Int? {
    switch report {
    case .text(let report): report.imagePosition(containing: address, loadAddress: base)
    case .ips(let report): report.imagePosition(containing: address, loadAddress: base)
    case .swiftBacktrace(let report): report.imagePosition(containing: address)
    }
  }

  private func holds(_ position: Int, _ address: LoadAddress) -> Bool {
    switch report {
    case .text(let report): report.images[position].contains(address)
    case .ips(let report): report.images[position].contains(address)
    case .swiftBacktrace(let report): report.images[position].contains(address)
    }
  }

  private mutating func place(in position: Int, at address: LoadAddress) -> Place {
    let image = image(at: position)
    return Place(image: image, codeAddress: withoutThumbBit(address, image))
  }

  private mutating func image(at position: Int) -> ReportImage? {
    if let known = images[position] { return known }
    let image: ReportImage? =
      switch report {
      case .text(let report):
        ReportImage(report.images[position], reportArchitecture: architecture)
      case .ips(let report):
        ReportImage(report.images[position], reportArchitecture: architecture)
      case .swiftBacktrace(let report):
        ReportImage(report.images[position], reportArchitecture: architecture)
      }
    images[position] = .some(image)
    return image
  }

  private func withoutThumbBit(_ address: LoadAddress, _ image: ReportImage?) -> LoadAddress {
    FrameAddressKind.programCounter.lookupAddress(
      for: address, architecture: image?.architecture ?? addressArchitecture)
  }

  // MARK: Contradictions

  /// What is wrong with `BASE + OFFSET` for an address in the image that begins at `loadAddress`.
  private func contradiction(
    of stated: StatedPlace, at address: LoadAddress, _ codeAddress: LoadAddress,
    in loadAddress: LoadAddress?, _ kind: FrameAddressKind
  ) -> PlaceContradiction? {
    let sum = stated.base.value &+ stated.offset
    guard sum == address.value || sum == codeAddress.value else {
      return PlaceContradiction(stated, .otherAddress)
    }
    // Where a call that never returns is the last instruction of an image, the next image may begin.
    guard let loadAddress, loadAddress != stated.base,
      stated.offset > 0 || kind != .returnAddress
    else { return nil }
    return PlaceContradiction(stated, .otherImage)
  }
}

extension IpsImage {
  /// Whether it is the shared cache as a whole, of which the report does not tell the libraries.
  var isSharedCache: Bool { sourceCode == "S" }
}

extension ParsedReport {
  /// The architecture of the first image that states one.
  fileprivate var firstImageArchitecture: Architecture? {
    switch self {
    case .text(let report): report.images.lazy.compactMap(\.architecture).first
    case .ips(let report): report.images.lazy.compactMap(\.architecture).first
    case .swiftBacktrace(let report): report.architecture
    }
  }
}
