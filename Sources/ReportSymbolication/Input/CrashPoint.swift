import FileSystem
import SymbolicationModel

/// A bundle of Xcode's Organizer (`Name.xccrashpoint`): the reports of one crash from several
/// devices.
package enum CrashPoint {
  package static func isOne(_ path: String) -> Bool {
    hasName(path.lastPathComponent) && FileKind(path: path) == .directory
  }

  package static func hasName(_ name: String) -> Bool { name.hasSuffix(".xccrashpoint") }

  /// The paths of the reports in the bundle, in the order of their paths: `Filters/*/Logs`, and
  /// `DistributionInfos/*/Logs` of older versions of Xcode. Folders that cannot be listed count as
  /// empty.
  package static func reports(in path: String) -> [String] {
    ["DistributionInfos", "Filters"].flatMap { name in
      entries(of: path.appendingPath(name)).flatMap { filter in
        let logs = filter.appendingPath("Logs")
        return entries(of: logs).filter { $0.hasSuffix(".crash") || $0.hasSuffix(".ips") }
      }
    }
  }

  private static func entries(of folder: String) -> [String] {
    let entries = (try? Directory.entries(of: folder)) ?? []
    return entries.filter { !$0.name.hasPrefix(".") }.map { folder.appendingPath($0.name) }
  }
}
