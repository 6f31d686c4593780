import FileSystem
import ReportSymbolication
import SymbolicationModel
import SystemPackage

/// What the commands say about inputs that cannot be read: a sentence each.
enum InputMessages {
  static let noArguments =
    "cannot read the arguments of the command line: Swift reads them from /proc/self/maps, which fails here"

  static let noKeptMemory =
    "cannot get memory for the input: memfd_create(2) fails here"

  static func unreadableReport(
    _ path: String, _ error: ReportReadError, limits: ResourceLimits
  ) -> String {
    let message = error.message(report: path, limits: limits)
    switch error {
    case .unreadable(.isDirectory) where CrashPoint.isOne(path):
      return
        "\(path) has no reports: expected .crash files in Filters/*/Logs or DistributionInfos/*/Logs; let Xcode's Organizer download them"
    case .unreadable(.isDirectory):
      return message + "; give the report first, and symbol files after it or with -d"
    case .unreadable(.noSuchFileOrDirectory):
      guard let command = CommandName.similar(to: path) else { return message }
      return message + "; did you mean 'symbolicate \(command)'?"
    default: return message
    }
  }

  static func firstOfSeveralReports(_ report: String, of bundle: String, _ count: Int) -> String {
    "\(bundle) has \(count) reports of one crash; this is about \(report); name another one to diagnose it"
  }

  static func unlistedFolder(_ error: FileSystemError) -> String {
    "cannot list the folder \(error.path): \(error.errno)"
  }

  /// Directories that were walked, and have no report.
  static func noReports(in directories: [String]) -> String {
    "no report in \(directories.joined(separator: ", ")); directories of symbol files are given with -d"
  }

  /// Why `--strict` makes the run fail.
  ///
  /// - Parameter frames: 0 if no one knows, because a limit left them out.
  static func violation(of strictness: Strictness, frames: Int, reports: Int) -> String {
    let option = strictness == .all ? "--strict=all" : "--strict"
    let place = reports == 1 ? "" : " in \(reports) reports"
    switch frames {
    case 0: return "\(option): some frames\(place) were left out"
    case 1: return "\(option): 1 frame\(place) has no name"
    default: return "\(option): \(frames) frames\(place) have no name"
    }
  }

  static func tooLargeForStream(limit: UInt64) -> String {
    let name = ResourceLimit.reportSize
    return
      "what may be a report on standard input has more than \(name.shown(limit)), so it is passed through as it is; \(name.remedy(from: limit))"
  }

  static func unreadable(_ path: String, _ errno: Errno) -> String {
    "cannot read \(path.isEmpty ? "''" : path): \(errno)"
  }

  static func unreadableAddresses(_ path: String, _ errno: Errno) -> String {
    "cannot read the addresses in \(path): \(errno)"
  }
}
