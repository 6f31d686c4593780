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
  text.withBytes { bytes in
    var numbers: [UInt64] = []
    var start = 0
    while start < bytes.count {
      let end = bytes.firstOffset(of: UInt8(ascii: ","), from: start)
      while start < end, bytes[start] == Ascii.space { start += 1 }
      guard end - start > 2, bytes[start + 1] == UInt8(ascii: "x"),
        let number = UInt64(hexadecimal: bytes.extracting(start..<end))
      else { return nil }
      numbers.append(number)
      start = end + 1
    }
    return numbers.isEmpty ? nil : numbers
  }
}

extension Architecture {
  /// - Parameters:
  ///   - codeType: `ARM-64 (Native)`, `X86-64`, …: how reports name the architecture of a process.
  ///   - model: `Watch6,7`. Watches run one of two architectures that reports call `ARM`.
  package init?(
    codeType: String, model: String? = nil, system: ReportFacts.System = ReportFacts.System()
  ) {
    switch codeType.split(separator: " ").first {
    case "ARM-64": self = .arm64
    case "X86-64": self = .x86_64
    case "ARM":
      let isWatch =
        model?.hasPrefix("Watch") == true || ["Watch OS", "watchOS"].contains(system.name)
      guard isWatch else {
        self = .armv7
        return
      }
      guard let watch = Self.watch(model, system) else { return nil }
      self = watch
    case "X86": self = .i386
    default: return nil
    }
  }

  /// The architecture of a watch's apps: 32-bit pointers on a 64-bit processor from Series 4
  /// (`Watch4,1`) on. watchOS 9 is the first that runs on no older watch. Nil if it may be either.
  private static func watch(_ model: String?, _ system: ReportFacts.System) -> Architecture? {
    if let model, model.hasPrefix("Watch") {
      let number = Int(model.dropFirst(5).prefix { $0.isASCII && $0.isNumber })
      return number.map { $0 >= 4 ? .arm64_32 : .armv7k }
    }
    let version = Int(system.version?.prefix { $0.isASCII && $0.isNumber } ?? "")
    return version.flatMap { $0 >= 9 ? .arm64_32 : nil }
  }
}

extension ReportFacts {
  /// Takes the architecture of the first image, which is the program, for one that reports only
  /// call `ARM`.
  package mutating func takeArchitecture(from images: [BinaryImage]) {
    guard architecture == nil || architecture == .armv7, let found = images.first?.architecture,
      found == .arm64_32 || found == .armv7k
    else { return }
    architecture = found
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

extension String {
  /// iOS 14.0 (18A394) of `CoreSimulator 783.5 - Device: iPhone 8 (…) - Runtime: iOS 14.0 (18A394)
  /// - DeviceType: iPhone 8`.
  package var simulatedSystem: ReportFacts.System? {
    guard hasPrefix("CoreSimulator "), let start = firstRange(of: " - Runtime: ")?.upperBound else {
      return nil
    }
    let end = self[start...].firstRange(of: " - ")?.lowerBound ?? endIndex
    return ReportFacts.System(String(self[start..<end]))
  }
}

/// Splits `NAME (NOTE)`.
package func nameAndNote(of text: String) -> (name: String, note: String?) {
  let bytes = text.utf8
  guard bytes.last == UInt8(ascii: ")"), let open = bytes.lastIndex(of: UInt8(ascii: "(")),
    open > bytes.startIndex
  else { return (text, nil) }
  var name = bytes[..<open]
  while name.last == Ascii.space { name.removeLast() }
  let note = bytes[bytes.index(after: open)...].dropLast()
  return (String(Substring(name)), String(Substring(note)))
}
