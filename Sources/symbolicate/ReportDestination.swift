import FileSystem
import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// Where the results of reports go.
enum ReportDestination: Sendable {
  case standardOutput
  case file(String)
  /// Each output under its report's name, with the extension added, in this directory.
  case directory(String, fileExtension: String?)
  /// Each output replaces its report; no report is standard input.
  case inPlace

  var isInPlace: Bool { if case .inPlace = self { true } else { false } }

  /// Why nothing is written, if an output is a symbol file or an input.
  func refusedOutput(
    of reportPaths: [String], symbolPaths: [String], form: OutputForm
  ) -> OutputRefusal? {
    let outputs = OutputGuard(reports: reportPaths, symbolPaths: symbolPaths)
    do {
      switch self {
      case .standardOutput: break
      case .inPlace: for path in reportPaths { try OutputGuard.check(replacedReport: path) }
      case .file(let file): try outputs.check(file, replacesReport: form.isReport)
      case .directory(let directory, _):
        try outputs.check(directory)
        for path in reportPaths { try outputs.check(resultPath(of: path, in: directory)) }
      }
      return nil
    } catch {
      return error
    }
  }

  /// Makes the directory for the results, unless it exists. Fails if two reports have the same
  /// name, since one result would replace the other.
  func prepare(for reportPaths: [String]) -> FileWriteError? {
    guard case .directory(let directory, _) = self else { return nil }
    // By their bytes: strings are equal if their characters are, however these are spelt.
    var names: Set<[UInt8]> = []
    for path in reportPaths where !names.insert(resultName(of: path).pathBytes).inserted {
      return .cannotCreate(path: "\(directory)/\(resultName(of: path)) a second time", .fileExists)
    }
    return OutputFile.makeDirectory(directory) ?? sharedTarget(of: reportPaths, in: directory)
  }

  /// Links in the directory are followed, so two results may go to one file. Only one would be
  /// left.
  private func sharedTarget(of reportPaths: [String], in directory: String) -> FileWriteError? {
    let links: Set<[UInt8]>
    do throws(FileSystemError) {
      links = Set(
        try Directory.unsortedEntries(of: directory).filter(\.isLink).map(\.name.pathBytes))
    } catch {
      // A directory may be for writing alone.
      return error.errno == .permissionDenied ? nil : .cannotCreate(path: directory, error.errno)
    }
    guard !links.isEmpty else { return nil }
    var targets: [[UInt8]: String] = [:]
    for path in reportPaths {
      let result = resultPath(of: path, in: directory)
      let target =
        links.contains(resultName(of: path).pathBytes) ? FileLinks.target(of: result) : nil
      let file = target ?? result
      let folder = FileLinks.realPath(of: file.folder) ?? file.folder
      let key = folder.appendingPath(file.lastPathComponent).pathBytes
      if let other = targets.updateValue(result, forKey: key) {
        return .cannotCreate(
          path: "\(result), which leads to the same file as \(other)", .fileExists)
      }
    }
    return nil
  }

  /// Writes a result to its file. What goes to standard output is not written here, because several
  /// results may be written at the same time.
  func write(_ result: ReportJob.Result, of path: String) throws(FileWriteError) {
    switch self {
    case .standardOutput: break
    case .file(let file): try replace(file, with: result)
    case .directory(let directory, _):
      try replace(resultPath(of: path, in: directory), with: result)
    case .inPlace:
      // A file without a report is not written at all.
      if result.hasReport { try replace(path, with: result) }
    }
  }

  private func replace(_ path: String, with result: ReportJob.Result) throws(FileWriteError) {
    try WholeFile.replace(path: path) { descriptor in
      try result.writeOutput { try descriptor.writeAll($0) }
    }
  }

  private func resultPath(of path: String, in directory: String) -> String {
    FilePath(pathText: directory).appending(FilePath(pathText: resultName(of: path)).components)
      .pathText
  }

  private func resultName(of path: String) -> String {
    let name =
      path == "-" ? "standard-input" : FilePath(pathText: path).lastComponent?.pathText ?? path
    guard case .directory(_, let fileExtension?) = self else { return name }
    return "\(name).\(fileExtension)"
  }
}
