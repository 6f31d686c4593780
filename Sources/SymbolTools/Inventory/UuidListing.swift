import CrashLogParser
package import ReportSymbolication
package import SymbolStore
package import SymbolicationModel
import SystemPackage
import Wording

/// The UUIDs and build-ids in symbol files, and those that reports need: what `symbolicate uuid`
/// prints.
package struct UuidListing {
  /// In the order of the paths; in a directory, in the order of the files' paths; in a file, in the
  /// order of its slices.
  package private(set) var items: [Item] = []
  /// What is wrong, one sentence each.
  package private(set) var problems: [String] = []
  package private(set) var failures: Set<Failure> = []

  package enum Item: Hashable, Sendable {
    case slice(IdentifiedSlice)
    case report(ReportIdentities)
  }

  /// What went wrong with a path, for the exit status.
  package enum Failure: Hashable, CaseIterable, Sendable {
    /// There is no UUID and no build-id at a path.
    case nothingFound
    /// A path cannot be read, or the file there is damaged.
    case unreadable
  }

  /// Reads the report at a path, or on standard input for `-`.
  package typealias ReadReport = (_ path: String) -> Result<
    [UInt8], ReportReadError
  >

  private let limits: ResourceLimits

  /// - Parameters:
  ///   - paths: symbol files, bundles, directories, archives, and reports; `-` is a report. Bundles
  ///     of Xcode's Organizer stand for the reports in them.
  ///   - limits: how much is read of them.
  package init(
    paths: [String], limits: ResourceLimits = ResourceLimits(), readReport: ReadReport
  ) {
    self.limits = limits
    for path in paths { list(path, readReport) }
    problems = problems.map(\.withoutControlCharacters).withoutRepetitions
  }

  private mutating func list(_ path: String, _ readReport: ReadReport) {
    guard path != "-" else { return listReport(path, readReport) }
    let reports = CrashPoint.isOne(path) ? CrashPoint.reports(in: path) : []
    guard reports.isEmpty else {
      for report in reports { listReport(report, readReport) }
      return
    }
    if SymbolFileKind(path: path) == .compressed { return listReport(path, readReport) }
    if let nature = FileNature(unlikeSymbols: SymbolFileKind.start(ofFileAt: path, count: 8)) {
      return fail(.nothingFound, UuidMessages.neither(path: path, nature))
    }
    let inventory: SymbolFileInventory
    do throws(SymbolFileProblem) {
      inventory = try SymbolFileInventory(forUserAt: path, limits: limits)
    } catch {
      return fail(.unreadable, error.message)
    }
    if inventory.isEmptyFile { return listReport(path, readReport) }
    for problem in inventory.unusableFiles.map(\.problem) + inventory.problems {
      fail(problem.severity == .notASymbolFile ? .nothingFound : .unreadable, problem.message)
    }
    let identified = inventory.slices.compactMap { IdentifiedSlice($0) }
    items += identified.map(Item.slice)
    if identified.isEmpty, inventory.unusableFiles.isEmpty, inventory.problems.isEmpty {
      fail(
        .nothingFound,
        inventory.slices.isEmpty
          ? UuidMessages.noSymbolFiles(in: inventory, limits: limits)
          : UuidMessages.noIdentity(path: path, slices: inventory.slices.map(\.candidate)))
    }
  }

  private mutating func listReport(_ path: String, _ readReport: ReadReport) {
    let shownPath = path == "-" ? "standard input" : path
    let bytes: [UInt8]
    switch readReport(path) {
    case .success(let content): bytes = content
    case .failure(let error):
      return fail(.unreadable, UuidMessages.unreadable(shownPath, error))
    }
    do throws(CrashLogParseError) {
      let report = try ReportIdentities(bytes, shownPath: shownPath, limits: limits)
      items.append(.report(report))
      problems += report.exceededLimits.map {
        $0.cutMessage(at: limits[$0], consequence: "the others are not listed")
      }
    } catch {
      fail(.nothingFound, UuidMessages.neither(path: shownPath, bytes, error))
    }
  }

  private mutating func fail(_ failure: Failure, _ message: String) {
    failures.insert(failure)
    problems.append(message)
  }
}

/// A slice of a symbol file that has a UUID or build-id.
package struct IdentifiedSlice: Hashable, Sendable {
  package let path: String
  package let name: String
  package let architecture: Architecture
  package let identity: ImageIdentity
  package let role: SymbolFileInventory.Role
  package let hasDebugInfo: Bool
  package let standalone: StandaloneFormat?

  /// Nil if the slice has no identity.
  init?(_ slice: SymbolFileInventory.Slice) {
    guard let identity = slice.candidate.identity else { return nil }
    self.path = slice.shownPath
    self.name = slice.candidate.name
    self.architecture = slice.candidate.architecture
    self.identity = identity
    self.role = slice.role
    self.hasDebugInfo = slice.hasDebugInfo
    self.standalone = slice.standalone
  }
}

