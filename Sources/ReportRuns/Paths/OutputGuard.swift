package import FileSystem
import ReportSymbolication
import SymbolStore
import SymbolicationModel
import Synchronization
import SystemPackage

/// Keeps results from replacing what they are made from. In `atos`, `-o` names symbols, so people
/// give a symbol file where a result goes.
///
/// Nothing is written here, and nothing may be written before all outputs have been checked.
package struct OutputGuard {
  private var inputs: [FileIdentity: OutputRefusal.Input] = [:]

  /// - Parameters:
  ///   - reports: `-` for standard input.
  ///   - symbolPaths: files, bundles and directories. A file in a directory needs no entry: it is
  ///     used only if it is a symbol file, and those are recognised by their content.
  package init(reports: [String], symbolPaths: [String]) {
    for path in symbolPaths {
      if let identity = Self.identity(ofFileAt: path) { inputs[identity] = .other(path) }
    }
    for path in reports {
      let identity =
        path == "-"
        ? (try? FileStatus(.standardInput, path: path)).flatMap(Self.identity)
        : Self.identity(ofFileAt: path)
      if let identity { inputs[identity] = .report(path) }
    }
  }

  /// Throws if a result must not be written to `path`, a file or a directory for results.
  ///
  /// - Parameter replacesReport: whether `path` may be that of a report, spelt as the report's path
  ///   was: the user wants its result in its place. Other paths that lead to a report are refused
  ///   all the same, because nothing shows that they were meant to.
  package func check(
    _ path: String, replacesReport: Bool = false
  ) throws(OutputRefusal) {
    if try checkFile(path, replacesReport: replacesReport) { return }
    if let reason = Self.bundleReason(path) { throw OutputRefusal(path: path, reason: reason) }
  }

  /// Throws if one of the results must not be written into the directory of the plan.
  ///
  /// The folders below the directory are those of the reports, and may be named like bundles: only
  /// those that exist are looked at.
  package func check(
    _ plan: ResultPlan, for inputs: [ReportInput]
  ) throws(OutputRefusal) {
    try check(plan.directory)
    var folders: Set<[UInt8]> = []
    for input in inputs {
      let path = plan.path(of: input)
      _ = try checkFile(path, replacesReport: false)
      let folder = path.folder
      guard folders.insert(folder.pathBytes).inserted,
        let real = FileLinks.realPath(of: folder),
        let reason = Self.bundleReason(real.appendingPath("result"))
      else { continue }
      throw OutputRefusal(path: path, reason: reason)
    }
  }

  /// Looks at what is at `path`, as far as it is a file.
  ///
  /// - Returns: whether nothing else needs to be looked at.
  private func checkFile(
    _ path: String, replacesReport: Bool
  ) throws(OutputRefusal) -> Bool {

    let status: FileStatus?
    do throws(FileSystemError) {
      status = try FileStatus(path: path)
    } catch {
      // What is there is not known if the system does not say. (It will say when it is written.)
      if error.errno == .ioError || error.errno == .staleNFSFileHandle {
        throw OutputRefusal(path: path, reason: .unreadable)
      }
      status = nil
    }
    // Devices and pipes keep nothing.
    if status?.kind == .special { return true }
    if let identity = status.flatMap(Self.identity) {
      guard let kind = SymbolFileKind(path: path) else {
        throw OutputRefusal(path: path, reason: .unreadable)
      }
      try Self.check(kind, path)
      if let input = inputs[identity] {
        guard replacesReport, input == .report(path) else {
          throw OutputRefusal(path: path, reason: .input(input))
        }
        return true
      }
    }
    return false
  }

  /// Throws if the report at `path` must not be replaced by its result: it is a pipe or a device,
  /// which keeps nothing, or a symbol file. A static library may hold the text of a report.
  package static func check(replacedReport path: String) throws(OutputRefusal) {
    if FileKind(path: path) == .special { throw OutputRefusal(path: path, reason: .special) }
    if let kind = SymbolFileKind(path: path) { try check(kind, path) }
  }

  private static func check(_ kind: SymbolFileKind, _ path: String) throws(OutputRefusal) {
    if kind.isSymbolFile { throw OutputRefusal(path: path, reason: .symbolFile) }
    if kind == .compressed { throw OutputRefusal(path: path, reason: .compressed) }
  }

  /// Throws if the user's cache is a bundle or lies in one.
  package static func checkCache() throws(OutputRefusal) {
    guard let path = IndexCache.user()?.directory, let reason = bundleReason(path) else { return }
    throw OutputRefusal(path: path, reason: reason)
  }

  /// Throws if indexes must not be written into `directory`: it is a symbol file or lies in a
  /// bundle, or a file in it has an index's name and is an input or a symbol file of another kind.
  package func check(indexDirectory directory: String) throws(OutputRefusal) {
    try check(directory)
    for entry in (try? Directory.entries(of: directory)) ?? [] where entry.name.hasSuffix(".gsym") {
      // A link would be replaced, not followed.
      let path = directory.appendingPath(entry.name)
      guard !entry.isLink, FileKind(path: path) == .regularFile else { continue }
      // An index that was given is made anew if it is out of date.
      if let input = Self.identity(ofFileAt: path).flatMap({ inputs[$0] }),
        !IndexCache.isIndexOfThisProgram(path)
      {
        throw OutputRefusal(path: path, reason: .input(input))
      }
      if let kind = SymbolFileKind(path: path), kind.isSymbolFile, kind != .index {
        throw OutputRefusal(path: path, reason: .symbolFile)
      }
    }
  }

  /// Throws unless nothing is at `path`, or an empty file, a device, or a file that begins with
  /// `start`, as earlier results do. For outputs that are written while it is not known yet what
  /// the inputs are.
  package func check(_ path: String, replacesOnly start: String) throws(OutputRefusal) {
    try check(path)
    guard FileKind(path: path) == .regularFile else { return }
    try Self.check(path, replacesOnly: start, else: .otherContent)
  }

  /// Throws if a file in one of the directories is at `path`, unless it begins with `start`, as
  /// earlier results do. For commands that read all of these directories.
  package func check(
    _ path: String, notIn directories: [String], replacesOnly start: String
  ) throws(OutputRefusal) {
    try check(path)
    guard FileKind(path: path) == .regularFile else { return }
    // A link in a directory is a file of it, wherever it leads.
    let places = [
      FileLinks.realPath(of: path),
      FileLinks.realPath(of: path.folder)?.appendingPath(path.lastPathComponent),
    ].compactMap { $0.map { FilePath(pathText: $0) } }
    for directory in directories where FileKind(path: directory) == .directory {
      guard let real = FileLinks.realPath(of: directory),
        places.contains(where: { $0.starts(with: FilePath(pathText: real)) })
      else { continue }
      try Self.check(path, replacesOnly: start, else: .inInput(directory))
    }
  }

  private static func check(
    _ path: String, replacesOnly start: String, else reason: OutputRefusal.Reason
  ) throws(OutputRefusal) {
    guard
      let descriptor = try? FileDescriptor.open(
        FilePath(pathText: path), .readOnly, options: [.closeOnExec, .nonBlocking]),
      let content = try? descriptor.closingAfter({ try descriptor.readStart(start.utf8.count) })
    else {
      throw OutputRefusal(path: path, reason: .unreadable)
    }
    guard content.isEmpty || content.elementsEqual(start.utf8) else {
      throw OutputRefusal(path: path, reason: reason)
    }
  }

  private static func identity(ofFileAt path: String) -> FileIdentity? {
    (try? FileStatus(path: path)).flatMap(identity)
  }

  private static func identity(_ status: FileStatus) -> FileIdentity? {
    status.kind == .regularFile ? status.identity : nil
  }

  /// Whether `path` is a bundle or lies in one, as it is spelt, or where its links lead. A bundle
  /// that does not exist counts: whoever names it means symbols.
  private static func bundleReason(_ path: String) -> OutputRefusal.Reason? {
    let spelt = FilePath(pathText: path).lexicallyNormalized()
    for path in [spelt, FilePath(pathText: withoutLinks(path))] {
      guard let bundle = innermostBundle(of: path) else { continue }
      return bundle == path ? .bundle : .inBundle(bundle.pathText)
    }
    return nil
  }

  private static func innermostBundle(of output: FilePath) -> FilePath? {
    var path = output
    while let name = path.lastComponent?.pathText {
      if BundleName.isBundle(name), isBundle(path, name: name, isOutput: path == output) {
        return path
      }
      path.removeLastComponent()
    }
    return nil
  }

  /// Whether a path with the name of a bundle is one. `.app` and the like may also end the name of
  /// a site or project, so a folder that the output lies in must look like a bundle of code, unless
  /// it is missing.
  private static func isBundle(_ path: FilePath, name: String, isOutput: Bool) -> Bool {
    guard let kind = FileKind(path: path.pathText) else { return true }
    guard kind != .regularFile else { return false }
    guard !isOutput, BundleName.isOfCode(name) else { return true }
    return BundleFolder.hasContentOfBundle(path.pathText, name: name)
  }

  /// Where writing to `path` would make a file. Folders that do not exist stay as they are spelt.
  static func withoutLinks(_ path: String) -> String {
    var folder = FilePath(pathText: FileLinks.target(of: path) ?? path)
    var missing: [FilePath.Component] = []
    while let name = folder.lastComponent {
      if let real = FileLinks.realPath(of: folder.pathText) {
        return missing.reversed().reduce(FilePath(pathText: real)) { $0.appending($1) }.pathText
      }
      missing.append(name)
      folder.removeLastComponent()
    }
    // Nothing of a relative path exists: it begins in the working directory.
    let start = FilePath(
      pathText: FileLinks.realPath(of: folder.isEmpty ? "." : folder.pathText) ?? "")
    return missing.reversed().reduce(start) { $0.appending($1) }.pathText
  }
}

