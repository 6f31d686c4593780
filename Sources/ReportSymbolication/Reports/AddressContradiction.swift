package import CrashLogParser
package import SymbolicationModel

/// What a frame says about its place in an image, if that does not agree with its address or with
/// the ranges of the images.
package struct AddressContradiction: Hashable, Sendable {
  package let stated: ImageRelativeAddress
  package let kind: Kind

  init(_ stated: ImageRelativeAddress, _ kind: Kind) {
    self.stated = stated
    self.kind = kind
  }

  package enum Kind: String, Hashable, CaseIterable, Sendable {
    /// `BASE + OFFSET` is not the address. The address counts.
    case otherAddress
    /// The address lies in the range of an image other than the one that starts at `BASE`. The
    /// range counts.
    case otherImage
    /// The address lies in no image's range. It counts as part of the image that starts at `BASE`.
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
  /// What the first of them says about its place.
  package let contradiction: AddressContradiction
}
