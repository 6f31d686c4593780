import CrashLogParser
import SymbolicationModel

/// Which of a report's images hold the user's own code: those in the app's bundle, or, for a program
/// without one, the program and what lies in its folder and below. Never what belongs to the system, and
/// not the Swift libraries that an app may bring along.
struct UserCode {
  /// `Letter Shuffle.app`: the outermost bundle that holds the main executable.
  private let bundle: Substring?
  /// The main executable's folder, with `/` at its end.
  private let folder: Substring?
  /// What the main executable may be called.
  private let executableNames: Set<String>

  init(of process: ReportFacts.Process) {
    let path = process.path.map { Self.comparable($0) }
    bundle = path.flatMap { Self.outermostBundle(in: $0) }
    folder = path.flatMap { path in
      path.lastIndex(of: "/").map { path[...$0] }.flatMap { $0.utf8.count > 1 ? $0 : nil }
    }
    executableNames = Set(
      [process.name, process.path?.lastPathComponent].compactMap { $0?.known })
  }

  /// Whether the frame's code is the user's. Of an image that the report does not tell of, the name says.
  func holds(_ frame: ShownFrame) -> Bool {
    guard let image = frame.image else { return executableNames.contains(frame.imageName) }
    return holds(image)
  }

  func holds(_ image: ReportImage) -> Bool {
    guard !image.belongsToSystem else { return false }
    guard let written = image.path else { return executableNames.contains(image.name) }
    let name = written.lastPathComponent
    guard !(name.hasPrefix("libswift") && name.hasSuffix(".dylib")) else { return false }
    if executableNames.contains(name) { return true }
    let path = Self.comparable(written)
    if bundle != nil || folder == nil {
      // The bundle's name alone: what stands above it, reports cut and writers anonymise. Of a process
      // that is not told of, any app's.
      guard let own = Self.outermostBundle(in: path) else { return false }
      return bundle == nil || own == bundle
    }
    return folder.map { path.hasPrefix($0) } ?? false
  }

  /// The first component that ends with `.app`.
  private static func outermostBundle(in path: Substring) -> Substring? {
    path.split(separator: "/").dropLast().first { $0.hasSuffix(".app") && $0 != ".app" }
  }

  /// `/var/…` and `/private/var/…` are one folder, which reports call by either.
  private static func comparable(_ path: String) -> Substring {
    path.hasPrefix("/private/") ? path.dropFirst(8) : Substring(path)
  }
}
