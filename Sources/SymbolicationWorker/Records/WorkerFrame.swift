import CrashLogParser
package import SymbolicationModel

/// A bare frame of a record: an address in an image, without a report around it.
package struct WorkerFrame: Hashable, Sendable {
  /// The name of the image.
  package let imageName: String?
  package let identity: ImageIdentity?
  package let architecture: Architecture?
  package let place: Place

  package enum Place: Hashable, Sendable {
    /// Bytes from the start of the image.
    case offset(UInt64)
    /// An address in the symbol file.
    case linkAddress(LinkAddress)
    /// An address in the process, and where the image begins there.
    case loaded(LoadAddress, base: LoadAddress)
  }

  /// - Parameter identities: knows the UUID of the frame before, which is mostly the same.
  init(
    _ value: JsonValue, _ identities: inout KnownIdentity
  ) throws(WorkerFailure.FrameFault) {
    guard value.kind == .object else { throw .notAnObject(value.kind) }
    imageName = try Self.text(value, "image")
    if let text = try Self.text(value, "uuid") {
      guard let identity = identities.identity(text) else {
        throw .wrongText(key: "uuid", expected: "hexadecimal digits", text)
      }
      self.identity = identity
    } else {
      identity = nil
    }
    architecture = try Self.text(value, "arch").map { Architecture(name: $0) }
    guard imageName != nil || identity != nil else { throw .noImage }
    let address = try Self.number(value, "address")
    let offset = try Self.number(value, "offset")
    let base = try Self.number(value, "load")
    switch (address, offset) {
    case (nil, nil): throw .noAddress
    case (_?, _?): throw .twoAddresses
    case (nil, let offset?): place = .offset(offset)
    case (let address?, nil):
      place =
        base.map { .loaded(LoadAddress(address), base: LoadAddress($0)) }
        ?? .linkAddress(LinkAddress(address))
    }
  }

  /// Nil if the key is absent or null.
  private static func text(
    _ value: JsonValue, _ key: String
  ) throws(WorkerFailure.FrameFault) -> String? {
    guard let found = value[key], !found.isNull else { return nil }
    guard let text = found.string else {
      throw .wrongType(key: key, expected: "a string", found.kind)
    }
    return text
  }

  /// A whole number, or a string of hexadecimal digits after `0x`. Nil if absent or null.
  private static func number(
    _ value: JsonValue, _ key: String
  ) throws(WorkerFailure.FrameFault) -> UInt64? {
    let expected = "a whole number below 2^64 or a string like \"0x1f00\""
    guard let found = value[key], !found.isNull else { return nil }
    if let text = found.string {
      guard let number = hexadecimal(text) else {
        throw .wrongText(key: key, expected: expected, text)
      }
      return number
    }
    guard found.kind == .number else {
      throw .wrongType(key: key, expected: expected, found.kind)
    }
    guard let number = found.unsignedInteger else {
      throw .wrongText(key: key, expected: expected, found.numberText ?? "")
    }
    return number
  }

  /// The number of digits after `0x`; nil for anything else, and for one that does not fit.
  private static func hexadecimal(_ text: String) -> UInt64? {
    text.withBytes { bytes in
      guard bytes.count > 2, bytes[0] == UInt8(ascii: "0"), bytes[1] | 0x20 == UInt8(ascii: "x")
      else { return nil }
      return UInt64(hexadecimal: bytes)
    }
  }

  /// The identity that was read last.
  struct KnownIdentity {
    private var last: (text: String, identity: ImageIdentity?)?

    /// Nil for a text that is no identity.
    mutating func identity(_ text: String) -> ImageIdentity? {
      if let last, last.text == text { return last.identity }
      let identity = ImageIdentity(hexadecimal: text.utf8)
      last = (text, identity)
      return identity
    }
  }
}
