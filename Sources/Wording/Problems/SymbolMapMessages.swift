import SymbolicationModel
import SystemPackage

extension SymbolMapFinding {
  /// One sentence: which file has hidden names, why they stay hidden, and what to do.
  ///
  /// - Parameter path: that of the symbol file.
  package func message(path: String) -> String {
    switch self {
    case .absent(let name):
      "\(path) hides its names (__hidden#…_), as builds with bitcode do; put BCSymbolMaps/\(name) of the archive beside the dSYM"
    case .unusable(let map, let refusal):
      "\(path) hides its names (__hidden#…_), and \(map) cannot replace them: \(refusal.text); give the file of the archive"
    case .missingName(let map, let number, let count):
      "\(path) hides its names (__hidden#…_), and \(map) does not belong to it: it has \(count) names, but name \(number) is needed; give the file of the same archive"
    }
  }
}

extension SymbolMapRefusal {
  package var text: String {
    switch self {
    case .inaccessible(let errno): "\(Errno(rawValue: errno))"
    case .noHeader(let bytes):
      "it begins with \(bytes.prefix(8).map { $0.hexadecimalDigits(count: 2) }.joined(separator: " ")) and not with 'BCSymbolMap Version: 2.0'"
    case .unsupportedVersion(let version):
      "it has version '\(version.withoutControlCharacters)', but only 1.0 and 2.0 are supported"
    case .tooLarge(let byteCount, let limit):
      "it has \(byteCount) bytes, but at most \(limit) are read"
    }
  }
}

extension PropertyListRefusal {
  /// One sentence.
  ///
  /// - Parameter path: that of the property list.
  package func message(path: String) -> String {
    let reason =
      switch self {
      case .inaccessible(let errno): "cannot read \(path): \(Errno(rawValue: errno))"
      case .damaged(let offset):
        "\(path) is damaged: it is not a property list from byte \(offset) on"
      }
    return reason + "; paths of source files are shown without its mappings"
  }
}
