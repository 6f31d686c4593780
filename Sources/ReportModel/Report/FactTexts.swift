import JsonReading
import SymbolicationModel

extension String {
  /// The text; nil if it is empty, or holds only the question marks that writers put for what they
  /// do not know.
  package var known: String? {
    utf8.contains { byte in
      byte != UInt8(ascii: "?") && byte != UInt8(ascii: " ") && byte != UInt8(ascii: "(")
        && byte != UInt8(ascii: ")")
    } ? self : nil
  }

  /// The lines that are not empty, without the white space at their ends.
  package var filledLines: [String] {
    split(whereSeparator: \.isNewline).compactMap { line in
      var line = line
      while line.last?.isWhitespace == true { line.removeLast() }
      return line.isEmpty ? nil : String(line)
    }
  }
}

/// The numbers of `0x0000000000000001, 0x000000010024f19c`; nil for any other text.
package func hexadecimalNumbers(in text: String) -> [UInt64]? {
  var numbers: [UInt64] = []
  for part in text.utf8.split(separator: UInt8(ascii: ",")) {
    let part = part.drop { $0 == Ascii.space }
    guard part.starts(with: "0x".utf8),
      let number = UInt64(Substring(part.dropFirst(2)), radix: 16)
    else { return nil }
    numbers.append(number)
  }
  return numbers.isEmpty ? nil : numbers
}

extension Architecture {
  /// - Parameter codeType: `ARM-64 (Native)`, `X86-64`, …: how reports name the architecture of a
  ///   process.
  package init?(codeType: String) {
    switch codeType.split(separator: " ").first {
    case "ARM-64": self = .arm64
    case "X86-64": self = .x86_64
    case "ARM": self = .armv7
    case "X86": self = .i386
    default: return nil
    }
  }
}

/// A moment as reports write it: `2023-04-05 06:07:08 +0000`.
package struct UtcDate: CustomStringConvertible {
  package let secondsSince1970: Int64

  package init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  package var description: String {
    // Far more than any clock shows.
    let seconds = min(max(secondsSince1970, -62_135_596_800), 253_402_300_799)
    let time = CivilTime(secondsSince1970: seconds)
    return "\(time.dateText) \(time.timeText) +0000"
  }
}
