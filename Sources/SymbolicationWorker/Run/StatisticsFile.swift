package import FileSystem
package import ReportRuns

/// The file of `worker --stats`.
///
/// Records name reports by path while the worker runs, so what the inputs are is never known as a
/// whole. The file may be missing, or hold statistics of an earlier time. Anything else is left
/// alone.
package struct StatisticsFile {
  private let path: String
  private let outputGuard: OutputGuard

  /// - Parameter symbolPaths: files, bundles and directories that are read.
  package init(path: String, symbolPaths: [String]) {
    self.path = path
    outputGuard = OutputGuard(reports: ["-"], symbolPaths: symbolPaths)
  }

  /// Throws if the statistics would replace something else. To be called before any record is read.
  package func check() throws(OutputRefusal) {
    try outputGuard.check(path, replacesOnly: WorkerStatistics.start)
  }

  package enum Failure: Error {
    case refused(OutputRefusal)
    case unwritten(FileWriteError)
  }

  package func write(_ line: [UInt8]) throws(Failure) {
    // Something else may have been put there.
    do throws(OutputRefusal) {
      try check()
    } catch {
      throw .refused(error)
    }
    do throws(FileWriteError) {
      try WholeFile.replace(path: path, with: line)
    } catch {
      throw .unwritten(error)
    }
  }
}
