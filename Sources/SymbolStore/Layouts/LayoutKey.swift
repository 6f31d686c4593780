import SymbolicationModel

/// The forms of an image's identity that occur in the paths of layouts.
struct LayoutKey {
  private let identity: ImageIdentity

  init(_ identity: ImageIdentity) { self.identity = identity }

  /// Whether it may be a Mach-O UUID.
  var isUuid: Bool { identity.bytes.count == 16 }

  /// All digits, in lower case, without dashes.
  var digits: String { identity.bytes.hexadecimalDigits }

  /// `uu/u…`: the first byte as a folder. Nil for an identity of one byte.
  var splitDigits: String? {
    guard identity.bytes.count > 1 else { return nil }
    return identity.bytes.prefix(1).hexadecimalDigits + "/"
      + identity.bytes.dropFirst().hexadecimalDigits
  }

  /// `UUUU/UUUU/UUUU/UUUU/UUUU/UUUUUUUUUUUU`, in upper case: LLDB's folders of UUIDs. Nil unless it
  /// may be a UUID.
  var uuidPath: String? {
    guard isUuid else { return nil }
    let digits = Array(identity.bytes.hexadecimalDigits.uppercased())
    let groups = stride(from: 0, to: 20, by: 4).map { String(digits[$0..<($0 + 4)]) }
    return (groups + [String(digits[20...])]).joined(separator: "/")
  }

  /// The identity as Breakpad writes it, without the age, in upper case: a UUID as it stands, and
  /// the first 16 bytes of a build-id as a GUID whose first three fields are little-endian. Both
  /// for 16 bytes, which may be either.
  var debugIds: [String] {
    var ids: [String] = []
    if isUuid { ids.append(digits.uppercased()) }
    if let debugId = identity.debugId {
      ids.append(debugId.bytes.hexadecimalDigits.uppercased())
    }
    return ids.withoutRepetitions
  }
}
