import ArgumentParser
import ReportSymbolication
import SymbolicationModel
import Wording

/// The options that limit how much is read and how much memory is taken.
struct LimitsOptions: OptionList {
  @Option(
    help: ArgumentHelp(
      "Use about this much memory at most, such as 500M or 4G.",
      valueName: "size"))
  var memory: String?

  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "Raise or lower a limit, such as report-size=4G (repeatable).",
      valueName: "name=value"))
  var limits: [String] = []

  var options: [Mirror.Child] { [("_memory", _memory), ("_limits", _limits)] }

  /// Those of the options and of the environment, right once they are validated.
  var stated: ResourceLimits {
    (try? ResourceLimits.stated(memory: memory, limits: limits)) ?? ResourceLimits()
  }

  func validate() throws {
    do throws(ResourceLimits.Unreadable) {
      _ = try ResourceLimits.stated(memory: memory, limits: limits)
    } catch {
      throw ValidationError(error.message)
    }
  }
}

extension ResourceLimits {
  /// Before the options are known, or where there are none. What the environment states wrongly is
  /// ignored here; every command refuses it.
  static var ofEnvironment: ResourceLimits { (try? stated()) ?? ResourceLimits() }
}

/// `--jobs`, of every command that works in several threads.
struct JobsOption: OptionList {
  static func refusal(of number: Int) -> String { "--jobs needs a number above 0, not \(number)." }

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
      throw ValidationError(JobsOption.refusal(of: jobCount))
    }
  }
}
