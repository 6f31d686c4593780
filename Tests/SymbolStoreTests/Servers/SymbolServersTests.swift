import ObjectFiles
import Platform
import SymbolicationModel
import Synchronization
import TestSupport
import Testing

@testable import SymbolStore

/// Servers as a place of the store, with the helper that was built with the tests.
@Suite(
  .enabled("python3 is not installed (Scripts/install-packages.sh test)") {
    LoopbackServer.missingProgram == nil
  })
struct SymbolServersTests {
  private let files: TemporaryDirectory
  private let cacheDirectory: TemporaryDirectory
  private let server: LoopbackServer

  init() throws {
    files = try TemporaryDirectory()
    cacheDirectory = try TemporaryDirectory()
    server = try .files(in: files.path)
  }

  private func servers(
    _ behaviour: String, progress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) throws -> SymbolServers {
    try server.symbolServers(behaviour, cachedIn: cacheDirectory, progress: progress)
  }

  private func serve(_ file: String, _ buildId: [UInt8], as kind: String) throws {
    let folder = "buildid/\(buildId.hexadecimalDigits)"
    try files.makeDirectory(folder)
    try files.copy(Fixtures.path(file), to: "\(folder)/\(kind)")
  }

  private func serveTiny(_ buildId: [UInt8], as kind: String = "debuginfo") throws {
    let folder = "buildid/\(buildId.hexadecimalDigits)"
    try files.makeDirectory(folder)
    try files.write(TinyElf.bytes(buildId: buildId), to: "\(folder)/\(kind)")
  }

  private func image(_ buildId: [UInt8]) -> SymbolFileRequest {
    .image(ImageDescription(identity: ImageIdentity(bytes: buildId), architecture: nil, names: []))
  }

  private static let shapes: [UInt8] = [
    0x6d, 0x8e, 0x22, 0xcf, 0x83, 0x06, 0xaf, 0x07, 0x21, 0x38, 0xfc, 0x23, 0xa5, 0x9e, 0xec, 0xf1,
    0x3c, 0x73, 0x47, 0x4e,
  ]

  @Test func severalImagesAreDownloadedAtTheSameTime() throws {
    // The server answers nobody before four requests are there.
    let ids = (1...4).map { [UInt8](repeating: $0, count: 20) }
    for id in ids { try serveTiny(id) }
    let seen = Mutex<[DownloadProgress]>([])
    let servers = try servers("together") { progress in seen.withLock { $0.append(progress) } }
    servers.fetch(ids.compactMap { SymbolServers.Wish(image($0)) })
    expectEqual(servers.problems, [])
    for id in ids {
      let found = servers.locate(image(id), skipping: []).files
      expectEqual(found.map { $0.identity?.bytes }, [id])
    }
    expectEqual(server.requests().count, 4)
    let last = seen.withLock { $0.last }
    expectEqual(last.map { [$0.done, $0.total] }, [4, 4])
  }

  @Test func aProgramIsTheSecondBest() throws {
    let id = [UInt8](repeating: 5, count: 20)
    try serveTiny(id, as: "executable")
    let servers = try servers("normal")
    expectEqual(servers.locate(image(id), skipping: []).files.count, 1)
    expectEqual(
      server.requests(),
      [
        "GET /normal/buildid/\(id.hexadecimalDigits)/debuginfo -",
        "GET /normal/buildid/\(id.hexadecimalDigits)/executable -",
      ])
  }

  @Test func separateDebugInformationIsFoundByBuildId() throws {
    try serve("Elf/libshapes.debug", Self.shapes, as: "debuginfo")
    let program = AskingFile(
      try ObjectFile.openElf(statedPath: Fixtures.path("Elf/libshapes-stripped.elf")))
    let request = try require(SymbolFileRequest.separateDebugFile(of: program))
    let file = try require(servers("normal").locate(request, skipping: []).file)
    expectTrue(file.hasDebugInfo)
    expectEqual(file.identity?.bytes, Self.shapes)
  }

  /// The server's file has the right build-id and no debug information.
  @Test func separateDebugInformationIsRefusedIfThereIsNone() throws {
    try serve("Elf/libshapes-stripped.elf", Self.shapes, as: "debuginfo")
    let program = AskingFile(
      try ObjectFile.openElf(statedPath: Fixtures.path("Elf/libshapes-stripped.elf")))
    let request = try require(SymbolFileRequest.separateDebugFile(of: program))
    let answer = try servers("normal").locate(request, skipping: [])
    expectNil(answer.file)
    expectEqual(answer.refused.map(\.finding), [.missingSection(".debug_info")])
  }

  @Test func anAnswerIsAskedForOnce() throws {
    let servers = try servers("normal")
    let id = [UInt8](repeating: 6, count: 20)
    for _ in 0..<3 { expectEmpty(servers.locate(image(id), skipping: []).files) }
    expectEqual(server.requests().count, 2)
  }

  @Test func imagesWithoutIdentityAreNotAskedFor() throws {
    let servers = try servers("normal")
    let nameless = SymbolFileRequest.image(
      ImageDescription(identity: nil, architecture: nil, names: ["App"]))
    expectEmpty(servers.locate(nameless, skipping: []).files)
    let endless = [UInt8](repeating: 7, count: 65)
    expectEmpty(servers.locate(image(endless), skipping: []).files)
    expectEqual(server.requests(), [])
  }

  @Test func aDamagedFileInTheCacheIsDownloadedAgain() throws {
    let id = [UInt8](repeating: 8, count: 20)
    try serveTiny(id)
    let path = try require(servers("normal").locate(image(id), skipping: []).file?.path)
    let name = path.lastPathComponent
    try cacheDirectory.write([1, 2, 3], to: "servers/\(name)")
    let again = try servers("normal").locate(image(id), skipping: []).file
    expectEqual(again?.path, path)
    expectEqual(server.requests().count, 2)
  }

  /// What others could have put into the folder is not used, and nothing is put there.
  @Test func aCacheThatOthersWriteToIsNotUsed() throws {
    let id = [UInt8](repeating: 9, count: 20)
    try serveTiny(id)
    let folder = try cacheDirectory.makeDirectory("servers")
    unsafe expectEqual(chmod(folder, 0o777), 0)
    let servers = try servers("normal")
    expectEmpty(servers.locate(image(id), skipping: []).files)
    expectEqual(servers.problems.map(\.kind), [.unusableCache(path: folder, errno: EPERM)])
    try expectEqual(cacheDirectory.fileNames(), ["servers"])
  }

  @Test func thereIsNoPlaceWithoutServers() {
    expectNil(SymbolServers(SymbolPlaces()))
    expectFalse(SymbolStore().locators.contains { $0 is SymbolServers })
  }
}

extension LoopbackServer {
  /// It as a place of the store that answers as `behaviour` says, with a helper that was built with
  /// the tests.
  func symbolServers(
    _ behaviour: String, cachedIn directory: TemporaryDirectory,
    limits: ResourceLimits = ResourceLimits(),
    progress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) throws -> SymbolServers {
    var places = SymbolPlaces()
    places.servers = [try SymbolServer("\(url)/\(behaviour),debuginfod")]
    places.limits = limits
    let cache = ServerCache(directory: directory.path("servers"), sizeLimit: 1 << 30)
    return try require(
      SymbolServers(
        places, cache: cache, helperPath: { Program.builtFetchPath }, progress: progress))
  }
}