/// The source files that a run has read. Symbol files name them, so they are not known before, and
/// an output is compared with them when it is about to take its place.
package final class ReadSources: Sendable {
  private let files = Mutex<Set<FileIdentity>>([])

  package init() {}

  package func add(_ new: Set<FileIdentity>) {
    if !new.isEmpty { files.withLock { $0.formUnion(new) } }
  }

  /// Throws if one of them is at `path`.
  package func check(_ path: String) throws(OutputRefusal) {
    guard let identity = try? FileStatus(path: path).identity,
      files.withLock({ $0.contains(identity) })
    else { return }
    throw OutputRefusal(path: path, reason: .input(.source))
  }
}

/// The reports of a run that their results replace. Each was read a while before.
package final class ReplacedReports: Sendable {
  private let read = Mutex<[String: FileStatus]>([:])
  /// The directories that were walked, without links, with a slash at their ends.
  private let folders: [[UInt8]]

  /// - Parameter directories: those that were walked.
  package init(directories: [String]) {
    folders = directories.compactMap { directory in
      FileLinks.realPath(of: directory).map { $0.appendingPath("").pathBytes }
    }
  }

  /// Call it before a report is read.
  package func willRead(_ input: ReportInput) {
    let status = try? FileStatus(path: input.path)
    read.withLock { $0[input.path] = status }
  }

  /// Throws if the report's file must not be replaced any more: it is not the file that was read,
  /// or has other content. Throws too if it was found in a directory, and a link leads out of it.
  ///
  /// What others write between this and the replacing, a moment later, is lost.
  package func check(_ input: ReportInput) throws(OutputRefusal) {
    let before = read.withLock { $0.removeValue(forKey: input.path) }
    guard let before, let now = try? FileStatus(path: input.path),
      now.identity == before.identity, now.size == before.size,
      now.modificationTime == before.modificationTime
    else { throw OutputRefusal(path: input.path, reason: .changed) }
    guard input.isWalked else { return }
    guard let real = FileLinks.realPath(of: input.path),
      folders.contains(where: { real.pathBytes.starts(with: $0) })
    else { throw OutputRefusal(path: input.path, reason: .outside) }
  }
}
