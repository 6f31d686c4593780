import FileSystem
import Platform
import SymbolicationModel

/// Makes links to source files for terminals: `file://HOST/PATH`, as `ls --hyperlink` does. Only
/// files that are on this machine get one.
package final class SourceLinks {
  private let host: String
  /// What was found out about paths; nil for those that get no link.
  private var known: [String: String?] = [:]

  /// At most this many paths are looked for: each takes a call of the system.
  private static let pathLimit = 10_000

  /// Nil if the look has no links.
  package init?(_ look: TerminalLook) {
    guard look.hasLinks else { return nil }
    host = Self.hostName
  }

  /// - Parameter path: as symbol files have it, mapped; a relative one starts in the working
  ///   directory.
  package func link(to path: String?) -> String? {
    guard let path, !path.isEmpty else { return nil }
    if let link = known[path] { return link }
    guard known.count < Self.pathLimit else { return nil }
    let link = Self.existing(path).map { "file://\(host)\(Self.encoded($0))" }
    known[path] = .some(link)
    return link
  }

  private static func existing(_ path: String) -> String? {
    guard !unasked.contains(where: { path.hasPrefix($0) }),
      (try? FileStatus(path: path))?.kind == .regularFile
    else { return nil }
    if path.hasPrefix("/") { return path }
    return workingDirectory.map { ($0 == "/" ? "" : $0) + "/" + path }
  }

  /// Asking for a path here may start something, such as connecting to another host.
  private static let unasked = ["/net/", "/dev/", "/proc/", "/sys/"]

  private static var workingDirectory: String? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(pathBytes: path)
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return encoded(
      String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// Nothing in the path can end the sequence that it stands in.
  static func encoded(_ path: String) -> String { percentEncoded(path.pathBytes) }

  /// The sequence that begins a link (OSC 8).
  package static func start(of link: String) -> String { "\u{1b}]8;;\(link)\u{1b}\\" }
  /// The sequence that ends it.
  package static let end = "\u{1b}]8;;\u{1b}\\"
}
