import ArgumentParser
import SymbolicationModel

/// `--jobs`, of every command that works in several threads.
struct JobsOption: ParsableArguments {
  @Option(
    name: .customLong("jobs"),
    help: ArgumentHelp(
      "Use at most this many threads. (default: one for each processor)", valueName: "n"))
  var number: Int?

  /// At least 1.
  var threadCount: Int { number ?? ParallelWork.processorCount }

  func validate() throws {
    if let number, number < 1 { throw ValidationError(UsageMessages.notANumberOfJobs(number)) }
  }
}
