/// The arguments that are no options: reports, and symbol files after them, as users of Apple's
/// `symbolicatecrash` give them.
struct PathArguments {
  /// At least one; standard input where none is given.
  let reports: [String]
  let symbolFiles: [String]

  /// The first is a report. Of the others, directories and files that begin as Mach-O or ELF files do
  /// are symbol files, and so is what does not exist or cannot be read.
  init(_ paths: [String]) {
    let others = paths.dropFirst()
    reports = [paths.first ?? "-"] + others.filter { !Self.isSymbolFile($0) }
    symbolFiles = others.filter { Self.isSymbolFile($0) }
  }

  private static func isSymbolFile(_ path: String) -> Bool {
    if path == "-" { return false }
    guard let start = InputFile.firstBytes(of: path, count: 4) else { return true }
    return magicNumbers.contains(start)
  }

  private static let magicNumbers: Set<[UInt8]> = [
    [0x7f, 0x45, 0x4c, 0x46],  // ELF
    [0xcf, 0xfa, 0xed, 0xfe], [0xce, 0xfa, 0xed, 0xfe],  // Mach-O, little endian
    [0xfe, 0xed, 0xfa, 0xcf], [0xfe, 0xed, 0xfa, 0xce],  // Mach-O, big endian
    [0xca, 0xfe, 0xba, 0xbe], [0xca, 0xfe, 0xba, 0xbf],  // fat
    [0xbe, 0xba, 0xfe, 0xca], [0xbf, 0xba, 0xfe, 0xca],
  ]
}
