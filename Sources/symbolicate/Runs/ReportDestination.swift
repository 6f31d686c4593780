import FileSystem
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import Synchronization
import SystemPackage

/// Where the results of reports go.
enum ReportDestination: Sendable {
  case standardOutput
  /// One file with the outputs of all reports.
  case file(String)
  /// A file for each report.
  case directory(ResultPlan)
  /// Each output replaces its report; no report is standard input.
  case inPlace

  var isStandardOutput: Bool { if case .standardOutput = self { true } else { false } }

  var isInPlace: Bool { if case .inPlace = self { true } else { false } }

  /// Whether all outputs follow each other in one file or pipe.
  var isStream: Bool {
    switch self {
    case .standardOutput, .file: true
    case .directory, .inPlace: false
    }
  }

  /// Why nothing is done.
  struct Refusal {
    let message: String
    var status = ExitStatus.usage
  }

  /// Looks at all outputs before anything is written.
  ///
  /// - Parameters:
  ///   - remaining: the inputs whose results are written.
  ///   - symbolPaths: files that are read besides.
  func refusal(
    of reports: ReportInputs, remaining: [ReportInput], symbolPaths: [String], form: OutputForm
  ) -> Refusal? {
    let inputs = reports.inputs
    do throws(OutputRefusal) {
      switch self {
      case .standardOutput: return nil
      case .inPlace:
        // A symbol file in a directory is left when its turn comes.
        for input in inputs where !input.isWalked {
          try OutputGuard.check(replacedReport: input.path)
        }
        return nil
      case .file(let path):
        let isSingle = inputs.count == 1 && !reports.isWalk
        try outputGuard(inputs, symbolPaths).check(path, replacesReport: form.isReport && isSingle)
        return FileKind(path: path) == .directory
          ? Refusal(message: OutputPathMessages.outputIsDirectory(path)) : nil
      case .directory(let plan):
        if let directory = reports.directories.first(where: {
          FileIdentity.isSame($0, plan.directory)
        }) {
          return Refusal(message: OutputPathMessages.outputDirectoryIsInput(directory))
        }
        try outputGuard(inputs, symbolPaths).check(plan, for: remaining)
        return clash(among: inputs, plan)
      }
    } catch {
      return Refusal(message: error.message(for: form.isReport ? .report : .extract))
    }
  }

  private func outputGuard(_ inputs: [ReportInput], _ symbolPaths: [String]) -> OutputGuard {
    OutputGuard(reports: inputs.map(\.filePath), symbolPaths: symbolPaths)
  }

  private func clash(among inputs: [ReportInput], _ plan: ResultPlan) -> Refusal? {
    do throws(FileSystemError) {
      return try plan.clash(among: inputs).map {
        Refusal(message: $0.message, status: .cannotCreateOutput)
      }
    } catch {
      let failure = FileWriteError.cannotCreate(path: error.path, error.errno)
      return Refusal(message: failure.message, status: .cannotCreateOutput)
    }
  }

  /// Makes the directory for results, with its parents, unless it exists.
  func prepare() -> FileWriteError? {
    guard case .directory(let plan) = self else { return nil }
    return FileWriteError.thrown { () throws(FileWriteError) in
      try OutputFile.makeDirectory(plan.directory)
    }
  }

  /// Writes a result to its own file, if it has one. May be called from several threads.
  func write(
    _ result: ReportJob.Result, of input: ReportInput, _ folders: ResultFolders
  ) throws(FileWriteError) {
    switch self {
    case .standardOutput, .file: break
    case .directory(let plan):
      // There is no file for an input without a result.
      guard result.outputKind == .result else { return }
      let path = plan.path(of: input)
      try folders.make(path.folder)
      try replace(path, with: result)
    case .inPlace:
      // A file without a report is not written at all.
      if result.hasReport { try replace(input.path, with: result) }
    }
  }

  private func replace(_ path: String, with result: ReportJob.Result) throws(FileWriteError) {
    try OutputFile.replace(path: path) { output in
      try result.writeOutput { try output.write($0) }
    }
  }
}

/// The folders for results that exist for certain.
final class ResultFolders: Sendable {
  private let known = Mutex<Set<String>>([])

  /// Makes the folder, and those it lies in, unless they exist.
  func make(_ folder: String) throws(FileWriteError) {
    guard !known.withLock({ $0.contains(folder) }) else { return }
    try OutputFile.makeDirectory(folder)
    _ = known.withLock { $0.insert(folder) }
  }
}
