public import SymbolicationModel

/// One crash report as JSON, as far as it could be read: an `.ips` file of iOS 15, macOS 12 or later.
///
/// A header, which is one JSON object on a line, is followed by a body, which is another one. The
/// report shares the bytes it was read from; all its ranges are half-open ranges of offsets in them,
/// and those of frames, threads and images nest and do not overlap. Keys that are not known here are in
/// nobody's way, and missing ones are missing values.
public struct IpsReport: Sendable {
  /// The object above the body; nil where the file has only the body.
  public let header: JsonHeader?
  /// The object with the threads and images.
  package let body: JsonValue
  /// Where the body broke off; nil for a complete one.
  package let damage: JsonError?

  /// From the start of the header, or of the body without one, to the end of the body, or to where it
  /// broke off.
  public let byteRange: Range<Int>
  /// The threads in the order of the report: ``IpsThread/index`` is the place in the report's list, in
  /// which there may have been entries that are no threads.
  public let threads: [IpsThread]
  /// Where the exception was thrown that nobody caught; nil where the report has no such list.
  public let lastExceptionBacktrace: [IpsFrame]?
  /// The backtraces as text that the application or a library put into the report.
  public let applicationSpecificBacktraces: [IpsTextBacktrace]
  /// The images in the order of the report, which is what ``IpsFrame/imageIndex`` counts; the absolute
  /// pseudo-image is among them, and so is an entry that could not be read, as one without addresses.
  public let images: [IpsImage]
  /// What could not be read, in the order of the report.
  public let faults: [ParseFault]

  private let imageIndex: ImageIndex

  init(
    header: JsonHeader?, document: JsonDocument, threads: [IpsThread],
    lastExceptionBacktrace: [IpsFrame]?, applicationSpecificBacktraces: [IpsTextBacktrace],
    images: [IpsImage], faults: [ParseFault]
  ) {
    self.header = header
    self.body = document.root
    self.damage = document.damage
    let start = header?.byteRange.lowerBound ?? document.byteRange.lowerBound
    self.byteRange = start..<document.byteRange.upperBound
    self.threads = threads
    self.lastExceptionBacktrace = lastExceptionBacktrace
    self.applicationSpecificBacktraces = applicationSpecificBacktraces
    self.images = images
    self.faults = faults
    self.imageIndex = ImageIndex(images)
  }

  /// The body from brace to brace, or to where it broke off.
  public var bodyRange: Range<Int> { body.byteRange }

  /// All frames of the report: of the last exception, then of the threads.
  public var allFrames: [IpsFrame] {
    var frames = lastExceptionBacktrace ?? []
    for thread in threads { frames += thread.frames }
    return frames
  }

  /// The image that a frame names; nil where the list does not have it.
  public func image(for frame: IpsFrame) -> IpsImage? {
    guard let index = frame.imageIndex, images.indices.contains(index) else { return nil }
    return images[index]
  }

  /// The image whose range holds the address; where several do, the one that starts last. Never the
  /// absolute pseudo-image.
  ///
  /// A binary search in an index that was built with the report: logarithmic in the number of images,
  /// however they overlap.
  public func image(containing address: LoadAddress) -> IpsImage? {
    imageIndex.position(of: address, loadAddress: nil, in: images).map { images[$0] }
  }
  /// The place in ``images`` of the image whose range holds the address: of several, the one that starts
  /// at `loadAddress`, else the one that starts last. Where none holds it, that of the one that starts at
  /// `loadAddress`, if the address lies behind that. Never the absolute pseudo-image.
  package func imagePosition(
    containing address: LoadAddress, loadAddress: LoadAddress? = nil
  ) -> Int? {
    imageIndex.position(of: address, loadAddress: loadAddress, in: images)
  }
}
