package import SymbolicationModel

/// `BASE + OFFSET`, or the start of the image that a frame names and its distance from there.
package struct StatedPlace: Hashable, Sendable {
  package let base: LoadAddress
  package let offset: UInt64
}

/// What a frame says of its place in an image, where that does not agree with its address or with the
/// ranges of the images.
package struct PlaceContradiction: Hashable, Sendable {
  package let stated: StatedPlace
  package let kind: Kind

  init(_ stated: StatedPlace, _ kind: Kind) {
    self.stated = stated
    self.kind = kind
  }

  package enum Kind: String, CaseIterable, Sendable {
    /// `BASE + OFFSET` is not the address. The address counts.
    case otherAddress
    /// The address lies in the range of another image than the one that begins at `BASE`. The range
    /// counts.
    case otherImage
    /// The address lies in no image's range. The image that begins at `BASE` is taken.
    case outsideImage
  }
}

/// Frames of one image that contradict themselves.
package struct ContradictedImage: Hashable, Sendable {
  /// The image in which they were looked up.
  package let image: ReportImage
  package internal(set) var frameCount: Int
  /// The address of the first of them, as the report gives it.
  package let address: LoadAddress
  /// What the first of them says.
  package let contradiction: PlaceContradiction
}
