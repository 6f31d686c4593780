import FileSystem
import ReportRendering
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import Synchronization
import SystemPackage
import Wording

/// One run of `symbolicate` over one or several reports.
struct SymbolicateRun {
  let reports: ReportInputs
  let places: SymbolPlaces
  /// What is wrong with the places, a sentence each.
  let warnings: [Message]
  let destination: ReportDestination
  /// Whether inputs whose results exist are left.
  let skipsExisting: Bool
  let options: SymbolicationOptions
  let form: OutputForm
  /// What standard output is made for.
  let look: TerminalLook
  let strictness: Strictness
  /// Files that are read besides, and not written to.
  let otherInputs: [String]
  private let sources = ReadSources()

  /// A report from one step to the next.
  private enum Stage<Content: Sendable>: Sendable {
    case read(Content)
    case unreadable(ReportReadError)
    /// A symbol file or an archive that was found in a directory of reports.
    case other(ReportInput.Other)
    /// The output cannot be written, so nothing more is read.
    case ended

    consuming func map<Next>(_ step: (consuming Content) -> Next) -> Stage<Next> {
      switch consume self {
      case .read(let content): .read(step(consume content))
      case .unreadable(let error): .unreadable(error)
      case .other(let other): .other(other)
      case .ended: .ended
      }
    }
  }

  private struct Finished: Sendable {
    var result: ReportJob.Result
    var writeError: FileWriteError?
    /// Why its file must not be written.
    var refusal: String?
  }

  /// Writes a piece of the one output of all reports.
  ///
  /// Its second argument says whether it has control sequences that are meant for a terminal.
  private typealias StreamWriter = ([UInt8], Bool) throws(FileWriteError) -> Void

  func perform() -> ExitStatus {
    var inputs = reports.inputs
    if skipsExisting, case .directory(let plan) = destination {
      inputs = plan.withoutExistingResults(inputs)
    }
    let refusal = destination.refusal(
      of: reports, remaining: inputs, symbolPaths: places.paths + otherInputs, form: form)
    if let refusal {
      Diagnostics.error(refusal.message)
      return refusal.status
    }
    for warning in warnings { Diagnostics.show(warning) }
    if let failure = destination.prepare() {
      Diagnostics.error(failure)
      return ExitStatus(failure)
    }
    guard case .file(let path) = destination else {
      return symbolicate(inputs) { bytes, isPainted throws(FileWriteError) in
        try OutputFile.writeToStandardOutput(bytes, isPainted: isPainted)
      }.status
    }
    return writeFile(path, inputs)
  }

  /// Writes the outputs of all reports to one file, completely or not at all. If there is no
  /// output, nothing is written.
  private func writeFile(_ path: String, _ inputs: [ReportInput]) -> ExitStatus {
    var status: ExitStatus?
    var refusal: String?
    do throws(FileWriteError) {
      try OutputFile.replaceIfWanted(path: path) { output in
        var failure: Errno?
        let end = symbolicate(inputs) { bytes, _ throws(FileWriteError) in
          do {
            try output.write(bytes)
          } catch {
            // swift-system throws nothing but `Errno` here, without saying so in the type.
            let errno = (error as? Errno) ?? .ioError
            failure = errno
            throw .cannotWrite(path: path, errno)
          }
        }
        status = end.status
        if let failure { throw failure }
        refusal = refusalToReplaceSource(path)
        return end.hasOutput && refusal == nil
      }
      if let refusal {
        Diagnostics.error(refusal)
        return .usage
      }
      return status ?? .success
    } catch {
      // A failed write was reported when it happened.
      if status != .cannotWriteOutput { Diagnostics.error(error) }
      return .combined(Set([status ?? .success, ExitStatus(error)]))
    }
  }

