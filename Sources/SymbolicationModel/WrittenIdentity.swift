/// The identity of an image as a person or another tool writes it: copied from a report, from
/// `dwarfdump --uuid`, `readelf -n` or `file`, from a symbol server or a crash service.
///
/// Read are 4 to 64 bytes in hexadecimal, of either case, with dashes or not. They may have spaces,
/// quotes, `<…>`, `{…}` or `(…)` around them, `0x` in front, and a label (`UUID:`, `Build ID:`,
/// `BuildID[sha1]=`); what follows the identity after a space, as in dwarfdump's lines, is ignored.
/// The age of a debug-id is dropped: `…-0` after 32 digits (Sentry), or one or more digits after
/// them (Breakpad). 34, 36, 38 and 40 digits are a build-id, not a debug-id with an age, and so are
/// 32 and 8 with a dash between them, as LLDB writes a build-id.
package struct WrittenIdentity: Hashable, Sendable {
  /// The bytes in the order in which they are written.
  package let identity: ImageIdentity
  /// If `identity` has 16 bytes: what the first 16 bytes of a build-id are if it is an ELF file's
  /// debug-id. Nil for all others.
  package let buildIdPrefix: ImageIdentity?

  /// Nil if `text` is not written in one of these ways, or holds only zeros.
  package init?(_ text: String) {
    var digits = Self.core(of: Array(text.utf8))
    if let age = Self.startOfAge(digits) { digits = digits[..<age] }
    let count = digits.count { $0 != UInt8(ascii: "-") }
    guard (8...128).contains(count), digits.first != UInt8(ascii: "-"),
      digits.last != UInt8(ascii: "-"), let identity = ImageIdentity(hexadecimal: digits)
    else { return nil }
    self.identity = identity
    self.buildIdPrefix = identity.swappingDebugIdFields
  }

  /// What to look for, the most likely first.
  package var candidates: [ImageIdentity] {
    [identity] + (buildIdPrefix.map { [$0] } ?? [])
  }

  /// Whether an image with the identity `found` is meant: it is the one written, or the build-id
  /// that the debug-id written was made from.
  package func matches(_ found: ImageIdentity) -> Bool {
    found == identity || (found.bytes.count != 16 && found.debugId == identity)
      || found == buildIdPrefix
  }

  // MARK: Reading

  /// The digits and dashes, and maybe other characters, without what surrounds them.
  private static func core(of text: [UInt8]) -> ArraySlice<UInt8> {
    var rest = text[...]
    rest = trimmed(rest)
    for label in [
      "uuid", "build id", "build-id", "buildid[sha1]", "buildid", "debug id", "debug-id",
    ] {
      guard rest.count > label.utf8.count,
        zip(rest, label.utf8).allSatisfy({ lowercase($0) == $1 })
      else { continue }
      let after = trimmed(rest.dropFirst(label.utf8.count))
      guard let mark = after.first, mark == UInt8(ascii: ":") || mark == UInt8(ascii: "=") else {
        continue
      }
      rest = trimmed(after.dropFirst())
      break
    }
    // The rest of a line of dwarfdump: `(arm64) App.dSYM/…`.
    rest = rest.prefix { !isSpace($0) }
    let pairs: [(UInt8, UInt8)] = [
      (UInt8(ascii: "<"), UInt8(ascii: ">")), (UInt8(ascii: "{"), UInt8(ascii: "}")),
      (UInt8(ascii: "("), UInt8(ascii: ")")), (UInt8(ascii: "\""), UInt8(ascii: "\"")),
      (UInt8(ascii: "'"), UInt8(ascii: "'")),
    ]
    for _ in 0..<2 {
      guard let first = rest.first, let last = rest.last, rest.count > 1,
        pairs.contains(where: { $0 == first && $1 == last })
      else { break }
      rest = trimmed(rest.dropFirst().dropLast())
    }
    if rest.count > 2, rest.first == UInt8(ascii: "0"),
      lowercase(rest[rest.startIndex + 1]) == UInt8(ascii: "x")
    {
      rest = rest.dropFirst(2)
    }
    return rest
  }

  /// Where the age of a debug-id begins, with the dash before it; nil if there is none.
  private static func startOfAge(_ text: ArraySlice<UInt8>) -> Int? {
    let dash = UInt8(ascii: "-")
    func isAge(_ part: ArraySlice<UInt8>) -> Bool {
      (1...7).contains(part.count) && part.allSatisfy { hexadecimalDigitValue($0) != nil }
    }
    if let last = text.lastIndex(of: dash), text[..<last].count(where: { $0 != dash }) == 32,
      isAge(text[(last + 1)...])
    {
      return last
    }
    let digits = text.count { $0 != dash }
    guard [33, 35, 37, 39].contains(digits) else { return nil }
    let end = text.endIndex - (digits - 32)
    return isAge(text[end...]) ? end : nil
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte)
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension ImageIdentity {
  /// The debug-id that Breakpad, Sentry and Microsoft's symbol servers make of a build-id: its
  /// first 16 bytes, or all and zeros, as a little-endian GUID. Only for build-ids: the debug-id of
  /// a Mach-O image is its UUID.
  package var debugId: ImageIdentity? {
    let padded = bytes.prefix(16) + [UInt8](repeating: 0, count: max(0, 16 - bytes.count))
    return ImageIdentity(bytes: Array(padded))?.swappingDebugIdFields
  }

  /// The same 16 bytes with the first three fields of a GUID in the other byte order; nil for any
  /// other number of bytes.
  package var swappingDebugIdFields: ImageIdentity? {
    guard bytes.count == 16 else { return nil }
    return ImageIdentity(bytes: bytes.swappingGuidFields)
  }
}

extension [UInt8] {
  /// The bytes of a GUID with its first three fields, of 4, 2 and 2 bytes, in the other byte order.
  package var swappingGuidFields: [UInt8] {
    guard count >= 8 else { return self }
    var swapped: [UInt8] = []
    for field in [0..<4, 4..<6, 6..<8] { swapped += self[field].reversed() }
    return swapped + self[8...]
  }
}
