import ObjectFiles
import SymbolicationModel

/// What a symbol file states about its image as a whole.
protocol ImageOutline {
  /// `unknown` if the file does not state it.
  var architecture: Architecture { get }

  /// As `ImageResolver.linkBase(segmentName:)`.
  func linkBase(segmentName: String?) -> LinkAddress?

  /// What `linkBase` returns without a segment name, if that is a guess and not stated by the file.
  var assumedLinkBase: LinkAddress? { get }

  /// The addresses of the segments that are loaded.
  var loadedRanges: [Range<LinkAddress>] { get }
}

extension ObjectFile: ImageOutline {
  var assumedLinkBase: LinkAddress? { nil }
}

/// An index without its image, or nothing if it cannot be used.
struct IndexOutline: ImageOutline {
  let index: OpenedIndex?

  var architecture: Architecture { index?.architecture ?? .unknown }

  /// An index has no segments.
  func linkBase(segmentName: String?) -> LinkAddress? {
    segmentName == nil ? index?.linkBase?.address : nil
  }

  var assumedLinkBase: LinkAddress? {
    guard let base = index?.linkBase, base.isAssumed else { return nil }
    return base.address
  }

  var loadedRanges: [Range<LinkAddress>] { [index?.range].compactMap(\.self) }
}
