import ArgumentParser
import SymbolicationModel

/// `--jobs`, of every command that works in several threads.
struct JobsOption: OptionList {
  @Option(
    name: .customLong("jobs"),
    help: ArgumentHelp(
      "Use at most this many threads. (default: one for each processor)", valueName: "n"))
  var jobCount: Int?

  var options: [Mirror.Child] { [("_jobCount", _jobCount)] }

  /// At least 1.
  var threadCount: Int { jobCount ?? ParallelWork.processorCount }

  func validate() throws {
    if let jobCount, jobCount < 1 {
      throw ValidationError(UsageMessages.notANumberOfJobs(jobCount))
    }
  }
}
