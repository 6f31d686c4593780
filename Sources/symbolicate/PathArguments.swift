import FileSystem

/// The arguments that are no options: reports, and symbol files after them, as users of Apple's
/// `symbolicatecrash` give them.
struct PathArguments {
  /// At least one; standard input where none is given.
  let reports: [String]
  let symbolFiles: [String]

  /// Directories, and files that begin as Mach-O, ELF or GSYM files do, are symbol files, wherever they
  /// stand beside a report. Of the rest the first is a report, and so is every other that is there.
  init(_ paths: [String]) {
    guard let first = paths.first else {
      (reports, symbolFiles) = (["-"], [])
      return
    }
    let others = paths.dropFirst().map { (path: $0, kind: Kind(path: $0)) }
    let otherReports = others.filter { $0.kind == .report }.map(\.path)
    let otherSymbolFiles = others.filter { $0.kind != .report }.map(\.path)
    if Kind(path: first) == .symbolFile, !otherReports.isEmpty {
      (reports, symbolFiles) = (otherReports, [first] + otherSymbolFiles)
    } else {
      (reports, symbolFiles) = ([first] + otherReports, otherSymbolFiles)
    }
  }

  private enum Kind {
    case report
    case symbolFile
    case missing

    init(path: String) {
      if path == "-" {
        self = .report
      } else if FileKind(path: path) == .directory {
        self = .symbolFile
      } else if let start = InputFile.firstBytes(of: path, count: 4) {
        self = magicNumbers.contains(start) ? .symbolFile : .report
      } else {
        self = .missing
      }
    }
  }

  private static let magicNumbers: Set<[UInt8]> = [
    [0x7f, 0x45, 0x4c, 0x46],  // ELF
    [0xcf, 0xfa, 0xed, 0xfe], [0xce, 0xfa, 0xed, 0xfe],  // Mach-O, little endian
    [0xfe, 0xed, 0xfa, 0xcf], [0xfe, 0xed, 0xfa, 0xce],  // Mach-O, big endian
    [0xca, 0xfe, 0xba, 0xbe], [0xca, 0xfe, 0xba, 0xbf],  // fat
    [0xbe, 0xba, 0xfe, 0xca], [0xbf, 0xba, 0xfe, 0xca],
    [0x4d, 0x59, 0x53, 0x47], [0x47, 0x53, 0x59, 0x4d],  // GSYM, little and big endian
  ]
}
