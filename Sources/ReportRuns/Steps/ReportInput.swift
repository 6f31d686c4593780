package import FileSystem
package import ReportSymbolication
import SymbolStore

/// An input of a run, and how it came to be one.
package struct ReportInput: Hashable, Sendable {
  /// `-` for standard input.
  package let path: String
  /// Where the part of the path begins, in bytes, that lies below the directory that was walked;
  /// nil for an input that the user named.
  private let relativeStart: Int?

  /// An input that the user named.
  package init(_ path: String) { (self.path, relativeStart) = (path, nil) }

  /// A file that was found in a directory.
  init(_ path: String, in walk: ReportWalk) {
    (self.path, relativeStart) = (path, walk.relativeStart)
  }

  /// Whether the file was found in a directory, so that nobody said that it holds a report.
  package var isWalked: Bool { relativeStart != nil }

  package var isStandardInput: Bool { path == "-" }

  /// Whether a symbol file or an archive is there, by its first bytes.
  package var isSymbolFile: Bool {
    SymbolFileKind(path: path)?.isSymbolFile == true
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

/// What a run reads: the inputs that the user named, or the files of directories.
package struct ReportInputs: Sendable {
  /// In the order of the arguments; in a directory, in the order of the files' paths.
  package private(set) var inputs: [ReportInput]
  /// The directories that were walked.
  package let directories: [String]
  /// The folders in them that cannot be listed.
  package private(set) var problems: [FileSystemError] = []
  /// How many bundles were left, and how many pipes, devices and sockets.
  package private(set) var bundleCount = 0
  package private(set) var specialFileCount = 0

  /// - Parameter resultFolder: a folder that no input is read from.
  package init(_ paths: InputPaths, excluding resultFolder: String? = nil) {
    inputs = paths.reports.map { ReportInput($0) }
    directories = paths.reportDirectories
    var visited = ReportWalk.visited(resultFolder)
    for directory in directories { add(directory, &visited) }
  }

  /// - Parameters:
  ///   - arguments: reports, `-`, and directories, in any order.
  ///   - resultFolder: a folder that no input is read from.
  package init(_ arguments: [String], excluding resultFolder: String? = nil) {
    func isDirectory(_ path: String) -> Bool { path != "-" && FileKind(path: path) == .directory }
    inputs = []
    directories = arguments.filter(isDirectory)
    var visited = ReportWalk.visited(resultFolder)
    for argument in arguments {
      if isDirectory(argument) {
        add(argument, &visited)
      } else {
        inputs.append(ReportInput(argument))
      }
    }
  }

  /// - Parameter visited: so that no file counts twice if one directory lies in another.
  private mutating func add(_ directory: String, _ visited: inout Set<FileIdentity>) {
    let walk = ReportWalk(directory, visited: &visited)
    inputs += walk.paths.map { ReportInput($0, in: walk) }
    problems += walk.problems
    bundleCount += walk.bundleCount
    specialFileCount += walk.specialFileCount
  }

  package var isWalk: Bool { !directories.isEmpty }
}
