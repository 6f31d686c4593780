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
    _ path: String, _ errno: Errno, limits: ResourceLimits
  ) -> String {
    if errno == .fileTooLarge {
      let limit = ResourceLimit.reportSize
      return
        "the report \(path) is not read: it is larger than \(limit.shown(limits.reportSize)); \(limit.remedy(from: limits.reportSize))"
    }
    if errno == .isDirectory, CrashPoint.isOne(path) {
      return
        "\(path) has no reports: expected .crash files in Filters/*/Logs or DistributionInfos/*/Logs; let Xcode's Organizer download them"
    }
    let hint =
      errno == .isDirectory ? "; give the report first, and symbol files after it or with -d" : ""
    return "cannot read the report \(path): \(errno)\(hint)"
  }

  static func unreadable(_ path: String, _ errno: Errno) -> String {
    "cannot read \(path): \(errno)"
  }

  static func unreadableAddresses(_ path: String, _ errno: Errno) -> String {
    "cannot read the addresses in \(path): \(errno)"
  }
}
