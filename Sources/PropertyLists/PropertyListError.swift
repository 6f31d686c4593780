package import BinaryInput

/// Why bytes are not a property list that can be read, and where.
package struct PropertyListError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// It begins neither with `bplist` nor with `<`: up to 16 bytes of its beginning.
    case notAPropertyList(firstBytes: [UInt8])
    /// A binary property list of another version than `00`.
    case unsupportedVersion([UInt8])
    /// It has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// Values lie in more than `limit` others, or a value holds itself.
    case tooDeep(limit: Int)
    /// All values together cost more than `PropertyListLimits.cost(ofFileSize:)`.
    case tooManyValues
    /// The bytes end inside a value.
    case unexpectedEnd
    /// `structure` of the binary format states `value`, which is impossible.
    case malformed(structure: Structure, value: UInt64)
    /// A byte of XML that is not allowed at its position.
    case unexpectedByte(UInt8)
    /// An element that is unknown, or not allowed at its position.
    case unexpectedElement(String)
    /// The end of another element than the innermost one.
    case unexpectedEndOfElement(found: String, expected: String)
    /// A reference to a character or an entity that XML itself does not define.
    case unknownEntity(String)
    /// A text that is not a number, a date or Base64, in an element that holds one.
    case invalidText(String, element: String)
  }

  /// A part of the binary format.
  package enum Structure: Hashable, Sendable {
    /// The last 32 bytes.
    case trailer
    /// The table of the objects' offsets, and references into it.
    case offsetTable
    /// The byte that states the kind of an object.
    case marker
    /// A number of elements or bytes.
    case count
    /// A key that is not a string: its marker.
    case key
    /// A point in time: the bits of a double.
    case date
  }

  /// In bytes from the start.
  package let offset: Int
  package let kind: Kind

  package init(offset: Int, kind: Kind) {
    self.offset = offset
    self.kind = kind
  }
}

/// Why there is no property list in a file.
package enum PropertyListFileError: Error, Hashable, Sendable {
  case inaccessible(FileAccessError)
  case malformed(path: String, PropertyListError)
}
