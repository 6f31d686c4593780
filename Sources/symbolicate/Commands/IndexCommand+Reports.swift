import ArgumentParser
import FileSystem
import ReportRendering
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SymbolicationWorker
import SymbolTools
import SystemPackage
import Wording

extension IndexCommand {
  /// `index --from REPORTS…` and `index --uuids FILE`: the indexes that reports need.
  func makeNeededIndexes() throws -> ExitStatus {
    var statuses: Set<ExitStatus> = []
    let cacheLimit = try CacheLimit.stated()
    let limits = limits.stated
    // With a list alone, the paths are symbol files.
    let inputPaths = readsReports ? InputPaths(paths, limits: limits) : nil
    let reports = inputPaths.map { ReportInputs($0, limits: limits) }
    var needed = NeededImages()
    if let uuidListPath { statuses.formUnion(readUuids(uuidListPath, into: &needed)) }
    if let reports { statuses.formUnion(readReports(reports, limits, into: &needed)) }
    var places = symbols.places(
      symbolFiles: inputPaths?.symbolFiles ?? paths,
      reports: reports?.filePaths ?? [])
    servers.apply(to: &places)
    places.limits = limits
    for warning in symbols.warnings() { Diagnostics.show(warning) }
    let download = DownloadLine()
    var run: NeededIndexRun
    do {
      run = try NeededIndexRun(
        needed, places: places, directory: outputDirectory, cacheLimit: cacheLimit,
        jobs: jobs.threadCount, progress: ProgressLine.searchProgress(),
        downloadProgress: download.progress)
    } catch {
      Diagnostics.error(error.message)
      return .cannotCreateOutput
    }
    download.clear()
    while let image = run.nextImage {
      if let failure = show(image, { run.makeNext(progress: $0) }) {
        return ExitStatus(failure)
      }
    }
    for message in run.summary.messages { Diagnostics.show(message) }
    statuses.formUnion(run.failureKinds.map { ExitStatus($0) })
    return .combined(statuses)
  }

  /// Makes one index with a progress line, and prints its path.
  ///
  /// - Returns: why the path cannot be printed. Nobody reads any more then.
  func show(
    _ image: IndexRun.Image,
    _ make: ((@Sendable (_ done: Int, _ total: Int) -> Void)?) -> IndexRun.Result
  ) -> FileWriteError? {
    let line = ProgressLine(
      title: image.count == 1 ? image.name : "\(image.name) (\(image.number) of \(image.count))")
    var progress: (@Sendable (Int, Int) -> Void)?
    if let line { progress = { line.show(done: $0, of: $1) } }
    let result = make(progress)
    line?.clear()
    for warning in result.warnings { Diagnostics.show(warning) }
    for problem in result.problems {
      result.path == nil ? Diagnostics.error(problem) : Diagnostics.warning(problem)
    }
    guard let path = result.path else { return nil }
    let failure = FileWriteError.thrown { () throws(FileWriteError) in
      try OutputFile.writeToStandardOutput((path + "\n").pathBytes)
    }
    if let failure { Diagnostics.error(failure) }
    return failure
  }

  private func readUuids(_ path: String, into needed: inout NeededImages) -> Set<ExitStatus> {
    let shownPath = path == "-" ? "standard input" : path
    do throws(Errno) {
      let list = UuidList(try InputFile.read(path: path, limit: limits.stated.reportSize))
      needed.add(list)
      for problem in list.problems { Diagnostics.error(problem.message(path: shownPath)) }
      return list.problems.isEmpty ? [] : [.noReport]
    } catch {
      Diagnostics.error(InputMessages.unreadable(shownPath, error))
      return [.unreadableInput]
    }
  }

  /// Reads the images that the reports need. No frame is looked up.
  private func readReports(
    _ reports: ReportInputs, _ limits: ResourceLimits, into needed: inout NeededImages
  ) -> Set<ExitStatus> {
    /// What an input holds, without its frames.
    enum Content: Sendable {
      case report(NeededImages)
      case noReport(String)
      case unreadable(ReportReadError)
      case symbolFile
    }
    var statuses: Set<ExitStatus> = []
    for problem in reports.problems {
      Diagnostics.error(problem)
      statuses.insert(.unreadableInput)
    }
    let inputs = reports.inputs
    let steps = ReportSteps(limits: limits)
    var items = ReportItems(inputs, areReplaced: false)
    var progress = RunProgress(total: inputs.count, isShown: reports.isWalk)
    OrderedWork(jobs: jobs.threadCount, capacity: Int(clamping: limits.bytesUnderWay)).perform(
      count: inputs.count, item: { items.item(at: $0) },
      prepare: { index -> Content in
        let input = inputs[index]
        if input.isWalked, input.other != nil { return .symbolFile }
        do throws(ReportReadError) {
          let bytes = try InputFile.readReport(input, limits: limits)
          switch steps.prepared(bytes) {
          case .report(let prepared):
            var images = NeededImages()
            images.add(prepared)
            return .report(images)
          case .noReport(_, let error): return .noReport(error.message(path: input.shownPath))
          }
        } catch {
          return .unreadable(error)
        }
      },
      resolve: { _, content in content }, finish: { _, content in content },
      deliver: { index, content in
        progress.advance()
        let input = inputs[index]
        switch content {
        case .report(let images): needed.add(images)
        case .symbolFile: break
        case .noReport(let message):
          // Nobody said that a file in a directory holds a report.
          guard !input.isWalked else { return }
          progress.clear()
          Diagnostics.error(message)
          statuses.insert(.noReport)
        case .unreadable(let error):
          progress.clear()
          Diagnostics.error(
            InputMessages.unreadableReport(input.shownPath, error, limits: limits))
          statuses.insert(.unreadableInput)
        }
      })
    progress.clear()
    if reports.isWalk, needed.inputCount == 0 {
      Diagnostics.error(InputMessages.noReports(in: reports.directories, reports.archives))
      statuses.insert(.noReport)
    }
    return statuses
  }
}
