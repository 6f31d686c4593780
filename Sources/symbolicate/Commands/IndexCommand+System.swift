import FileSystem
import SymbolTools
import SymbolicationModel
import SymbolicationWorker
import Wording

extension IndexCommand {
  /// `index --system PATH…`: the names of the libraries of systems.
  func makeSystemIndexes() -> ExitStatus {
    let run: SystemIndexRun
    do {
      run = try SystemIndexRun(
        paths: paths, directory: outputDirectory, jobs: jobs.threadCount, limits: limits.stated)
    } catch {
      Diagnostics.error(error.message)
      return .cannotCreateOutput
    }
    for problem in run.problems { Diagnostics.error(problem) }
    let line = ProgressLine(title: "libraries")
    var progress: (@Sendable (Int, Int) -> Void)?
    if let line { progress = { line.show(done: $0, of: $1) } }
    let result = run.perform(progress: progress)
    line?.clear()
    for problem in result.problems { Diagnostics.warning(problem) }
    let failure = FileWriteError.thrown { () throws(FileWriteError) in
      try OutputFile.writeToStandardOutput(result.paths.map { $0 + "\n" }.joined().pathBytes)
    }
    if let failure {
      Diagnostics.error(failure)
      return ExitStatus(failure)
    }
    Diagnostics.line(result.summary)
    return .combined(Set(result.failures.map { ExitStatus($0) }))
  }
}
