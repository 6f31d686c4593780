import JsonReading

/// A part of a report that could not be read. Renderers leave its bytes unchanged.
public struct ParseFault: Hashable, Sendable {
  /// What could not be read, and what happens to it.
  public enum Kind: String, Hashable, Sendable {
    /// The first line looks like a JSON header but is not JSON: there is no ``Report/header``.
    case damagedJsonHeader
    /// A line among the frames of a backtrace that begins like a frame but has no readable address
    /// or image name.
    case unreadableFrame
    /// A frame line after the frames of a backtrace, without the heading of another one.
    case frameOutsideBacktrace
    /// A line among the binary images that begins with an address but is not an image line.
    case unreadableImage
    /// A binary image whose identity is not a UUID or build-id. The image is kept.
    case unreadableImageIdentity
    /// The last line of the input, which ends in the middle of a frame, an image or a list of
    /// addresses. A frame whose address is complete is kept.
    case cutLine
    /// The heading of a thread or a backtrace whose number is too large. The thread is kept without
    /// a number.
    case unreadableNumber
    /// A frame line that a mail program or a form broke into two, so that its end is missing.
    case wrappedLine

    // MARK: In reports as JSON

    /// The JSON of the report breaks off here, because it was cut or is damaged. Threads, frames
    /// and images that are complete before that are kept. The range is empty, at the offset where
    /// reading stopped.
    case damagedJson
    /// A value of the wrong kind for its key: a string for a number, a negative or fractional
    /// number for a distance, anything but an object for a frame. It counts as missing.
    case unexpectedJsonValue
    /// A frame whose image is not in the list of images. It is kept, without an address.
    case imageIndexOutOfRange

    // MARK: In binary reports

    /// The data of the report break off here, or are damaged. What could be read before and after
    /// that is kept. The range is empty.
    case damagedBinary

    // MARK: Limits

    /// The first thread or other backtrace after as many as are read (`ResourceLimits.threads`).
    /// Those after it are left out, too.
    case tooManyThreads
    /// The first frame after as many as are read.
    case tooManyFrames
    /// The first image after as many as are read.
    case tooManyImages
  }

  /// What could not be read.
  public let kind: Kind
  /// The line without its line end, or the JSON value: a half-open range of offsets in the input.
  public let byteRange: Range<Int>

  package init(kind: Kind, byteRange: Range<Int>) {
    self.kind = kind
    self.byteRange = byteRange
  }
}
