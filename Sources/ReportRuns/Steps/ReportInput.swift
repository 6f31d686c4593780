import FileSystem
package import ReportSymbolication
import SymbolStore
package import SymbolicationModel
package import SystemPackage
import Wording

/// An input of a run, and how it came to be one.
package struct ReportInput: Hashable, Sendable {
  /// `-` for standard input. That of a file in an archive begins with the path of the archive.
  package let path: String
  /// Where the part of the path begins, in bytes, that lies below the directory that was walked;
  /// nil for an input that the user named.
  private let relativeStart: Int?

  private let source: Source

  private enum Source {
    case file
    case archive(String, ArchivedFile)
    /// Standard input, which was read before.
    case read(Result<ReportBytes, ReportReadError>)
  }

  /// An input that the user named.
  package init(_ path: String) { (self.path, relativeStart, source) = (path, nil, .file) }

  /// A file that was found in a directory.
  init(_ path: String, in walk: ReportWalk) {
    (self.path, relativeStart, source) = (path, walk.relativeStart, .file)
  }

  init(_ file: ReportArchive.File, in archive: ReportArchive) {
    path = archive.path + "/" + file.relativePath
    relativeStart = archive.path.utf8.count + 1
    source = .archive(archive.filePath, file.content)
  }

  /// Standard input.
  init(read content: Result<ReportBytes, ReportReadError>) {
    (path, relativeStart, source) = ("-", nil, .read(content))
  }

  /// The path of the file that has the input: its own, or that of its archive. `-` for standard
  /// input.
  package var filePath: String { if case .archive(let path, _) = source { path } else { path } }

  /// The bytes of a file in an archive; nil for any other input.
  package var archivedSize: UInt64? {
    if case .archive(_, let file) = source { file.size } else { nil }
  }

  /// What needs not be read any more, unpacked if it is compressed: a file in an archive, or
  /// standard input that was read before.
  package func knownReport(limits: ResourceLimits) throws(ReportReadError) -> ReportBytes? {
    switch source {
    case .file: return nil
    case .read(let content): return try content.get()
    case .archive(_, let file):
      guard let bytes = file.bytes else { throw .unreadable(.fileTooLarge) }
      return try ReportBytes(bytes, limit: limits.reportSize)
    }
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.path == right.path && left.relativeStart == right.relativeStart
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(relativeStart)
  }

  /// Whether the file was found in a directory or an archive, so that nobody said that it holds a
  /// report.
  package var isWalked: Bool { relativeStart != nil }

  package var isStandardInput: Bool { path == "-" }

  /// What is there instead of a report, by its first bytes.
  package enum Other: Sendable { case symbolFile, archive }

  /// Nil if it may be a report. Symbol files in archives were left out when these were unpacked.
  package var other: Other? {
    guard archivedSize == nil, let kind = SymbolFileKind(path: path), kind.isSymbolFile else {
      return nil
    }
    return kind == .zipOrTar ? .archive : .symbolFile
  }

  /// Whether its name is that of a compressed file.
  package var hasCompressedName: Bool {
    path.splitAtSuffix.suffix.map(Self.compressionSuffixes.contains) == true
  }

  /// In lower case, without the dot.
  static let compressionSuffixes: Set<String> = ["gz", "gzip", "zst", "zstd", "xz", "bz2"]

  /// What to call it in messages.
  package var shownPath: String { isStandardInput ? "standard input" : path }

  /// The path of its result below a directory for results: the folders below the directory that was
  /// walked, and the report's name with the suffix of the form.
  package func resultPath(as form: OutputForm) -> String {
    form.resultName(of: ownName)
  }

  private var ownName: String {
    guard !isStandardInput else { return "standard-input" }
    if let relativeStart { return String(path.utf8.dropFirst(relativeStart)) ?? path }
    return path.lastNamedComponent ?? path
  }
}

