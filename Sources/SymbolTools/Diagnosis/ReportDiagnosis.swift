import AddressResolver
package import CrashLogParser
package import ReportSymbolication
import SymbolStore
package import SymbolicationModel
import Wording

/// Where the symbols of a report come from and what is missing, image by image: what `symbolicate
/// doctor` prints.
package struct ReportDiagnosis {
  /// The path of the report, or `standard input`.
  package let path: String
  /// Why the input is not a report; nil if it is one.
  package let refusal: CrashLogParseError?
  /// Images of the app first, those with the most unresolved frames before the others; then images
  /// of the operating system.
  package let images: [ImageDiagnosis]
  /// Frames that lie in no image of the report.
  package let framesWithoutImage: Int
  /// Why frames of traces are in no image, a sentence for each image that they name.
  let joinRefusals: [String]
  /// The process and its version: `Letter Shuffle 6 (1.3)`.
  package let process: String?
  /// The operating system: `iPhone OS 12.4 (16G77)`.
  package let system: String?
  /// What is wrong with files, one sentence each.
  package let problems: [String]
  /// Whether a server failed, or delivered something else.
  let hasServerProblem: Bool
  /// Whether a symbol file that was given by name cannot be used.
  package let hasUnreadableSymbolFile: Bool
  /// The places that were given, for the command to run next.
  let places: SymbolPlaces

  /// Whether nothing is missing that a developer can provide.
  package var isComplete: Bool { refusal == nil && !images.contains { $0.isIncomplete } }

  package var frameCount: Int { images.reduce(framesWithoutImage) { $0 + $1.frameCount } }
  package var resolvedCount: Int {
    images.reduce(0) { $0 + $1.resolvedCount + $1.namedCount }
  }

  /// Symbolicates `input` as `ReportJob` does, and then asks for the reasons.
  ///
  /// - Parameters:
  ///   - progress: as of `ReportJob`.
  ///   - downloadProgress: as of `ReportJob`.
  package init(
    _ input: [UInt8], shownPath: String, places: SymbolPlaces,
    options: SymbolicationOptions = SymbolicationOptions(),
    progress: (@Sendable (Int?) -> Void)? = nil,
    downloadProgress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) {
    path = shownPath
    self.places = places
    var options = options
    options.limits = places.limits
    let store = SymbolStore(
      forUser: places, jobs: options.jobs, progress: progress, downloadProgress: downloadProgress)
    hasUnreadableSymbolFile = store.problems.contains { $0.makesUnreadable }
    var symbolicator = ReportSymbolicator(store: store, options: options)
    let symbolicated: SymbolicatedInput
    do throws(CrashLogParseError) {
      symbolicated = try symbolicator.symbolicate(input)
    } catch {
      refusal = error
      images = []
      framesWithoutImage = 0
      joinRefusals = []
      hasServerProblem = false
      (process, system) = (nil, nil)
      problems = store.problems.map(\.message.withoutControlCharacters)
      return
    }
    refusal = nil
    let facts = symbolicated.shownReports.first?.source.facts
    process = facts.map {
      [$0.process.name ?? $0.process.bundleIdentifier, $0.process.version].compactMap(\.self)
        .joined(separator: " ")
    }
    system = facts.map {
      [$0.system.name, $0.system.version, $0.system.build.map { "(\($0))" }].compactMap(\.self)
        .joined(separator: " ")
    }
    let tally = ImageTally(symbolicated.shownReports)
    framesWithoutImage = tally.framesWithoutImage
    joinRefusals = symbolicated.shownReports.flatMap(\.joinRefusals).withoutRepetitions
    var candidates = DiagnosisCandidates(store)
    var diagnosed: [ImageDiagnosis] = []
    for entry in tally.entries {
      let cause: ImageDiagnosis.Cause
      if let match = store.symbolFile(for: entry.image.description) {
        let resolver = symbolicator.resolvers.resolver(for: match, indexUse: options.indexUse)
        cause = .found(
          FoundSymbols(
            match, resolver, in: store, place: candidates.place(of: entry.image),
            origin: candidates.origin(ofFileAt: match.candidate.path),
            xcframeworkGap: candidates.xcframeworkGap(
              ofFileAt: match.candidate.path, for: entry.image),
            lineCount: entry.lineCount))
      } else {
        cause = candidates.cause(for: entry.image)
      }
      diagnosed.append(
        ImageDiagnosis(
          image: entry.image, cause: cause, frameCount: entry.frameCount,
          namedCount: entry.namedCount, resolvedCount: entry.resolvedCount,
          lineCount: entry.lineCount))
    }
    let own = diagnosed.filter { !$0.image.belongsToSystem }
    images =
      own.sortedByUnresolved + diagnosed.filter(\.image.belongsToSystem).sortedByUnresolved
    let outcome = symbolicated.outcome
    hasServerProblem = !outcome.serverProblems.isEmpty
    problems =
      ((outcome.symbolFileProblems + outcome.searchProblems).map(\.message)
      + outcome.serverProblems.map(\.message)
      + outcome.exceededLimits.map {
        $0.cutMessage(at: options.limits[$0], consequence: "the others are not counted")
      })
      .map(\.withoutControlCharacters).withoutRepetitions
  }
}

extension [ImageDiagnosis] {
  /// Images with as many unresolved frames stay in their order.
  fileprivate var sortedByUnresolved: [ImageDiagnosis] {
    enumerated().sorted {
      ($1.element.unresolvedCount, $0.offset) < ($0.element.unresolvedCount, $1.offset)
    }.map(\.element)
  }
}

/// The frames of each image, by outcome.
private struct ImageTally {
  private(set) var entries: [Entry] = []
  private(set) var framesWithoutImage = 0
  private var indices: [Key: Int] = [:]

