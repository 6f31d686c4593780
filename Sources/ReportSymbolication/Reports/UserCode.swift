import CrashLogParser
import SymbolicationModel

/// Which of a report's images hold the user's own code: those in the app's bundle, or, for a
/// program without one, the program and what lies in its folder and below. Never what belongs to
/// the system, and not the Swift libraries that an app may bring along.
struct UserCode {
  /// The main executable's path.
  private let executable: Substring?
  /// `Letter Shuffle.app`: the outermost bundle that holds it.
  private let bundle: Substring?
  /// What the main executable may be called.
  private let executableNames: Set<String>

  init(of process: ReportFacts.Process) {
    executable = process.path.flatMap { $0.contains("/") ? Self.comparable($0) : nil }
    bundle = executable.flatMap { Self.outermostBundle(in: $0) }
    executableNames = Set(
      [process.name, process.path?.lastPathComponent].compactMap { $0?.known })
  }

  /// Whether the frame's code is the user's. Of an image that the report does not tell of, the name
  /// says.
  func holds(_ frame: ShownFrame) -> Bool {
    guard let image = frame.image else { return executableNames.contains(frame.imageName) }
    return holds(image)
  }

  func holds(_ image: ReportImage) -> Bool {
    guard !image.belongsToSystem else { return false }
    if executableNames.contains(image.name) { return true }
    guard let written = image.path else { return false }
    let name = written.lastPathComponent
    guard !Self.isOfToolchain(name) else { return false }
    if executableNames.contains(name) { return true }
    let path = Self.comparable(written)
    guard let executable else {
      // Of a process that is not told of it is any app's; where not even its name is told, as in
      // most of Swift's own backtraces, whatever is not the system's.
      return executableNames.isEmpty || Self.outermostBundle(in: path) != nil
    }
    if let bundle, let other = Self.outermostBundle(in: path) {
      // The name alone: what stands above it, reports cut and writers anonymise.
      return other == bundle
    }
    if let cut = path.firstRange(of: "/*/") {
      // `/Users/USER/*/Kit.framework/Kit` beside `/Users/USER/Library/…/Game.app/Game`.
      let start = path[...cut.lowerBound]
      return start.utf8.count > 1 && executable.hasPrefix(start)
    }
    guard bundle == nil, let slash = executable.lastIndex(of: "/"), slash > executable.startIndex
    else { return false }
    return path.hasPrefix(executable[...slash])
  }

  /// Whether a library of that name belongs to Swift, wherever it lies: programs bring them along.
  static func isOfToolchain(_ name: String) -> Bool {
    toolchainNames.contains { beginning, end in
      name.hasPrefix(beginning) && name.hasSuffix(end)
    }
  }

  /// How the names of Swift's libraries begin and end, on Apple's systems, Linux and Windows.
  private static let toolchainNames = [
    ("libswift", ".dylib"), ("libswift", ".so"), ("libFoundation", ".so"),
    ("lib_Foundation", ".so"), ("libdispatch", ".so"), ("libBlocksRuntime", ".so"),
    ("swift", ".dll"), ("Foundation", ".dll"), ("_Foundation", ".dll"), ("dispatch", ".dll"),
    ("BlocksRuntime", ".dll"),
  ]

  /// The first component that ends with `.app`.
  private static func outermostBundle(in path: Substring) -> Substring? {
    path.split(separator: "/").dropLast().first { $0.hasSuffix(".app") && $0 != ".app" }
  }

  /// `/var/…` and `/private/var/…` are one folder, which reports call by either.
  private static func comparable(_ path: String) -> Substring {
    path.hasPrefix("/private/") ? path.dropFirst(8) : Substring(path)
  }
}
