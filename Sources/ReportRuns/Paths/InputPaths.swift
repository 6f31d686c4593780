import FileSystem
import ReportSymbolication
import SymbolStore
package import SymbolicationModel

/// The arguments that are not options: reports, and symbol files after them, as users of Apple's
/// `symbolicatecrash` give them; or directories of reports.
package struct InputPaths {
  /// `-`, standard input, if nothing is given; none if there are directories of reports.
  package let reports: [String]
  /// Directories to walk through for reports.
  package let reportDirectories: [String]
  /// Archives to read like directories of reports.
  package let reportArchives: [String]
  package let symbolFiles: [String]

  /// Directories, files that begin as Mach-O, ELF, GSYM or Breakpad files do, and archives (zip,
  /// tar) are symbol files, wherever they stand beside a report. The first of the other paths is a
  /// report, and so is each further one at which there is a file. A bundle of Xcode's Organizer
  /// (`.xccrashpoint`) stands for the reports in it; one without reports is a report that cannot be
  /// read.
  ///
  /// If the first path is a directory and no other one is a report, it and all other directories
  /// are directories of reports. Bundles are not: they are symbol files.
  ///
  /// If no path is a report, archives with reports in them are read like directories. So is an
  /// archive that stands alone.
  package init(_ paths: [String], limits: ResourceLimits = ResourceLimits()) {
    let paths = paths.flatMap { path in
      guard CrashPoint.isOne(path) else { return [path] }
      let reports = CrashPoint.reports(in: path)
      return reports.isEmpty ? [path] : reports
    }
    guard let first = paths.first else {
      (reports, reportDirectories, reportArchives, symbolFiles) = (["-"], [], [], [])
      return
    }
    let others = paths.dropFirst().map { (path: $0, kind: Kind(path: $0)) }
    let firstKind = Kind(path: first)
    let otherReports = others.filter { $0.kind == .report }.map(\.path)
    if otherReports.isEmpty, firstKind == .directory || firstKind == .archive {
      let all = [(path: first, kind: firstKind)] + others
      let isAlone = !others.contains { $0.kind == .directory || $0.kind == .archive }
      let archives = all.filter {
        $0.kind == .archive
          && (isAlone || ReportBytes.reports(inArchiveAt: $0.path, limits: limits).count > 0)
      }.map(\.path)
      // Directories after an archive of reports are as those after a report.
      let directories =
        archives.first == first ? [] : all.filter { $0.kind == .directory }.map(\.path)
      if !archives.isEmpty || !directories.isEmpty {
        reports = []
        (reportDirectories, reportArchives) = (directories, archives)
        let taken = Set(directories + archives)
        symbolFiles = all.map(\.path).filter { !taken.contains($0) }
        return
      }
    }
    (reportDirectories, reportArchives) = ([], [])
    let otherSymbolFiles = others.filter { $0.kind != .report }.map(\.path)
    if firstKind.isSymbolFile, !otherReports.isEmpty {
      (reports, symbolFiles) = (otherReports, [first] + otherSymbolFiles)
    } else {
      (reports, symbolFiles) = ([first] + otherReports, otherSymbolFiles)
    }
  }

  private enum Kind {
    case report
    case symbolFile
    /// A zip or tar archive.
    case archive
    /// One that is no bundle.
    case directory
    case missing

    /// Whether it is one beside a report: a directory is searched for symbol files then.
    var isSymbolFile: Bool { self == .symbolFile || self == .archive || self == .directory }

    init(path: String) {
      if path == "-" || CrashPoint.isOne(path) {
        self = .report
      } else if FileKind(path: path) == .directory {
        self = BundleFolder.isOne(path) ? .symbolFile : .directory
      } else {
        self =
          switch SymbolFileKind(path: path) {
          case .archive, .symbolMap: .report
          case .zipOrTar: .archive
          case let kind?: kind.isSymbolFile ? .symbolFile : .report
          case nil: .missing
          }
      }
    }
  }
}
