package import JsonReading
package import SymbolicationModel

/// A frame whose parts were read into values: the carrier for formats that have neither Apple's
/// frame lines nor Apple's JSON objects. Swift's runtime writes such frames:
///
/// ```text
/// 3 [ra] [system] 0x00007f271c1a4cf6 swift_unexpectedError + 805 in libswiftCore.so at E.cpp:3:7
/// index  attributes  address         content
/// ```
package struct FrameValues: Sendable {
  /// The number at the start of the line; nil if the report has none.
  package var index: Int?
  /// The last number of a line that stands for several frames, all of the same call.
  package var lastIndex: Int?
  /// What the address is, if the format marks it; nil if it follows from the frame's position.
  package var addressKind: FrameAddressKind?
  /// What the report calls the image.
  package var imageName: String?
  /// The image in the report's list, for a format whose frames name it other than by address.
  package var imageIndex: Int?
  /// The distance from the start of that image.
  package var imageOffset: UInt64?
  /// `LOAD + OFFSET`, if the format states it.
  package var imageRelativeAddress: ImageRelativeAddress?
  /// The function, file and line; nil if the report has none, or `<unknown>`. The offset is the
  /// distance from the start of the symbol to the address that was looked up, which for a return
  /// address is one less. Inlined calls have none.
  package var symbol: FrameSymbol?
  /// What a line has of the symbol's name if the text ends within it.
  package var cutName: String?
  /// A symbol and the distance from it that say where the address is, and not what is there.
  package var anchor: FrameSymbol?
  /// The build-id of the image that the anchor is in; nil if the trace states none.
  package var anchorIdentity: ImageIdentity?
  /// `[inlined]`: a call inlined into the next frame, which has the same address.
  package var isInlined = false
  /// `[system]`: part of the runtime, or code that the compiler generated.
  package var isSystem = false
  /// `[thunk]`: a function that the compiler generated and that calls another one.
  package var isThunk = false
  /// In a call tree: how many callers the frame has in it, 0 for a root.
  package var depth: Int?
  /// In how many samples the frame was seen there; nil if the format does not count.
  package var sampleCount: Int?
  /// The line without its line end and without the prefix that a log puts before it; in JSON the
  /// object.
  package let byteRange: Range<Int>
  /// The parts of a line; nil in JSON.
  package var parts: Parts?
  /// The parts of a line of a call tree; nil in other formats.
  package var treeParts: TreeParts?
  /// The JSON object; nil for a line.
  package var json: JsonValue?

  package init(byteRange: Range<Int>) { self.byteRange = byteRange }

  /// Where the parts of a line are: half-open ranges of offsets in the input. They do not overlap.
  package struct Parts: Hashable, Sendable {
    /// The digits of the index.
    package let index: Range<Int>
    /// From the first bracket to the last; nil if there are no attributes.
    package let attributes: Range<Int>?
    /// The address with its `0x`; nil if there is none.
    package let address: Range<Int>?
    /// What follows, without the separator. Empty, and right after the address, if nothing follows.
    package let content: Range<Int>

    package init(
      index: Range<Int>, attributes: Range<Int>?, address: Range<Int>?, content: Range<Int>
    ) {
      self.index = index
      self.attributes = attributes
      self.address = address
      self.content = content
    }
  }

  /// Where the parts of a line of a call tree are, in the order of the line. They do not overlap.
  ///
  /// ```text
  ///     2433 main  (in App) + 294  [0x10e3817e6]  main.m:276      sample
  ///   101    main + 294 (main.m:276 in App + 2610) [0x10e3817e6]  spindump
  /// ```
  package struct TreeParts: Hashable, Sendable {
    private let functionSpan: ByteSpan
    private let imageSpan: ByteSpan
    private let imageNameSpan: ByteSpan
    private let addressSpan: ByteSpan
    private let locationSpan: ByteSpan

    /// What is in place of the function: in a sample up to the address (`main  (in App) + 294`), in
    /// a spindump `main + 294` or `???`. Empty in front of an address that stands alone.
    package var function: Range<Int> { functionSpan.range }
    /// In a spindump what is between the parentheses; nil if there are none.
    package var image: Range<Int>? { imageSpan.isEmpty ? nil : imageSpan.range }
    /// Where in ``image`` the image is named: a file may be in front of it.
    package var imageStart: Int { imageNameSpan.lowerBound }
    /// The address with its `0x`; nil if there is none. Several, separated by commas, in a sample.
    package var address: Range<Int>? { addressSpan.isEmpty ? nil : addressSpan.range }
    /// In a sample what follows the address, with the spaces before it; nil if nothing follows.
    package var location: Range<Int>? { locationSpan.isEmpty ? nil : locationSpan.range }

    package init(
      function: Range<Int>, image: Range<Int>? = nil, imageStart: Int = 0,
      address: Range<Int>?, location: Range<Int>? = nil
    ) {
      func span(_ range: Range<Int>?) -> ByteSpan {
        range.map { ByteSpan($0.lowerBound, $0.upperBound) } ?? .empty
      }
      functionSpan = span(function)
      imageSpan = span(image)
      imageNameSpan = image.map { ByteSpan(imageStart, $0.upperBound) } ?? .empty
      addressSpan = span(address)
      locationSpan = span(location)
    }
  }
}
