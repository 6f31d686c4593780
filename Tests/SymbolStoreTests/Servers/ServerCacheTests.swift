import FetchProtocol
import Foundation
import SymbolicationModel
import TestSupport
import Testing

@testable import SymbolStore

/// The names of the cache's files, and debuginfod's cache.
struct ServerCacheTests {
  private let directory: TemporaryDirectory
  private let cache: ServerCache

  init() throws {
    directory = try TemporaryDirectory()
    cache = ServerCache(directory: directory.path("servers"), sizeLimit: 1 << 20)
    try cache.prepare()
  }

  private func key(_ server: String, _ path: String, _ identity: [UInt8] = [0xab]) throws
    -> ServerCache.Key
  {
    ServerCache.Key(
      server: try SymbolServer(server), path: path,
      identity: try require(ImageIdentity(bytes: identity)))
  }

  @Test func everyServerPathAndImageHasAFileOfItsOwn() throws {
    let keys = [
      try key("http://h/x", "a"), try key("http://h/y", "a"), try key("http://h/x,unified", "a"),
      try key("http://h/x", "b"), try key("http://h/x", "a", [0xac]),
    ]
    expectEqual(Set(keys.map { cache.path($0) }).count, keys.count)
    // A password is not part of the name: the same server with another one has the same files.
    try expectEqual(cache.path(key("http://joe:secret@h/x", "a")), cache.path(keys[0]))
  }

  @Test func namesAreHexadecimalWhateverThePathIs() throws {
    let path = cache.path(try key("http://h/../../etc", "../../../etc/passwd\u{0}"))
    let name = path.dropFirst(directory.path("servers/").utf8.count)
    expectTrue(path.hasPrefix(directory.path("servers/")))
    expectSuffix(name, ".symbols")
    expectTrue(name.dropLast(8).allSatisfy { $0.isHexDigit || $0 == "-" })
  }

  @Test func aTimeInTheFutureIsNotBelieved() throws {
    let key = try key("http://h", "a")
    cache.noteAbsence(of: key)
    expectEqual(cache.entry(for: key), .absent)
    let name = try require(names(in: directory.path("servers")).first)
    try setTime(of: "\(directory.path("servers"))/\(name)", secondsFromNow: 9000)
    expectNil(cache.entry(for: key))
  }

  @Test func aFileThatOthersMayWriteToIsNotUsed() throws {
    let key = try key("http://h", "a")
    try directory.write([1], to: "servers/" + cache.path(key).lastPathComponent)
    unsafe expectEqual(chmod(cache.path(key), 0o600), 0)
    expectEqual(cache.entry(for: key), .file(path: cache.path(key)))
    unsafe expectEqual(chmod(cache.path(key), 0o666), 0)
    expectNil(cache.entry(for: key))
  }

  @Test func whatIsTooOldIsRemoved() throws {
    cache.noteAbsence(of: try key("http://h", "a"))
    cache.noteMalformation(of: try key("http://h", "b"))
    try directory.write([], to: "servers/something-else.absent")
    let folder = directory.path("servers")
    for name in try names(in: folder) {
      try setTime(of: "\(folder)/\(name)", secondsFromNow: -90_000)
    }
    try cache.prepare()
    // Only files with names that the cache gives are removed.
    try expectEqual(names(in: folder), ["something-else.absent"])
  }

  @Test func debuginfodsCacheIsWhereItsVariablesSay() throws {
    let identity = try require(ImageIdentity(bytes: [0xab, 0xcd]))
    func path(_ environment: [String: String]) -> String? {
      DebuginfodCache.path(of: .debuginfo, identity: identity) { environment[$0] }
    }
    let places = [
      "mine": ["DEBUGINFOD_CACHE_PATH": directory.path("mine"), "HOME": directory.path],
      "xdg/debuginfod_client": ["XDG_CACHE_HOME": directory.path("xdg"), "HOME": directory.path],
      ".cache/debuginfod_client": ["HOME": directory.path],
    ]
    for (folder, environment) in places {
      expectNil(path(environment))
      try directory.makeDirectory("\(folder)/abcd")
      try directory.write([1], to: "\(folder)/abcd/debuginfo")
      expectEqual(path(environment), directory.path("\(folder)/abcd/debuginfo"))
      // An empty file records that no server has it.
      try directory.write([], to: "\(folder)/abcd/debuginfo")
      expectNil(path(environment))
    }
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func setTime(of path: String, secondsFromNow seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: seconds)], ofItemAtPath: path)
  }
}
