import SymbolStore

/// The environment variable that limits the size of the index cache.
package enum CacheLimit {
  package static let variable = "SYMBOLICATE_CACHE_LIMIT"

  /// The variable's value is not a size.
  package struct Unreadable: Error, Hashable, Sendable {
    package let value: String
  }

  /// The limit in bytes; nil if the variable is not set, or empty.
  package static func stated(
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) throws(Unreadable) -> UInt64? {
    guard let value = environment(variable), !value.isEmpty else { return nil }
    guard let size = size(value) else { throw Unreadable(value: value) }
    return size
  }

  /// The number of bytes in `text`: decimal digits, and then maybe K, M, G or T, in either case,
  /// for powers of 1024. Nil for anything else, and for more than 64 bits.
  package static func size(_ text: String) -> UInt64? {
    var digits = text[...]
    var shift = 0
    if let last = digits.utf8.last, let power = Array("kmgt".utf8).firstIndex(of: last | 0x20),
      last & 0xc0 == 0x40
    {
      shift = 10 * (power + 1)
      digits.removeLast()
    }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(digits) else {
      return nil
    }
    let (size, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflow ? nil : size
  }
}