extension String {
  /// The last component that is a name; nil for `/` and an empty path.
  fileprivate var lastNamedComponent: String? {
    utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) }
  }
}

/// What a run reads: the inputs that the user named, or the files of directories and archives.
package struct ReportInputs: Sendable {
  /// In the order of the arguments; in a directory, in the order of the files' paths.
  package private(set) var inputs: [ReportInput]
  /// The directories that were walked.
  package private(set) var directories: [String]
  /// The archives that were unpacked.
  package private(set) var archives: [String] = []
  /// The folders and what else in them cannot be read, a sentence each.
  package private(set) var problems: [String] = []
  /// How many bundles were left, and how many pipes, devices and sockets.
  package private(set) var bundleCount = 0
  package private(set) var specialFileCount = 0
  /// How many symbol files in archives were left.
  package private(set) var symbolFileCount = 0

  /// - Parameter resultFolder: a folder that no input is read from.
  package init(
    _ paths: InputPaths, excluding resultFolder: String? = nil,
    limits: ResourceLimits = ResourceLimits()
  ) {
    inputs = paths.reports.map { ReportInput($0) }
    directories = paths.reportDirectories
    var visited = ReportWalk.visited(resultFolder)
    for directory in directories { add(directory, &visited) }
    for archive in paths.reportArchives { add(ReportArchive(archive, limits: limits)) }
  }

  /// - Parameters:
  ///   - arguments: reports, `-`, directories and archives, in any order.
  ///   - resultFolder: a folder that no input is read from.
  ///   - archiveLimits: nil if archives are inputs like other files.
  package init(
    _ arguments: [String], excluding resultFolder: String? = nil, archiveLimits: ResourceLimits?
  ) {
    inputs = []
    directories = []
    var visited = ReportWalk.visited(resultFolder)
    for argument in arguments {
      if argument != "-", FileKind(path: argument) == .directory {
        directories.append(argument)
        add(argument, &visited)
      } else if let archiveLimits, argument != "-",
        SymbolFileKind(path: argument) == .zipOrTar
      {
        add(ReportArchive(argument, limits: archiveLimits))
      } else {
        inputs.append(ReportInput(argument))
      }
    }
  }

  /// Standard input: a report, or an archive of reports.
  ///
  /// - Parameter content: what it has, or why it cannot be read.
  package init(standardInput content: Result<[UInt8], Errno>, limits: ResourceLimits) {
    inputs = []
    directories = []
    let report = content.mapError { ReportReadError.unreadable($0) }.flatMap { bytes in
      Result { () throws(ReportReadError) in
        try ReportBytes(bytes, limit: limits.reportSize)
      }
    }
    if case .success(let report) = report, ArchiveContents.isArchive(start: report.bytes) {
      add(ReportArchive("standard input", bytes: report.bytes, limits: limits))
    } else {
      inputs = [ReportInput(read: report)]
    }
  }

  /// - Parameter visited: so that no file counts twice if one directory lies in another.
  private mutating func add(_ directory: String, _ visited: inout Set<FileIdentity>) {
    let walk = ReportWalk(directory, visited: &visited)
    inputs += walk.paths.map { ReportInput($0, in: walk) }
    problems += walk.problems.map { "cannot list the folder \($0.path): \($0.errno)" }
    bundleCount += walk.bundleCount
    specialFileCount += walk.specialFileCount
  }

  private mutating func add(_ archive: ReportArchive) {
    archives.append(archive.path)
    inputs += archive.files.map { ReportInput($0, in: archive) }
    problems += archive.problems
    bundleCount += archive.bundleCount
    symbolFileCount += archive.symbolFileCount
  }

  /// Whether inputs were found in directories or archives.
  package var isWalk: Bool { !directories.isEmpty || !archives.isEmpty }

  /// The files that have the inputs, each once. An archive has many.
  package var filePaths: [String] { inputs.map(\.filePath).withoutRepetitions }
}
