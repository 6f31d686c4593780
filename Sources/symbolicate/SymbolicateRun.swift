import FileSystem
import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// One run of `symbolicate` over one or several reports.
struct SymbolicateRun {
  /// `-` for standard input. Never empty.
  let reportPaths: [String]
  let places: SymbolPlaces
  /// What is wrong with the places, a sentence each.
  let warnings: [String]
  let destination: Destination
  let options: SymbolicationOptions
  let form: OutputForm
  let isStrict: Bool

  enum Destination {
    case standardOutput
    case file(String)
    /// Each output under its report's name, in this directory.
    case directory(String)
    /// Each output replaces its report; no report is standard input.
    case inPlace
  }

  func perform() -> ExitStatus {
    if let refusal = refusedOutput() {
      Diagnostics.print(refusal.message(for: form.isReport ? .report : .extract))
      return .usage
    }
    for warning in warnings { Diagnostics.print(warning) }
    let download = DownloadLine()
    var job = ReportJob(
      places: places, options: options, form: form, progress: ProgressLine.searchProgress(),
      downloadProgress: download.progress)
    job.defersOutput = reportPaths.count == 1
    var statuses: Set<ExitStatus> = []
    var printedProblems: Set<String> = []
    var unfitFiles: [String: (note: ReportJob.UnfitNote, count: Int)] = [:]
    var unfitOrder: [String] = []
    var readCount = 0
    if case .directory(let directory) = destination {
      if let failure = prepare(directory) {
        Diagnostics.print(failure.message)
        return ExitStatus(failure)
      }
    }
    for path in reportPaths {
      guard let input = read(path) else {
        statuses.insert(.unreadableInput)
        continue
      }
      readCount += 1
      let result = job.symbolicate(input, shownPath: shown(path))
      download.clear()
      do {
        try write(result, of: path)
      } catch {
        Diagnostics.print(error.message)
        statuses.insert(ExitStatus(error))
      }
      if reportPaths.count > 1 { Diagnostics.note("\(shown(path)):") }
      for problem in result.problems where printedProblems.insert(problem).inserted {
        Diagnostics.print(problem)
      }
      for note in result.notes { Diagnostics.note(note) }
      if result.missesSymbols, path != "-" {
        Diagnostics.note(ReportDiagnosis.pointer(report: path, places: places))
      }
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
    // A file that matches one of the reports is fine, so only files that match none are reported.
    for path in unfitOrder {
      guard let (note, count) = unfitFiles[path], count == readCount else { continue }
      Diagnostics.note(note.message)
      if note.isOtherBuild { statuses.insert(.unfitSymbolFile) }
    }
    return .combined(statuses)
  }

  /// Why nothing is written, if an output is a symbol file or an input.
  private func refusedOutput() -> OutputRefusal? {
    let outputs = OutputGuard(reports: reportPaths, symbolPaths: places.paths)
    do {
      switch destination {
      case .standardOutput, .inPlace: break
      case .file(let file): try outputs.check(file, replacesReport: form.isReport)
      case .directory(let directory):
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
  private func prepare(_ directory: String) -> FileWriteError? {
    var names: Set<String> = []
    for path in reportPaths where !names.insert(resultName(of: path)).inserted {
      return .cannotCreate(path: "\(directory)/\(resultName(of: path)) a second time", .fileExists)
    }
    return OutputFile.makeDirectory(directory)
  }

  private func resultPath(of path: String, in directory: String) -> String {
    FilePath(directory).appending(resultName(of: path)).string
  }

  private func resultName(of path: String) -> String {
    path == "-" ? "standard-input" : FilePath(path).lastComponent?.string ?? path
  }

  /// Nil, after a message, if the report cannot be read.
  private func read(_ path: String) -> [UInt8]? {
    do {
      return try InputFile.read(path: path)
    } catch {
      Diagnostics.print(InputMessages.unreadableReport(shown(path), error))
      return nil
    }
  }

  private func write(_ result: ReportJob.Result, of path: String) throws(FileWriteError) {
    switch destination {
    case .standardOutput:
      let separator = form == .summary && path != reportPaths.first ? "\n" : ""
      if !separator.isEmpty { try OutputFile.writeToStandardOutput(Array(separator.utf8)) }
      try result.writeOutput(OutputFile.writeToStandardOutput)
    case .file(let file): try replace(file, with: result)
    case .directory(let directory): try replace(resultPath(of: path, in: directory), with: result)
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

  private func shown(_ path: String) -> String { path == "-" ? "standard input" : path }
}