  struct Entry {
    let image: ReportImage
    var frameCount = 0
    var namedCount = 0
    var resolvedCount = 0
    var lineCount = 0
  }

  /// An image at several addresses, or in several reports of an input, counts once.
  private struct Key: Hashable {
    let identity: ImageIdentity?
    let architecture: Architecture?
    let name: String
  }

  init(_ reports: [SymbolicatedReport]) {
    for report in reports {
      for backtrace in report.backtraces where backtrace.isSelected {
        for index in backtrace.frames.indices {
          guard !backtrace.frames[index].isSuperseded else { continue }
          add(backtrace.frames[index])
        }
      }
    }
  }

  private mutating func add(_ frame: SymbolicatedFrame) {
    guard let image = frame.image else {
      framesWithoutImage += 1
      return
    }
    let key = Key(
      identity: image.identity, architecture: image.architecture, name: image.name)
    let index = indices[key] ?? entries.count
    if index == entries.count {
      indices[key] = index
      entries.append(Entry(image: image))
    }
    entries[index].frameCount += 1
    if frame.stated != nil {
      entries[index].namedCount += 1
    } else if frame.answer != nil {
      entries[index].resolvedCount += 1
    }
    if frame.stated?.line != nil || frame.answer?.function.location != nil {
      entries[index].lineCount += 1
    }
  }
}

extension FoundSymbols {
  fileprivate init(
    _ match: SymbolMatch, _ resolver: ImageResolver, in store: SymbolStore, place: SymbolPlace?,
    origin: BuildOrigin?, xcframeworkGap: XcframeworkGap?, lineCount: Int
  ) {
    let summary = DebugInfoSummary(of: match.objectFile, limits: store.limits)
    let debugFilePath = summary.hasUnits ? nil : resolver.separateDebugFilePath
    let content: Content =
      if let format = match.standalone {
        .standalone(format)
      } else if summary.hasLineRows || debugFilePath != nil || lineCount > 0 {
        .debugInformation
      } else if summary.hasUnits {
        .debugInformationWithoutLines
      } else {
        resolver.hasAnySymbols ? .symbols : .nothing
      }
    self.init(
      path: match.candidate.path, basis: match.basis, place: place, content: content,
      debugFilePath: debugFilePath,
      missingSymbolMap: summary.hasHiddenNames
        ? store.missingSymbolMap(for: AskingFile(match.objectFile)) : nil,
      origin: origin,
      xcframeworkGap: [.symbols, .nothing].contains(content) ? xcframeworkGap : nil)
  }
}

extension SymbolStore {
  /// Why the hidden names of `file` have no symbol map; nil if they have one.
  func missingSymbolMap(for file: AskingFile) -> SymbolMapFinding? {
    let list = (try? DsymPropertyList.read(for: file)) ?? nil
    switch symbolMap(for: file, originalIdentity: list?.originalIdentity) {
    case .found: return nil
    case .missing(let finding): return finding
    }
  }
}

extension ReportDiagnosis {
  /// What the report is, and how far it is resolved; or what the input is instead of a report.
  var headline: String {
    if let refusal { return refusal.message(path: path) }
    let whose = process.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
    return "\(path)\(whose): \(resolvedCount) of \(frameCount) frames have names"
  }

  var imagelessSentences: [String] {
    guard framesWithoutImage > 0 else { return [] }
    guard joinRefusals.isEmpty else { return joinRefusals }
    let count = framesWithoutImage == 1 ? "1 frame is" : "\(framesWithoutImage) frames are"
    return ["\(count) in no image that the report lists: generated code or a bad jump."]
  }

  func sentences(about diagnosis: ImageDiagnosis) -> [String] {
    diagnosis.sentences(system: system, places)
      + [serverSentence(about: diagnosis)].compactMap(\.self)
  }

  /// Whether servers were asked for an image that has no file, and that they did not help.
  private func serverSentence(about diagnosis: ImageDiagnosis) -> String? {
    if case .found = diagnosis.cause { return nil }
    guard diagnosis.image.identity != nil else { return nil }
    guard !places.servers.isEmpty || places.usesDebuginfod else {
      guard diagnosis.cause == .noCandidate else { return nil }
      return "No symbol server was asked; --symbol-server names one."
    }
    if places.isOffline {
      return
        "No symbol server was asked, because of --offline. What servers delivered earlier does not have it."
    }
    return hasServerProblem
      ? "The symbol servers did not deliver it. A message on standard error says what went wrong."
      : "The symbol servers do not have it."
  }

  /// The command to run next.
  var nextStep: String {
    if let refusal { return refusal.nextStep(path: path) }
    let incomplete = images.first { $0.isIncomplete }
    if let step = incomplete?.nextStep { return step }
    let symbols = ShellText.options(places)
    let report = path == "standard input" ? "-" : ShellText.path(path)
    return "symbolicate \(report)\(symbols)\(incomplete == nil ? "" : " --explain")"
  }
}

extension ReportDiagnosis {
  /// Where a run that misses symbols sends its user.
  package static func pointer(report: String, places: SymbolPlaces) -> String {
    "to see why: \(ShellText.doctorCommand(report: report, places: places))"
  }
}

extension CrashLogParseError {
  /// The command that shows more about a file that is not a report, or makes one of it.
  fileprivate func nextStep(path: String) -> String {
    let file = path == "standard input" ? "-" : ShellText.path(path)
    switch self {
    case .noReportFound(.objectFile), .noReportFound(.archive): return "symbolicate uuid \(file)"
    case .noReportFound(.utf16Text):
      return "iconv -f UTF-16 -t UTF-8 \(file) | symbolicate doctor -"
    case .noReportFound, .emptyInput, .inputTooLarge: return "file \(file)"
    }
  }
}
