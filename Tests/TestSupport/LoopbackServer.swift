/// A server on 127.0.0.1 that runs as long as the test holds it.
///
/// It ends when its standard input does, so it does not outlive the tests either, however they end.
public final class LoopbackServer: Sendable {
  public let port: Int
  /// The folder with the log of the file server.
  private let directory: TemporaryDirectory
  private let process: ChildProcess

  public var url: String { "http://127.0.0.1:\(port)" }

  public struct Failure: Error {}

  /// What the server needs; nil if all is installed.
  public static let missingProgram: String? =
    ["python3"].first { Program.path(of: $0) == nil }
  public static let missingDebuginfodProgram: String? =
    ["python3", "debuginfod"].first { Program.path(of: $0) == nil }

  /// `Tests/Scripts/symbol_server.py` over a folder: the script lists what it can do.
  public static func files(in folder: String) throws -> LoopbackServer {
    let directory = try TemporaryDirectory()
    return try LoopbackServer(
      ["symbol_server.py", folder, directory.path("log")], directory)
  }

  /// Debian's debuginfod over a folder. It serves the build-id when this returns.
  public static func debuginfod(over folder: String, buildId: String) throws -> LoopbackServer {
    let directory = try TemporaryDirectory()
    return try LoopbackServer(
      ["run_debuginfod.py", folder, directory.path("database"), buildId], directory)
  }

  private init(_ words: [String], _ directory: TemporaryDirectory) throws {
    process = try ChildProcess(
      Program.path(of: "python3") ?? "python3",
      ["\(Fixtures.packageDirectory)/Tests/Scripts/\(words[0])"] + words.dropFirst())
    self.directory = directory
    var line: [UInt8] = []
    while !line.contains(UInt8(ascii: "\n")) {
      let next = try process.nextOutput()
      guard !next.isEmpty else { break }
      line += next
    }
    guard let port = Int(String(decoding: line.dropLast(), as: UTF8.self)) else {
      process.end()
      throw Failure()
    }
    self.port = port
  }

  deinit { process.end() }

  /// The requests so far, a line each: method, path and user.
  public func requests() -> [String] {
    let log = (try? Fixtures.bytes(of: directory.path("log"))) ?? []
    return String(decoding: log, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
