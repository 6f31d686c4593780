import FileSystem
import ReportGrouping
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SystemPackage
import Wording

/// One run of `symbolicate group`. Each input is read, symbolicated and forgotten; what stays is a
/// fixed amount for each group.
struct GroupRun {
  private let options: SymbolicationOptions
  private let form: GroupForm
  private let look: TerminalLook
  private let top: Int?
  /// Where pages go; nil if there are none.
  private var pages: GroupPages?
  /// The file for the groups; nil for standard output, and if there are pages.
  private let outputPath: String?
  /// Files that are read besides the reports and symbol files.
  private let otherInputs: [String]
  private var table: GroupTable
  private var statuses: Set<ExitStatus> = []
  private var withoutReport = 0
  private var incompleteCount = 0
  private var otherSignatureCount = 0
  /// Whether the user said where symbols are.
  private var namesPlaces = false
  /// What could not be read: said at the end, so that it is not lost among other messages.
  private var failures: [String] = []
  private var printedProblems: Set<Message> = []

  /// - Parameter look: what standard output is made for.
  init(
    criterion: GroupCriterion, options: SymbolicationOptions, form: GroupForm, look: TerminalLook,
    top: Int?, pages: GroupPages?, outputPath: String?, otherInputs: [String]
  ) {
    self.options = options
    self.form = form
    self.look = look
    self.top = top
    self.pages = pages
    self.outputPath = outputPath
    self.otherInputs = otherInputs
    table = GroupTable(by: criterion, options.signatureVersion)
  }

  /// An input from one step to the next. In the end it is no report any more.
  private enum Stage<Report: Sendable>: Sendable {
    case report(Report)
    case grouped(GroupedReports)
    case unreadable(ReportReadError)

    consuming func map<Next>(_ step: (consuming Report) -> Stage<Next>) -> Stage<Next> {
      switch consume self {
      case .report(let report): step(consume report)
      case .grouped(let grouped): .grouped(grouped)
      case .unreadable(let error): .unreadable(error)
      }
    }
  }

  private typealias Prepared = Stage<ReportSteps.Prepared>

  // MARK: Reports

  mutating func group(_ arguments: [String], _ places: SymbolPlaces) -> ExitStatus {
    let reports = ReportInputs(
      arguments, excluding: pages?.directory, archiveLimits: options.limits)
    if let pages, let directory = reports.directories.first(where: { pages.isWritten(to: $0) }) {
      Diagnostics.error(OutputPathMessages.outputDirectoryIsInput(directory))
      return .usage
    }
    if let status = refuseOutputs(replacing: reports.inputs, places.paths) { return status }
    for problem in reports.problems {
      failures.append(problem)
      statuses.insert(.unreadableInput)
    }
    let inputs = reports.inputs
    var places = places
    namesPlaces = !places.paths.isEmpty || !places.searchDirectories.isEmpty
    places.reportFolders = ReportFolder.folders(of: reports.filePaths)
    pages?.places = places
    pages?.archived = inputs.filter { $0.archivedSize != nil }
    let download = DownloadLine()
    var job = ReportJob(
      places: places, options: options, progress: ProgressLine.searchProgress(),
      downloadProgress: download.progress)
    let steps = job.steps
    let limits = options.limits
    let criterion = table.criterion
    let grouped = GroupedReports(by: criterion, options.signatureVersion)
    var items = ReportItems(inputs, areReplaced: false)
    OrderedWork(jobs: options.jobs, capacity: Int(clamping: limits.bytesUnderWay)).perform(
      count: inputs.count, item: { items.item(at: $0) },
      prepare: { index -> Prepared in
        do throws(ReportReadError) {
          return try Self.prepared(inputs[index], steps, grouped, limits)
        } catch {
          return .unreadable(error)
        }
      },
      resolve: { _, prepared -> Stage<ReportSteps.Resolved> in
        prepared.map { input in
          let resolved = job.resolve(input)
          download.clear()
          return .report(resolved)
        }
      },
      finish: { index, resolved -> Stage<Never> in
        resolved.map { input in
          .grouped(steps.grouped(input, by: criterion, shownPath: inputs[index].shownPath))
        }
      },
      deliver: { index, finished in
        switch finished {
        case .grouped(let grouped):
          add(grouped, path: inputs[index].shownPath, isStated: !inputs[index].isWalked)
        case .unreadable(let error):
          failures.append(
            InputMessages.unreadableReport(inputs[index].shownPath, error, limits: limits))
          statuses.insert(.unreadableInput)
        }
      })
    return end()
  }

