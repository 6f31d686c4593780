import Foundation
import SymbolicationModel
import TestSupport
import Testing

@testable import SymbolStore

/// What all downloads of a run may take together.
@Suite(
  .enabled("python3 is not installed (Scripts/install-packages.sh test)") {
    LoopbackServer.missingProgram == nil
  })
struct ServerBudgetTests {
  private let files: TemporaryDirectory
  private let cacheDirectory: TemporaryDirectory
  private let server: LoopbackServer

  init() throws {
    files = try TemporaryDirectory()
    cacheDirectory = try TemporaryDirectory()
    server = try .files(in: files.path)
  }

  private func servers(
    _ behaviour: String, _ set: (inout ResourceLimits) -> Void
  ) throws -> SymbolServers {
    var limits = ResourceLimits()
    set(&limits)
    return try server.symbolServers(behaviour, cachedIn: cacheDirectory, limits: limits)
  }

  /// Files of `size` bytes for images number `numbers`, which ends with zeros.
  private func serve(_ numbers: Range<UInt8>, size: Int) throws -> [SymbolFileRequest] {
    try numbers.map { number in
      let id = [UInt8](repeating: number, count: 20)
      let file = TinyElf.bytes(buildId: id)
      let folder = "buildid/\(id.hexadecimalDigits)"
      try files.makeDirectory(folder)
      try files.write(
        file + [UInt8](repeating: 0, count: size - file.count), to: "\(folder)/debuginfo")
      return .image(
        ImageDescription(identity: ImageIdentity(bytes: id), architecture: nil, names: []))
    }
  }

  private func found(_ images: [SymbolFileRequest], _ servers: SymbolServers) -> Int {
    images.count { !servers.locate($0, skipping: []).files.isEmpty }
  }

  private func leftOver() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: cacheDirectory.path("servers")).filter {
      !$0.hasSuffix(".symbols")
    }
  }

  /// Twice as many images make no further request.
  @Test(arguments: [UInt8(30), 60])
  func bytes(count: UInt8) throws {
    let images = try serve(1..<(1 + count), size: 8000)
    let servers = try servers("normal") { $0.downloadSize = 40_000 }
    servers.fetch(images.compactMap { SymbolServers.Wish($0) })
    expectEqual(servers.problems.map(\.kind), [.exhausted(.downloadSize, value: 40_000)])
    // Five files, and those that the other threads had begun.
    let requests = server.requests().count
    expectTrue(requests <= 5 + 8, "\(requests) requests")
    expectTrue(found(images, servers) <= 5)
    expectEqual(server.requests().count, requests)
    try expectEqual(leftOver(), [])
  }

  /// Compressed files are a few bytes on the way. What they unpack to counts, one after the other.
  @Test func unpackedBytes() throws {
    let images = try serve(1..<31, size: 30_000)
    let servers = try servers("gzip") { $0.downloadSize = 100_000 }
    servers.fetch(images.compactMap { SymbolServers.Wish($0) })
    expectEqual(servers.problems.map(\.kind), [.exhausted(.downloadSize, value: 100_000)])
    // With the sixteen that were asked for before the third was complete, some are complete that no
    // longer count: they are not unpacked.
    expectEqual(found(images, servers), 3)
    expectTrue(server.requests().count <= 3 + 16)
    try expectEqual(leftOver(), [])
  }

  @Test func seconds() throws {
    let images = try serve(1..<31, size: 1000)
    let servers = try servers("slow") { $0.downloadTime = 1 }
    servers.fetch(images.compactMap { SymbolServers.Wish($0) })
    expectEqual(servers.problems.map(\.kind), [.exhausted(.downloadTime, value: 1)])
    let requests = server.requests().count
    expectTrue(requests <= 8, "\(requests) requests")
    expectEqual(found(images, servers), 0)
    try expectEqual(leftOver(), [])
  }

  @Test func whatFitsIsNoProblem() throws {
    let images = try serve(1..<4, size: 8000)
    let servers = try servers("normal") { $0.downloadSize = 24_000 }
    servers.fetch(images.compactMap { SymbolServers.Wish($0) })
    expectEqual(servers.problems, [])
    expectEqual(found(images, servers), 3)
  }
}
