import Foundation
import Subprocess
import TestSupport

/// A file server with the example's dSYM, and a private cache.
struct ServerFixture {
  let files: TemporaryDirectory
  let cache: TemporaryDirectory
  let server: LoopbackServer

  static let uuid = "a4b1de4970b3301da64458d6bc22f513"
  static let symstorePath = "_.dwarf/mach-uuid-sym-\(uuid)/_.dwarf"
  static let golden = "letter-shuffle.crash"

  /// - Parameter path: where the dSYM's DWARF file is on the server.
  init(path: String = symstorePath) throws {
    files = try TemporaryDirectory()
    cache = try TemporaryDirectory()
    server = try .files(in: files.path)
    try add(Fixtures.storyDwarfFile, at: path)
    // What a lying server sends, whatever it is asked for.
    try add(Fixtures.path("Elf/libshapes.elf"), at: "other")
  }

  func add(_ file: String, at path: String) throws {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    if !folder.isEmpty { try files.makeDirectory(folder) }
    try files.copy(file, to: path)
  }

  /// Symbolicates the example report with a server that behaves as `behaviour`.
  func run(
    _ behaviour: String, layout: String = "symstore", user: String = "",
    options: [String] = [], timeout: String? = nil, maximumSize: String? = nil,
    helper: String? = nil
  ) async throws -> ProgramResult {
    try await Program.symbolicate(
      [
        Fixtures.storyReportAlone, "--symbol-server",
        "http://\(user)127.0.0.1:\(server.port)/\(behaviour),\(layout)",
      ] + options,
      cache: cache.path,
      environment: [
        "SYMBOLICATE_SERVER_TIMEOUT": timeout, "SYMBOLICATE_SERVER_MAXSIZE": maximumSize,
        "SYMBOLICATE_FETCH": helper,
      ])
  }

  /// The names of what the cache holds.
  func cached() throws -> [String] {
    let folder = cache.path("symbolicate/servers")
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  func cachedPath(_ name: String) -> String { cache.path("symbolicate/servers/\(name)") }

  /// Makes all files of the cache older.
  func age(by seconds: Double) throws {
    for name in try cached() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
        ofItemAtPath: cachedPath(name))
    }
  }
}
