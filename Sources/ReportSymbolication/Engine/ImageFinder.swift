import AddressResolver
import CrashLogParser
import SymbolicationModel

/// Finds the images in which the frames of a report lie.
///
/// An address belongs to the image whose range holds it. What the frame itself says, the start of
/// an image (`BASE + OFFSET`) or the index of an image, decides between several images, and if no
/// range holds the address. An entry that stands for no image holds nothing.
struct ImageFinder {
  /// Where an address lies.
  struct LocatedAddress {
    /// Nil if the report has no image there.
    package var image: ReportImage?
    /// The address without bits that are not part of it: a pointer authentication code, the Thumb
    /// bit.
    var codeAddress: LoadAddress
    var contradiction: AddressContradiction?
  }

  let report: Report
  /// The images that the report lists.
  let listed: [BinaryImage]
  /// The architecture of the process, for images whose entries state none.
  private let architecture: Architecture?
  /// The architecture of the process, or of the first image that states one: it decides what
  /// addresses look like.
  private let addressArchitecture: Architecture?
  private let addressHasThumb: Bool
  /// ``SymbolicatedReport/knownImages``.
  private(set) var images: [ReportImage??]
  /// The images that only frames mention. Of several at one address, the last one.
  private var unlistedImages: [LoadAddress: ReportImage] = [:]

  init(report: Report) {
    self.report = report
    self.listed = report.images
    self.architecture = report.architecture
    self.addressArchitecture =
      report.architecture ?? report.images.lazy.compactMap(\.architecture).first
    self.addressHasThumb = addressArchitecture?.hasThumb ?? false
    self.images = Array(repeating: nil, count: report.images.count)
  }

  /// - Parameters:
  ///   - address: the address of the frame.
  ///   - stated: ``StackFrame/imageRelativeAddress``.
  /// - Returns: nil if the frame names an image by its index, but without a distance from its
  ///   start.
  mutating func locate(
    of frame: StackFrame, at address: LoadAddress, _ kind: FrameAddressKind,
    stated: ImageRelativeAddress?
  ) -> LocatedAddress? {
    if let index = frame.imageIndex {
      return locate(of: address, kind, imageIndex: index, in: frame)
    }
    return locate(of: address, kind, stated: stated, in: frame)
  }

  private mutating func locate(
    of address: LoadAddress, _ kind: FrameAddressKind, stated: ImageRelativeAddress?,
    in frame: StackFrame
  ) -> LocatedAddress {
    let stated = stated?.base.value == 0 ? nil : stated  // 0: the writer knew no image.
    if let (index, codeAddress) = holder(of: address, kind, base: stated?.base) {
      var located = locate(inImage: index, at: codeAddress)
      located.contradiction = stated.flatMap { stated in
        contradiction(
          of: stated, at: address, located.codeAddress, in: located.image?.loadAddress, kind)
      }
      return located
    }
    guard let stated else { return LocatedAddress(image: nil, codeAddress: address) }
    guard let index = report.imageIndex(containing: address, loadAddress: stated.base) else {
      let image = unlistedImage(at: stated.base, of: frame)
      let codeAddress = withoutThumbBit(address, image)
      return LocatedAddress(
        image: image, codeAddress: codeAddress,
        contradiction: contradiction(of: stated, at: address, codeAddress, in: stated.base, kind))
    }
    // The frame names its image, but the image's range does not hold the address.
    var located = locate(inImage: index, at: address)
    located.contradiction = contradiction(
      of: stated, at: address, located.codeAddress, in: stated.base, kind)
    if located.contradiction == nil, !listed[index].contains(address) {
      located.contradiction = AddressContradiction(stated: stated, kind: .outsideImage)
    }
    return located
  }

