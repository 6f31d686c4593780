import FileSystem
import ReportSymbolication
import SystemPackage

/// One run over one or several reports.
struct SymbolicateRun {
  /// `-` for standard input. Never empty.
  let reportPaths: [String]
  let symbolPaths: [String]
  let destination: Destination
  let options: SymbolicationOptions
  let form: OutputForm
  let isStrict: Bool

  enum Destination {
    case standardOutput
    case file(String)
    /// Each report under its own name in this directory.
    case directory(String)
    /// Each report in its own place; none is standard input.
    case inPlace
  }

  func perform() -> ExitStatus {
    var job = ReportJob(symbolPaths: symbolPaths, options: options, form: form)
    var statuses: Set<ExitStatus> = []
    var toldProblems: Set<String> = []
    var unfitFiles: [String: (note: ReportJob.UnfitNote, count: Int)] = [:]
    var unfitOrder: [String] = []
    var readCount = 0
    if case .directory(let directory) = destination {
      if let failure = prepare(directory) { return failure.report() }
    }
    for path in reportPaths {
      guard let input = read(path) else {
        statuses.insert(.unreadableInput)
        continue
      }
      readCount += 1
      let result = job.symbolicate(input, shownPath: shown(path))
      do {
        try write(result, of: path)
      } catch {
        statuses.insert(error.report())
      }
      if reportPaths.count > 1 { Diagnostics.note("\(shown(path)):") }
      for problem in result.problems where toldProblems.insert(problem).inserted {
        Diagnostics.print(problem)
      }
      for note in result.notes { Diagnostics.note(note) }
      for note in result.unfitFiles {
        if unfitFiles[note.path] == nil { unfitOrder.append(note.path) }
        let known = unfitFiles[note.path]
        let worse = known.map { $0.note.isOtherBuild ? $0.note : note } ?? note
        unfitFiles[note.path] = (worse, (known?.count ?? 0) + 1)
      }
      if result.hasUnreadableSymbolFile { statuses.insert(.unreadableInput) }
      if !result.hasReport { statuses.insert(.noReport) }
      if isStrict, !result.isComplete { statuses.insert(.unresolved) }
    }
    // A file that is for one of the reports is given for a reason.
    for path in unfitOrder {
      guard let (note, count) = unfitFiles[path], count == readCount else { continue }
      Diagnostics.note(note.message)
      if note.isOtherBuild { statuses.insert(.unfitSymbolFile) }
    }
    return .combined(statuses)
  }

  /// Makes the directory for the results where it is not there. Two reports of one name would take
  /// one another's place in it.
  private func prepare(_ directory: String) -> OutputFile.Failure? {
    var names: Set<String> = []
    for path in reportPaths where !names.insert(resultName(of: path)).inserted {
      return .cannotCreate(path: "\(directory)/\(resultName(of: path)) a second time", .fileExists)
    }
    return OutputFile.makeDirectory(directory)
  }

  private func resultName(of path: String) -> String {
    path == "-" ? "standard-input" : FilePath(path).lastComponent?.string ?? path
  }

  /// Nil, after a message, for what cannot be read.
  private func read(_ path: String) -> [UInt8]? {
    do {
      return try InputFile.read(path: path)
    } catch {
      let hint =
        error == .isDirectory
        ? "; the report comes first, and symbol files after it or with -d" : ""
      Diagnostics.print("cannot read the report \(shown(path)): \(error)\(hint)")
      return nil
    }
  }

  private func write(_ result: ReportJob.Result, of path: String) throws(OutputFile.Failure) {
    switch destination {
    case .standardOutput:
      let separator = form == .summary && path != reportPaths.first ? "\n" : ""
      try OutputFile.writeToStandardOutput(Array(separator.utf8) + result.output)
    case .file(let file): try WholeFile.replace(path: file, with: result.output)
    case .directory(let directory):
      try WholeFile.replace(
        path: FilePath(directory).appending(resultName(of: path)).string, with: result.output)
    case .inPlace:
      // What holds no report stays as it is, not even written again.
      if result.hasReport {
        try WholeFile.replace(path: path, with: result.output)
      }
    }
  }

  private func shown(_ path: String) -> String { path == "-" ? "standard input" : path }
}
