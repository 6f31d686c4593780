import FileSystem
import SymbolicationModel

/// Telling bundles from folders that only have such a name: `.app` and the like may also end the
/// name of a site or a project, or be an app's identifier.
package enum BundleFolder {
  /// Whether the folder at `path` is a dSYM, an archive of Xcode, or a bundle with code in it,
  /// which must also look like one.
  ///
  /// - Parameter name: the last component of `path`.
  package static func isOne(_ path: String, name: String) -> Bool {
    guard BundleName.isBundle(name) else { return false }
    return !BundleName.isOfCode(name) || hasContentOfBundle(path, name: name)
  }

  /// Whether the folder at `path` is a bundle, however the path is spelt (`App.dSYM/`, `.`).
  package static func isOne(_ path: String) -> Bool {
    let real = FileLinks.realPath(of: path) ?? path
    return [path, real].contains { path in
      let name = path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) }
      return name.map { isOne(path, name: $0) } ?? false
    }
  }

  /// Whether the folder at `path` has what only bundles with code have.
  package static func hasContentOfBundle(_ path: String, name: String) -> Bool {
    ["Contents", "Versions", "Info.plist", BundleName.binaryName(ofBundle: name)].contains {
      FileKind(path: path.appendingPath($0)) != nil
    }
  }
}

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
    folders.flatMap { name in
      entries(of: path.appendingPath(name)).flatMap { filter in
        let logs = filter.appendingPath("Logs")
        return entries(of: logs).filter { hasReportName($0) && !isSpecial($0) }
      }
    }
  }

  /// Whether a report lies there, given the components of a path from the bundle on.
  package static func isReport(_ parts: [String]) -> Bool {
    parts.count == 4 && folders.contains(parts[0]) && parts[2] == "Logs" && hasReportName(parts[3])
  }

  private static let folders = ["DistributionInfos", "Filters"]

  private static func hasReportName(_ name: String) -> Bool {
    name.hasSuffix(".crash") || name.hasSuffix(".ips")
  }

  private static func isSpecial(_ path: String) -> Bool {
    guard let status = try? FileStatus(path: path) else { return false }
    return status.kind == .special || KernelFiles.contain(status, at: path)
  }

  private static func entries(of folder: String) -> [String] {
    let entries = (try? Directory.entries(of: folder)) ?? []
    return entries.filter { !$0.name.hasPrefix(".") }.map { folder.appendingPath($0.name) }
  }
}