  /// - Parameters:
  ///   - index: the index of the image that the frame names; it may be out of range.
  ///   - frame: has the distance of the address from the start of that image.
  private mutating func locate(
    of address: LoadAddress, _ kind: FrameAddressKind, imageIndex index: Int, in frame: StackFrame
  ) -> LocatedAddress? {
    let isListed = listed.indices.contains(index)
    let lookup = kind.lookupAddress(for: address, hasThumb: addressHasThumb)
    if isListed, listed[index].contains(lookup) {
      return locate(inImage: index, at: address)
    }
    guard let offset = frame.imageOffset else { return nil }
    let named = isListed ? listed[index] : nil
    let holder = holder(of: address, kind, base: nil)
    guard let named, named.kind == .image else {
      guard let (index, codeAddress) = holder else {
        return LocatedAddress(image: nil, codeAddress: address)
      }
      return locate(inImage: index, at: codeAddress)
    }
    // A call that never returns may be the last instruction of the image before.
    let isSound = named.contains(address) || named.byteCount == 0
    let stated = ImageRelativeAddress(base: named.loadAddress, offset: offset)
    if let (index, codeAddress) = holder, named.byteCount > 0 {
      var located = locate(inImage: index, at: codeAddress)
      if !isSound, codeAddress == address || located.image?.loadAddress != named.loadAddress {
        located.contradiction = AddressContradiction(stated: stated, kind: .otherImage)
      }
      return located
    }
    var located = locate(inImage: index, at: address)
    if !isSound {
      located.contradiction = AddressContradiction(stated: stated, kind: .outsideImage)
    }
    return located
  }

  // MARK: Ranges

  /// The image whose range holds the address, and that address: unchanged if possible, else without
  /// a pointer authentication code.
  private func holder(
    of address: LoadAddress, _ kind: FrameAddressKind, base: LoadAddress?
  ) -> (index: Int, codeAddress: LoadAddress)? {
    // A call that never returns may be the last instruction of its image.
    let lookup = kind.lookupAddress(for: address, hasThumb: addressHasThumb)
    if let index = image(holding: lookup, base: base) { return (index, address) }
    for candidate in PointerAuthentication.addressesWithoutCode(
      address, architecture: addressArchitecture)
    {
      let lookup = kind.lookupAddress(for: candidate, hasThumb: addressHasThumb)
      if let index = image(holding: lookup, base: base) { return (index, candidate) }
    }
    return nil
  }

  private func image(holding address: LoadAddress, base: LoadAddress?) -> Int? {
    report.imageIndex(containing: address, loadAddress: base).flatMap {
      listed[$0].contains(address) ? $0 : nil
    }
  }

  private mutating func locate(inImage index: Int, at address: LoadAddress) -> LocatedAddress {
    let image = image(at: index)
    return LocatedAddress(image: image, codeAddress: withoutThumbBit(address, image))
  }

  private mutating func image(at index: Int) -> ReportImage? {
    if let known = images[index] { return known }
    let image = ReportImage(listed[index], at: index, reportArchitecture: architecture)
    images[index] = .some(image)
    return image
  }

  private mutating func unlistedImage(
    at loadAddress: LoadAddress, of frame: StackFrame
  ) -> ReportImage {
    let known = unlistedImages[loadAddress]
    if let known, frame.hasImageName(known.name) { return known }
    let name = frame.imageName ?? unknownImageName
    if let known, known.name == name { return known }
    let image = ReportImage(
      name: name, loadAddress: loadAddress, reportArchitecture: architecture)
    unlistedImages[loadAddress] = image
    return image
  }

  private func withoutThumbBit(_ address: LoadAddress, _ image: ReportImage?) -> LoadAddress {
    FrameAddressKind.programCounter.lookupAddress(
      for: address, hasThumb: image?.hasThumb ?? addressHasThumb)
  }

  // MARK: Contradictions

  /// What is wrong with `BASE + OFFSET` for an address in the image that starts at `loadAddress`;
  /// nil if it is right.
  private func contradiction(
    of stated: ImageRelativeAddress, at address: LoadAddress, _ codeAddress: LoadAddress,
    in loadAddress: LoadAddress?, _ kind: FrameAddressKind
  ) -> AddressContradiction? {
    let sum = stated.base.value &+ stated.offset
    guard sum == address.value || sum == codeAddress.value else {
      return AddressContradiction(stated: stated, kind: .otherAddress)
    }
    // The next image may begin right after a call that never returns and ends an image.
    guard let loadAddress, loadAddress != stated.base,
      stated.offset > 0 || kind != .returnAddress
    else { return nil }
    return AddressContradiction(stated: stated, kind: .otherImage)
  }
}