  /// Keeps the outputs from replacing inputs, and returns the status if they would.
  private func refuseOutputs(
    replacing inputs: [ReportInput], _ symbolPaths: [String]
  ) -> ExitStatus? {
    do throws(OutputRefusal) {
      try pages?.protect(inputs, otherInputs)
      if let outputPath {
        try OutputGuard(
          reports: inputs.map(\.filePath), symbolPaths: symbolPaths + otherInputs
        ).check(outputPath)
      }
      return nil
    } catch {
      Diagnostics.error(error.message(for: .extract))
      return .usage
    }
  }

  private static func prepared(
    _ input: ReportInput, _ steps: ReportSteps, _ empty: GroupedReports, _ limits: ResourceLimits
  ) throws(ReportReadError) -> Prepared {
    try withLines(of: input, limits) { (lines: inout InputLines) throws(Errno) in
      try prepared(&lines, input.shownPath, steps, empty)
    }
  }

  /// Opens an input for the time of `body`. A compressed one is unpacked as a whole.
  private static func withLines<Result>(
    of input: ReportInput, _ limits: ResourceLimits,
    _ body: (inout InputLines) throws(Errno) -> Result
  ) throws(ReportReadError) -> Result {
    if let report = try input.knownReport(limits: limits) {
      return try withLines(of: report.bytes, body)
    }
    let path = input.path
    let packed: [UInt8]
    do throws(Errno) {
      let descriptor = try path == "-" ? .standardInput : InputFile.open(path)
      defer { if path != "-" { try? descriptor.close() } }
      var lines = InputLines(descriptor, limit: limits.reportSize)
      guard ReportBytes.isCompressed(start: Array(try lines.peek(8))) else {
        return try body(&lines)
      }
      packed = try lines.rest()
    } catch {
      throw .unreadable(error)
    }
    return try withLines(of: ReportBytes(packed, path: path, limits: limits).bytes, body)
  }

  private static func withLines<Result>(
    of bytes: [UInt8], _ body: (inout InputLines) throws(Errno) -> Result
  ) throws(ReportReadError) -> Result {
    var lines = InputLines(bytes)
    do throws(Errno) {
      return try body(&lines)
    } catch {
      throw .unreadable(error)
    }
  }

  private static func prepared(
    _ lines: inout InputLines, _ shownPath: String, _ steps: ReportSteps,
    _ empty: GroupedReports
  ) throws(Errno) -> Prepared {
    var grouped = empty
    switch GroupedReports.Written(
      start: Array(try lines.peek(GroupedReports.Written.startSize)))
    {
    case nil: return .report(steps.prepared(try lines.rest()))
    case .reportDocument:
      grouped.hasNoReport = !grouped.add(written: try lines.rest(), path: shownPath)
    case .groups:
      grouped.hasNoReport = true
      grouped.problems = [.error(GroupMessages.partialResult(shownPath))]
    case .reports:
      var number = 0
      while let line = try lines.next() {
        number += 1
        guard !line.isEmpty, !grouped.add(written: line, path: shownPath) else { continue }
        grouped.damagedLines.note(GroupMessages.notAReportLine(shownPath, line: number, line))
      }
    }
    return .grouped(grouped)
  }

  private mutating func add(_ grouped: GroupedReports, path: String, isStated: Bool) {
    table.merge(grouped.table)
    incompleteCount += grouped.incompleteCount
    otherSignatureCount += grouped.otherSignatureCount
    withoutReport += grouped.withoutReport
    for problem in grouped.problems where printedProblems.insert(problem).inserted {
      Diagnostics.show(problem)
    }
    add(grouped.damagedLines, more: { GroupMessages.moreDamagedLines(path, count: $0) })
    guard grouped.hasNoReport else { return }
    withoutReport += 1
    if isStated {
      failures.append(GroupMessages.noReport(path))
      statuses.insert(.noReport)
    }
  }

  private mutating func add(_ lines: DamagedLines, more: (Int) -> String) {
    failures += lines.sentences
    if lines.hasMore { failures.append(more(lines.count)) }
    if lines.count > 0 { statuses.insert(.noReport) }
  }

  private static func shownPath(_ path: String) -> String { ReportInput(path).shownPath }

  // MARK: Partial results

