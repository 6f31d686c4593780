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
  let destination: ReportDestination
  let options: SymbolicationOptions
  let form: OutputForm
  let isStrict: Bool
  /// Files that are read besides, and not written to.
  let otherInputs: [String]

  /// A report from one step to the next.
  private enum Stage<Content: Sendable>: Sendable {
    case read(Content)
    case unreadable(Errno)

    consuming func map<Next>(_ step: (consuming Content) -> Next) -> Stage<Next> {
      switch consume self {
      case .read(let content): .read(step(consume content))
      case .unreadable(let error): .unreadable(error)
      }
    }
  }

  private struct Finished: Sendable {
    var result: ReportJob.Result
    var writeError: FileWriteError?
  }

  func perform() -> ExitStatus {
    let refusal = destination.refusedOutput(
      of: reportPaths, symbolPaths: places.paths + otherInputs, form: form)
    if let refusal {
      Diagnostics.print(refusal.message(for: form.isReport ? .report : .extract))
      return .usage
    }
    for warning in warnings { Diagnostics.print(warning) }
    let download = DownloadLine()
    var job = ReportJob(
      places: places, options: options, form: form, progress: ProgressLine.searchProgress(),
      downloadProgress: download.progress)
    if let failure = destination.prepare(for: reportPaths) {
      Diagnostics.print(failure)
      return ExitStatus(failure)
    }
    var inputs = ReportInputs(reportPaths, areReplaced: destination.isInPlace)
    var tally = ReportTally(places: places, isStrict: isStrict, reportCount: reportPaths.count)
    if case .standardOutput = destination {
      // Several results are made by several threads and written by one.
      job.steps.defersOutput = reportPaths.count == 1
    } else {
      job.steps.defersOutput = true
    }
    job.steps.replacesInputs = destination.isInPlace
    let steps = job.steps
    let limits = options.limits
    OrderedWork(jobs: options.jobs, capacity: Int(clamping: limits.bytesUnderWay)).perform(
      count: reportPaths.count, item: { inputs.item(at: $0) },
      prepare: { index -> Stage<ReportSteps.Prepared> in
        do throws(Errno) {
          return .read(
            steps.prepared(
              try InputFile.read(path: reportPaths[index], limit: limits.reportSize)))
        } catch {
          return .unreadable(error)
        }
      },
      resolve: { _, prepared in
        prepared.map { prepared in
          let resolved = job.resolve(prepared)
          download.clear()
          return resolved
        }
      },
      finish: { index, resolved in
        resolved.map { finished(steps.result(of: $0, shownPath: shownPath(index)), index) }
      },
      deliver: { index, finished in
        switch finished {
        case .read(var finished):
          if case .standardOutput = destination {
            finished.writeError = writeToStandardOutput(finished.result, index)
            if finished.writeError?.isClosedPipe == true {
              // Nobody reads any more, so the other reports need not be read either.
              EndingSignals.endProcess(status: ExitStatus.cannotWriteOutput.rawValue)
            }
          }
          tally.add(
            finished.result, path: reportPaths[index], shownPath: shownPath(index),
            writeError: finished.writeError)
        case .unreadable(let error):
          tally.addUnreadable(
            InputMessages.unreadableReport(shownPath(index), error, limits: options.limits))
        }
      })
    return tally.end()
  }

  /// Writes a result to its file, and keeps of it what is needed afterwards.
  private func finished(_ result: consuming ReportJob.Result, _ index: Int) -> Finished {
    result.symbolicated = nil
    if case .standardOutput = destination { return Finished(result: result) }
    var writeError: FileWriteError?
    do throws(FileWriteError) {
      try destination.write(result, of: reportPaths[index])
    } catch {
      writeError = error
    }
    result.dropOutput()
    return Finished(result: result, writeError: writeError)
  }

  private func writeToStandardOutput(
    _ result: ReportJob.Result, _ index: Int
  ) -> FileWriteError? {
    let separator = form == .summary && reportPaths[index] != reportPaths.first ? "\n" : ""
    do throws(FileWriteError) {
      if !separator.isEmpty { try OutputFile.writeToStandardOutput(Array(separator.utf8)) }
      try result.writeOutput(OutputFile.writeToStandardOutput)
      return nil
    } catch {
      return error
    }
  }

  private func shownPath(_ index: Int) -> String {
    reportPaths[index] == "-" ? "standard input" : reportPaths[index]
  }
}
