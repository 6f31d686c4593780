import CrashLogParser
import FileSystem
import ReportSymbolication
import SymbolStore
import SymbolicationModel
import Wording

/// The files in an archive that may be reports: what `ReportWalk` finds in a folder with the same
/// files, and in archives in it. Everything is unpacked at once, to a temporary file.
///
/// - Names become paths that cannot leave a folder: without `..`, `.` and slashes at the start. A
///   name that then comes again gets a number.
/// - Files in bundles are left out. What has the name of a bundle of code may be none; in it, files
///   that begin like reports are read.
/// - Links and files without content are left out.
struct ReportArchive {
  /// As it was given, or what to call it if it is not a file.
  let path: String
  /// `-` if it is not a file.
  let filePath: String
  private(set) var files: [File] = []
  /// What cannot be read, a sentence each.
  private(set) var problems: [String] = []
  private(set) var bundleCount = 0
  private(set) var symbolFileCount = 0

  struct File {
    /// The path below a folder for results.
    let relativePath: String
    let content: ArchivedFile
  }

  /// - Parameter bytes: the archive, if it is not to be read from `path`.
  init(_ path: String, bytes: [UInt8]? = nil, limits: ResourceLimits) {
    self.path = path
    filePath = bytes == nil ? path : "-"
    var bundles: Set<[Substring]> = []
    func isWanted(_ name: String, _ start: [UInt8]) -> Bool {
      let parts = Self.parts(of: name)
      guard !parts.contains(where: { $0.hasPrefix(".") }), !Self.isLeftInCrashPoint(parts) else {
        return false
      }
      guard let bundle = parts.dropLast().firstIndex(where: { BundleName.isBundle(String($0)) })
      else { return true }
      let mayBeFolder = BundleName.isOfCode(String(parts[bundle]))
      if mayBeFolder, ReportBytes.beginsLikeReport(start) { return true }
      bundles.insert(Array(parts[...bundle]))
      return false
    }
    let size = bytes.map { UInt64($0.count) } ?? (try? FileStatus(path: path).size) ?? 0
    let sizeLimit = ReportBytes.plausibleSize(ofCompressed: size, limit: limits.reportSize)
    let contents =
      if let bytes {
        ArchiveContents(
          ofArchive: bytes, path: path, limits: limits, sizeLimit: sizeLimit,
          isWanted: isWanted)
      } else {
        ArchiveContents(
          ofArchiveAt: path, limits: limits, sizeLimit: sizeLimit, isWanted: isWanted)
      }
    // How often a name was there before.
    var names: [String: Int] = [:]
    for file in contents.files {
      var name = Self.parts(of: file.name).joined(separator: "/")
      while let count = names[name] {
        names[name] = count + 1
        name = Self.numbered(name, count + 1)
      }
      names[name] = 1
      files.append(File(relativePath: name, content: file))
    }
    files.sort { $0.relativePath.utf8.lexicographicallyPrecedes($1.relativePath.utf8) }
    problems = contents.problems.map(\.message.withoutControlCharacters)
    bundleCount = bundles.count
    symbolFileCount = contents.symbolFileCount
  }

  /// The components of a name that lead downwards.
  private static func parts(of name: String) -> [Substring] {
    let parts = name.split(separator: "/").filter { $0 != "." && $0 != ".." }
    return parts.isEmpty ? ["file"] : parts
  }

  /// The path with a number before its suffix: `x-2.crash`.
  private static func numbered(_ path: String, _ number: Int) -> String {
    let (stem, _) = path.splitAtSuffix
    return "\(stem)-\(number)\(String(path.utf8.dropFirst(stem.utf8.count)) ?? "")"
  }

  /// Whether a file in a bundle of Xcode's Organizer is not one of its reports.
  private static func isLeftInCrashPoint(_ parts: [Substring]) -> Bool {
    guard let bundle = parts.dropLast().firstIndex(where: { CrashPoint.hasName(String($0)) })
    else { return false }
    return !CrashPoint.isReport(parts[(bundle + 1)...].map(String.init))
  }
}