  mutating func merge(_ paths: [String]) -> ExitStatus {
    if let status = refuseOutputs(replacing: paths.map { ReportInput($0) }, []) { return status }
    var isFirst = true
    for path in paths {
      let shownPath = Self.shownPath(path)
      var damagedLines = DamagedLines()
      do throws(ReportReadError) {
        try Self.withLines(of: ReportInput(path), options.limits) {
          (lines: inout InputLines) throws(Errno) in
          var number = 0
          while let line = try lines.next() {
            number += 1
            guard !line.isEmpty else { continue }
            if isFirst, let (criterion, version) = PartialGroup.basis(ofLine: line) {
              table = GroupTable(by: criterion, version)
              isFirst = false
            }
            guard let failure = table.merge(partial: line) else { continue }
            damagedLines.note(
              GroupMessages.notAGroupLine(
                shownPath, line: number, line, failure, criterion: table.criterion))
          }
        }
      } catch {
        failures.append(
          InputMessages.unreadableReport(shownPath, error, limits: options.limits))
        statuses.insert(.unreadableInput)
      }
      add(damagedLines, more: { GroupMessages.moreUnmergedLines(shownPath, count: $0) })
    }
    return end()
  }

  // MARK: End

  private mutating func end() -> ExitStatus {
    var withoutPage = 0
    statuses.insert(
      .of { () throws(FileWriteError) in
        if let pages {
          withoutPage = try pages.write(table, top: top, options)
        } else if let outputPath {
          try OutputFile.replace(path: outputPath) { output in
            try output.write(table.written(as: form, top: top))
          }
        } else if form == .text, look != .plain {
          try OutputFile.writeToStandardOutput(table.lines(top: top, width: look.width), look)
        } else {
          try OutputFile.writeToStandardOutput(table.written(as: form, top: top))
        }
      })
    Diagnostics.line(
      GroupMessages.tally(
        reports: table.reportCount, groups: table.groupCount, withoutReport: withoutReport))
    if withoutPage > 0 { Diagnostics.note(GroupMessages.withoutPage(withoutPage)) }
    if incompleteCount > 0 {
      let warning = Message.warning(GroupMessages.incomplete(incompleteCount))
      // What the user named has the symbols of no report.
      Diagnostics.show(
        namesPlaces && incompleteCount == table.reportCount ? warning.whenQuiet : warning)
    }
    if otherSignatureCount > 0 {
      Diagnostics.warning(
        GroupMessages.otherSignatures(otherSignatureCount, options.signatureVersion))
    }
    for failure in failures { Diagnostics.error(failure) }
    if table.isEmpty {
      if failures.isEmpty { Diagnostics.error(GroupMessages.noReports) }
      statuses.insert(.noReport)
    }
    return .combined(statuses)
  }
}

/// The pages of `symbolicate group -o DIRECTORY/`: `index.html`, and in `pages` one of a report
/// of each group.
struct GroupPages {
  let directory: String
  var places: SymbolPlaces
  /// The inputs that are files in archives.
  var archived: [ReportInput] = []

  private var index: String { path("index.html") }

  private func path(_ name: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  func isWritten(to other: String) -> Bool { FileIdentity.isSame(directory, other) }

  /// Throws if a page would replace an input. To be called before anything is written. What the
  /// pages of reports are named is not known yet: nothing in their folder may be an input.
  ///
  /// - Parameter otherInputs: files that are read besides.
  func protect(_ inputs: [ReportInput], _ otherInputs: [String]) throws(OutputRefusal) {
    let outputGuard = OutputGuard(
      reports: inputs.map(\.filePath), symbolPaths: places.paths + otherInputs)
    try outputGuard.check(directory)
    try outputGuard.check(index)
    let folder = path("pages")
    try outputGuard.check(folder)
    for entry in (try? Directory.entries(of: folder)) ?? []
    where entry.kind != .directory && entry.name.hasSuffix(Self.pageEnd) {
      try outputGuard.check(folder.appendingPath(entry.name))
    }
  }

  private static let pageEnd = ".html"

  /// Writes a page of each group's sample, and then the page of the groups, which has links to
  /// them.
  ///
  /// - Returns: how many groups have no page, because their sample is no file that can be read.
  func write(
    _ table: GroupTable, top: Int?, _ options: SymbolicationOptions
  ) throws(FileWriteError) -> Int {
    let groups = table.largest(top)
    try OutputFile.makeDirectory(path("pages"))
    var job = ReportJob(places: places, options: options, form: .html)
    var pages: Set<String> = []
    let archived = Dictionary(archived.map { ($0.path, $0) }) { first, _ in first }
    for group in groups where group.sample != "standard input" {
      let input = archived[group.sample] ?? ReportInput(group.sample)
      guard let bytes = try? InputFile.readReport(input, limits: options.limits) else { continue }
      let result = job.steps.result(
        of: job.resolve(job.steps.prepared(bytes)), shownPath: group.sample)
      guard result.holdsReport else { continue }
      try OutputFile.replace(
        path: path("pages/\(group.pageName)\(Self.pageEnd)"), with: result.output)
      pages.insert(group.pageName)
    }
    try OutputFile.replace(path: index, with: table.written(as: .html, top: top, pages: pages))
    return groups.count - pages.count
  }
}
