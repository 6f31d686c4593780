import ReportSymbolication
import SystemPackage

/// One run over one report.
struct SymbolicateRun {
  /// `-` for standard input.
  let reportPath: String
  let symbolPaths: [String]
  /// Nil for standard output.
  let outputPath: String?
  let isStrict: Bool

  func perform() -> ExitStatus {
    let input: [UInt8]
    do {
      input = try InputFile.read(path: reportPath)
    } catch {
      let hint =
        error == .isDirectory ? "; the report comes first, and symbol files after it or with -d" : ""
      Diagnostics.print("cannot read the report \(shownReportPath): \(error)\(hint)")
      return .unreadableInput
    }
    let job = ReportJob(symbolPaths: symbolPaths)
    let result = job.symbolicate(input, shownPath: shownReportPath)

    var statuses: Set<ExitStatus> = []
    do {
      if let outputPath {
        try OutputFile.replace(path: outputPath, with: result.output)
      } else {
        try OutputFile.writeToStandardOutput(result.output)
      }
    } catch {
      statuses.insert(report(error))
    }
    for problem in result.problems { Diagnostics.print(problem) }
    for note in result.notes { Diagnostics.note(note) }

    if result.hasUnreadableSymbolFile { statuses.insert(.unreadableInput) }
    if !result.hasReport { statuses.insert(.noReport) }
    if result.hasUnfitSymbolFile { statuses.insert(.unfitSymbolFile) }
    if isStrict, !result.isComplete { statuses.insert(.unresolved) }
    return .combined(statuses)
  }

  private var shownReportPath: String { reportPath == "-" ? "standard input" : reportPath }

  private func report(_ failure: OutputFile.Failure) -> ExitStatus {
    switch failure {
    case .cannotCreate(let path, let errno):
      Diagnostics.print("cannot create \(path): \(errno)")
      return .cannotCreateOutput
    case .cannotWrite(let path, let errno):
      Diagnostics.print("cannot write \(path): \(errno)")
      return .cannotWriteOutput
    }
  }
}
