package import BinaryInput

/// A value of a property list, Apple's format for small structured files: the `Info.plist` of a
/// bundle, the `<UUID>.plist` of a dSYM.
///
/// What is read is bounded (``PropertyListLimits``), so a value can be compared, written and
/// released recursively.
package indirect enum PropertyList: Hashable, Sendable {
  case dictionary([String: PropertyList])
  case array([PropertyList])
  case string(String)
  case integer(Int128)
  case real(Double)
  case boolean(Bool)
  case data([UInt8])
  /// A point in time, in seconds since 1970-01-01 00:00 UTC, without its fraction.
  case date(secondsSince1970: Int64)

  /// Reads a property list as XML or in the binary format `bplist00`; the first bytes decide.
  ///
  /// The old text format, UTF-16 and entities that a document declares are not read.
  package init(_ bytes: ByteRegion) throws(PropertyListError) {
    guard bytes.count <= PropertyListLimits.byteCount else {
      throw PropertyListError(
        offset: PropertyListLimits.byteCount, kind: .tooLarge(limit: PropertyListLimits.byteCount))
    }
    if bytes.holds(Array("bplist".utf8), at: 0) {
      self = try BinaryPropertyListReader.read(bytes)
    } else {
      var reader = XmlPropertyListReader(bytes.bytes)
      self = try reader.read()
    }
  }

  /// The property list in an array.
  package init(_ bytes: [UInt8]) throws(PropertyListError) {
    try self.init(ByteRegion(copying: bytes))
  }

  /// The property list in the regular file at `path`.
  package init(contentsOfFile path: String) throws(PropertyListFileError) {
    let bytes: ByteRegion
    do {
      bytes = try MappedFile.openRegularFile(path: path)
    } catch {
      throw .inaccessible(error)
    }
    do {
      try self.init(bytes)
    } catch {
      throw .malformed(path: path, error)
    }
  }
}

// Each is nil if the value is of another kind.
extension PropertyList {
  package var dictionary: [String: PropertyList]? {
    if case .dictionary(let members) = self { members } else { nil }
  }
  package var array: [PropertyList]? {
    if case .array(let elements) = self { elements } else { nil }
  }
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var integer: Int128? { if case .integer(let number) = self { number } else { nil } }
  package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  package var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }
  package var secondsSince1970: Int64? {
    if case .date(let seconds) = self { seconds } else { nil }
  }

  /// The value for `key` of a dictionary.
  package subscript(key: String) -> PropertyList? { dictionary?[key] }
}

/// What a property list may have. Real ones have a few kilobytes and a handful of levels; a file
/// from a stranger must not decide how much memory or stack is used.
package enum PropertyListLimits {
  /// The size of a file in bytes.
  package static let byteCount = 1 << 24
  /// The number of values within one another.
  package static let depth = 64
  /// The cost of a value is 32 and the bytes of its text or data. This is the limit of the sum in a
  /// file of that size. In the binary format several places can use one value, and each counts:
  /// otherwise a file of 158 bytes can hold 2³⁰ values. A list whose values share keys and texts
  /// costs up to 50 times its size.
  package static func cost(ofFileSize size: Int) -> Int {
    min(1 << 25, 1 << 18 + 64 * max(0, size))
  }
}