extension SymbolFileInventory {
  /// Whether the tree is one file that is not an object file.
  fileprivate var isEmptyFile: Bool {
    filePaths.count == 1 && slices.isEmpty && unusableFiles.isEmpty && problems.isEmpty
      && filePaths.first == path.lastPathComponent
  }
}

/// The sentences of `symbolicate uuid`.
enum UuidMessages {
  static func unreadable(_ path: String, _ error: ReportReadError) -> String {
    if case .archive = error { return "\(path) \(error.reason)" }
    return "cannot read \(path): \(error.reason)"
  }

  static func noIdentity(path: String, slices: [SymbolCandidate]) -> String {
    let names = slices.map(\.architecture).filter { $0 != .unknown }.map(\.name)
    let shown = names.isEmpty ? "" : " (\(names.withoutRepetitions.joined(separator: ", ")))"
    return "\(path)\(shown) has no UUID and no build-id; give the linked program or its dSYM"
  }

  static func neither(path: String, _ bytes: [UInt8], _ error: CrashLogParseError) -> String {
    // What is only recognised by its first bytes has a better name here.
    if case .noReportFound(let format) = error, !format.has(.isUncertain) {
      return "\(error.message(path: path)); it is not a symbol file either"
    }
    return neither(path: path, FileNature(Array(bytes.prefix(FileNature.startSize)), path: path))
  }

  /// `App.class is a Java class, and neither a symbol file nor a report`
  static func neither(path: String, _ nature: FileNature) -> String {
    "\(path) is \(nature.text), and neither a symbol file nor a report"
      + (nature.advice.map { "; \($0)" } ?? "")
  }

  /// A directory or archive without symbol files.
  static func noSymbolFiles(in inventory: SymbolFileInventory, limits: ResourceLimits) -> String {
    let path = inventory.path
    let message = SymbolFileProblem(emptyDirectory: path).message
    if let archive = inventory.archivePaths.first { return "\(message); \(archives(archive))" }
    guard SymbolFileKind(path: path) == .zipOrTar else { return message }
    let count = ReportBytes.reports(inArchiveAt: path, limits: limits).count
    return count == 0 ? message : "\(message); it holds \(counted(count, "crash report"))"
  }

  /// What to do if the symbols are in archives of a directory.
  static func archives(_ example: String) -> String {
    "archives are read if they are named, such as \(example)"
  }

  /// `Letter Shuffle 0x100228000-0x10026bfff: 6 frames without names in thread 0 (crashed)`
  static func description(of needed: NeededImage, in report: String) -> String {
    let image = needed.image
    let end = needed.lastAddress.map { "-\($0.value.hexadecimal)" } ?? ""
    let range = "\(image.loadAddress.value.hexadecimal)\(end)"
    let system = image.belongsToSystem ? "; system library" : ""
    return
      "\(image.name) \(range): \(frames(of: needed)) in \(backtraces(of: needed))\(system) [\(report)]"
  }

  private static func frames(of needed: NeededImage) -> String {
    let (all, nameless) = (needed.frameCount, needed.namelessCount)
    let count = counted(all, "frame")
    switch nameless {
    case 0: return "\(count) with \(all == 1 ? "a name" : "names")"
    case all: return "\(count) without \(all == 1 ? "a name" : "names")"
    default: return "\(count), \(nameless) without \(nameless == 1 ? "a name" : "names"),"
    }
  }

  /// The backtraces that are named at most. Reports may have thousands of threads.
  private static let shownBacktraceCount = 8

  private static func backtraces(of needed: NeededImage) -> String {
    let names = needed.backtraces.map { share -> String in
      let number = share.number.map { " \($0)" } ?? ""
      switch share.kind {
      case .thread: return "thread\(number)\(share.isCrashed ? " (crashed)" : "")"
      case .lastException: return "the last exception"
      case .applicationSpecific: return "application backtrace\(number)"
      case .digest: return "the digest of the threads"
      }
    }.withoutRepetitions
    guard names.count > shownBacktraceCount else { return names.joined(separator: ", ") }
    let shown = names.prefix(shownBacktraceCount).joined(separator: ", ")
    return "\(shown) and \(names.count - shownBacktraceCount) more"
  }
}
