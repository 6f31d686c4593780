/// A part of a report that could not be read. It stays in the report as it is.
public struct ParseFault: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The first line is meant to be a JSON header, and is not JSON: there is no ``CrashReport/header``.
    case damagedJsonHeader
    /// A line among the frames of a backtrace that begins like a frame and has no readable address
    /// or image name.
    case unreadableFrame
    /// A frame line that stands after the frames of a backtrace without the heading of another one.
    case frameOutsideBacktrace
    /// A line among the binary images that begins with an address and is not an image line.
    case unreadableImage
    /// A binary image whose identity, between angle brackets, is not a UUID. The image is kept.
    case unreadableImageIdentity
    /// The last line of the input, which ends without a line end in the middle of a frame, an image
    /// or a list of addresses. A frame whose address is complete is kept.
    case cutLine
    /// The heading of a thread or a backtrace whose number does not fit. The thread is kept, without
    /// a number.
    case unreadableNumber

    // MARK: In reports as JSON

    /// The JSON of the report breaks off here, because it was cut or is damaged. Everything before that
    /// is kept: threads, frames and images that are complete. The range is empty, at the place
    /// that could not be read on from.
    case damagedJson
    /// A value that is not of the kind that its key has: a string for a number, a negative or broken
    /// number for a distance, anything but an object for a frame. It counts as missing.
    case unexpectedJsonValue
    /// A frame whose image is not in the list of images. It is kept, without an address.
    case imageIndexOutOfRange
  }

  public let kind: Kind
  /// The bytes concerned, as a half-open range of offsets in the input: a line without its line end,
  /// or a value of JSON.
  public let byteRange: Range<Int>
}