  /// - Parameter write: writes to the one output, if there is one for all reports.
  /// - Returns: the exit status, and whether there was any output for the stream.
  private func symbolicate(
    _ inputs: [ReportInput], write: StreamWriter
  ) -> (status: ExitStatus, hasOutput: Bool) {
    let download = DownloadLine()
    var job = ReportJob(
      places: places, options: options, form: form, progress: ProgressLine.searchProgress(),
      downloadProgress: download.progress)
    var items = ReportItems(inputs, areReplaced: destination.isInPlace)
    var tally = ReportTally(
      places: places, strictness: strictness, reports: reports, remainingCount: inputs.count)
    // Several results are made by several threads and written by one.
    job.steps.defersOutput = !destination.isStream || inputs.count == 1
    job.steps.replacesInputs = destination.isInPlace
    let look = destination.isStandardOutput ? self.look : .plain
    job.steps.look = look
    job.steps.showsOutputBesideMessages = destination.isStandardOutput
    let steps = job.steps
    let limits = options.limits
    let folders = ResultFolders()
    let replaced = ReplacedReports(directories: reports.directories)
    let hasEnded = Flag()
    let isStream = destination.isStream
    var hasOutput = false
    OrderedWork(jobs: options.jobs, capacity: Int(clamping: limits.bytesUnderWay)).perform(
      count: inputs.count, item: { items.item(at: $0) },
      prepare: { index -> Stage<ReportSteps.Prepared> in
        if hasEnded.isSet { return .ended }
        let input = inputs[index]
        if input.isWalked, let other = input.other { return .other(other) }
        if destination.isInPlace { replaced.willRead(input) }
        do throws(ReportReadError) {
          return .read(
            steps.prepared(
              try InputFile.readReport(input, limits: limits),
              countsMentions: !input.isWalked && input.archivedSize == nil))
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
        resolved.map { resolved in
          let input = inputs[index]
          return finished(
            steps.result(
              of: resolved, shownPath: input.shownPath, path: input.path,
              isFile: input.archivedSize == nil), input, folders, replaced)
        }
      },
      deliver: { index, finished in
        guard !hasEnded.isSet else { return }
        let input = inputs[index]
        var writeError: FileWriteError?
        switch finished {
        case .ended: return
        case .other(let other): tally.add(other)
        case .unreadable(let error):
          let message = InputMessages.unreadableReport(input.shownPath, error, limits: limits)
          let record = ErrorRecord(path: input.path, code: error.recordCode, message: message)
            .output(as: form)
          if isStream, !record.isEmpty {
            hasOutput = true
            writeError = FileWriteError.thrown { () throws(FileWriteError) in
              try write(record, false)
            }
            writeError?.endIfNobodyReads()
          }
          tally.addUnreadable(message, input: input, writeError: writeError)
        case .read(let finished):
          if isStream, finished.result.belongsIntoStream(isWalked: input.isWalked) {
            let isFirst = !hasOutput
            hasOutput = true
            writeError = FileWriteError.thrown { () throws(FileWriteError) in
              if form == .summary {
                if !isFirst { try write(Array("\n".utf8), false) }
                if inputs.count > 1 {
                  try write(look.title(ofInput: input.shownPath), look != .plain)
                }
              }
              let isPainted = finished.result.isPainted
              try finished.result.writeOutput { bytes throws(FileWriteError) in
                try write(bytes, isPainted)
              }
            }
            writeError?.endIfNobodyReads()
          }
          tally.add(
            finished.result, input: input, writeError: writeError ?? finished.writeError)
          if let refusal = finished.refusal { tally.add(refusal: refusal) }
        }
        if writeError != nil { hasEnded.set() }
      })
    return (tally.end(), hasOutput)
  }

  /// Why a result must not be written to its own file, if it has one.
  private func refusal(
    of result: borrowing ReportJob.Result, _ input: ReportInput, _ replaced: ReplacedReports
  ) -> String? {
    switch destination {
    case .standardOutput, .file: return nil
    case .directory(let plan): return refusalToReplaceSource(plan.path(of: input))
    case .inPlace:
      guard result.hasReport else { return nil }
      do throws(OutputRefusal) {
        try replaced.check(input)
        return nil
      } catch {
        return error.message(for: .report)
      }
    }
  }

  /// Why a result must not be written to `path`: a source file is there whose lines are shown.
  private func refusalToReplaceSource(_ path: String) -> String? {
    do throws(OutputRefusal) {
      try sources.check(path)
      return nil
    } catch {
      return error.message(for: form.isReport ? .report : .extract)
    }
  }

  /// Writes a result to its file, and keeps of it what is needed afterwards.
  private func finished(
    _ result: consuming ReportJob.Result, _ input: ReportInput, _ folders: ResultFolders,
    _ replaced: ReplacedReports
  ) -> Finished {
    result.symbolicated = nil
    sources.add(result.sourceFiles)
    if destination.isStream { return Finished(result: result) }
    if let refusal = refusal(of: result, input, replaced) {
      result.dropOutput()
      return Finished(result: result, refusal: refusal)
    }
    let writeError = FileWriteError.thrown { [result] () throws(FileWriteError) in
      try destination.write(result, of: input, folders)
    }
    result.dropOutput()
    return Finished(result: result, writeError: writeError)
  }
}

extension FileWriteError {
  /// Ends the process if nobody reads standard output any more: then the other reports need not be
  /// read either.
  fileprivate func endIfNobodyReads() {
    guard isClosedPipe else { return }
    EndingSignals.endProcess(status: ExitStatus.cannotWriteOutput.rawValue)
  }
}

/// Something that happens at most once, seen by all threads.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}
