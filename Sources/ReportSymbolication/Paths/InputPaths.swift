import FileSystem
import SymbolStore

/// The arguments that are not options: reports, and symbol files after them, as users of Apple's
/// `symbolicatecrash` give them.
package struct InputPaths {
  /// At least one; `-`, standard input, if none is given.
  package let reports: [String]
  package let symbolFiles: [String]

  /// Directories, files that begin as Mach-O, ELF, GSYM or Breakpad files do, and archives (zip,
  /// tar) are symbol files, wherever they stand beside a report. The first of the other paths is a
  /// report, and so is each further one at which there is a file. A bundle of Xcode's Organizer
  /// (`.xccrashpoint`) stands for the reports in it; one without reports is a report that cannot be
  /// read.
  package init(_ paths: [String]) {
    let paths = paths.flatMap { path in
      guard CrashPoint.isOne(path) else { return [path] }
      let reports = CrashPoint.reports(in: path)
      return reports.isEmpty ? [path] : reports
    }
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
      if path == "-" || CrashPoint.isOne(path) {
        self = .report
      } else if FileKind(path: path) == .directory {
        self = .symbolFile
      } else {
        self =
          switch SymbolFileKind(path: path) {
          case .objectFile, .index, .breakpad, .zipOrTar: .symbolFile
          case .archive, .symbolMap, .other: .report
          case nil: .missing
          }
      }
    }
  }
}
