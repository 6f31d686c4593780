import SymbolStore

/// The environment variable that limits the cache of indexes.
package enum CacheLimit {
  package static let variable = "SYMBOLICATE_CACHE_LIMIT"

  /// The variable's value is no size.
  package struct Unreadable: Error, Hashable, Sendable {
    package let value: String

    package var message: String {
      "\(CacheLimit.variable) is '\(value)'; it should be a number of bytes, such as 500M or 2G"
        .withoutControlCharacters
    }
  }

  /// The number of bytes that the variable states; nil where it is not set, or empty.
  package static func stated(
    environment: (String) -> String? = { IndexCache.environmentVariable($0) }
  ) throws(Unreadable) -> UInt64? {
    guard let value = environment(variable), !value.isEmpty else { return nil }
    guard let size = size(value) else { throw Unreadable(value: value) }
    return size
  }

  /// Decimal digits, and behind them K, M, G or T, of either case, for powers of 1024.
  static func size(_ text: String) -> UInt64? {
    var digits = text[...]
    var shift = 0
    if let last = digits.utf8.last, let place = Array("kmgt".utf8).firstIndex(of: last | 0x20),
      last & 0xc0 == 0x40
    {
      shift = 10 * (place + 1)
      digits.removeLast()
    }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(digits) else {
      return nil
    }
    let (size, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflow ? nil : size
  }
}
