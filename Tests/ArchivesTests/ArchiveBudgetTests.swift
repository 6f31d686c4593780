import BinaryInput
import Foundation
import SymbolicationModel
import TestSupport
import Testing

@testable import Archives

/// What archives are unpacked to is counted over all passes, members, levels and archives of a run.
struct ArchiveBudgetTests {
  let archiver: Archiver

  init() throws { archiver = try Archiver() }

  private func limits(_ unpackedSize: UInt64 = 1 << 30, expansion: UInt64 = 0) -> ArchiveLimits {
    var limits = ArchiveLimits()
    limits.smallestUnpackedSize = unpackedSize
    limits.expansion = expansion
    return limits
  }

  /// Writes a zip of `count` members of zeros, `size` each.
  private func zip(_ name: String, count: Int = 1, size: Int, in outer: String? = nil) async throws
  {
    try await archiver.python(
      """
      import zipfile
      with zipfile.ZipFile('\(name)', 'w', zipfile.ZIP_DEFLATED) as z:
        for index in range(\(count)): z.writestr('m%d' % index, bytes(\(size)))
      """)
    if let outer {
      try await archiver.python(
        """
        import zipfile
        with zipfile.ZipFile('\(outer)', 'w', zipfile.ZIP_DEFLATED) as z: z.write('\(name)')
        """)
    }
  }

  private func fault(_ body: () throws -> Void) -> ArchiveFault? {
    do {
      try body()
    } catch let error as ArchiveError {
      if case .fault(let fault) = error.reason { return fault }
    } catch {}
    return nil
  }

  // MARK: - One budget

  @Test func passesCountTogether() async throws {
    try await zip("z.zip", size: 300_000)
    let limits = limits(1_000_000)
    let archive = try archiver.open("z.zip", limits: limits)
    let member = try require(archive.visit(headSize: 0).members.first)
    // A part of the member, at most a quarter of a megabyte.
    let head = limits.usage.unpackedSize
    expectTrue(head <= 1 << 18)
    for count in 1...2 {
      try expectEqual(archive.content(of: member, cache: nil).count, 300_000)
      expectEqual(limits.usage.unpackedSize, head + UInt64(count) * 300_000)
    }
    let rest = 1_000_000 - limits.usage.unpackedSize
    if rest >= 300_000 { _ = try archive.content(of: member, cache: nil) }
    // What does not fit is not begun.
    let used = limits.usage.unpackedSize
    let size = UInt64(archive.bytes.count)
    for _ in 0..<3 {
      expectEqual(
        fault { _ = try archive.content(of: member, cache: nil) },
        .implausibleSize(archiveSize: size, limit: 1_000_000))
    }
    expectEqual(limits.usage.unpackedSize, used)
  }

  @Test func theErrorNamesTheArchive() async throws {
    try await zip("inner.zip", size: 300_000, in: "outer.zip")
    let archive = try archiver.open("outer.zip", limits: limits(200_000))
    var inner: [ArchiveError] = []
    _ = archive.visitMembers { (head) throws(ArchiveError) in
      inner =
        try head.archive()?.visitMembers { (head) throws(ArchiveError) in
          _ = try head.whole()
        } ?? []
    }
    expectEqual(inner.map(\.path), [archiver.path("outer.zip")])
    expectEqual(inner.map(\.member), [nil])
  }

  /// The archives of a run share what their sizes allow together, whatever each may take alone.
  @Test func archivesCountTogether() async throws {
    let limits = limits(500_000)
    var size: UInt64 = 0
    var faults: [ArchiveFault?] = []
    for index in 0..<4 {
      try await zip("\(index).zip", size: 200_000)
      let archive = try archiver.open("\(index).zip", limits: limits)
      size += UInt64(archive.bytes.count)
      let member = ArchiveMember(index: 0, name: "m0", size: 200_000, offset: nil)
      faults.append(fault { _ = try archive.content(of: member, cache: nil) })
    }
    // Two are 400,000 bytes.
    expectEqual(faults.map { $0 == nil }, [true, true, false, false])
    expectEqual(faults.last, .unpackedTooMuch(archiveSize: size, limit: 500_000))
    expectEqual(limits.usage.unpackedSize, 400_000)
    // Another run has a budget of its own.
    let other = try archiver.open("3.zip", limits: self.limits(500_000))
    try expectEqual(other.content(of: other.member("m0"), cache: nil).count, 200_000)
  }

  /// A large archive may be unpacked to more than the fixed size.
  @Test func sizeAllowsMore() async throws {
    try await archiver.python(
      """
      import random, zipfile
      random.seed(1)
      with zipfile.ZipFile('z.zip', 'w', zipfile.ZIP_DEFLATED) as z:
        z.writestr('m', bytes(random.randrange(4) for _ in range(100000)))
      """)
    let member = ArchiveMember(index: 0, name: "m", size: 100_000, offset: nil)
    // Two bits of each byte: a quarter of the size, and a little more.
    for (expansion, isEnough) in [(UInt64(2), false), (8, true)] {
      let archive = try archiver.open("z.zip", limits: limits(1, expansion: expansion))
      let fault = fault { _ = try archive.content(of: member, cache: nil) }
      expectEqual(fault == nil, isEnough)
    }
  }

  /// The holes of a sparse file are zeros that somebody must write.
  @Test func holesCount() async throws {
    try await archiver.run(
      "sh", ["-c", "truncate -s 600K f; truncate -s 600K g; tar -cSf t.tar f g; rm f g"])
    let limits = limits(1_000_000)
    let archive = try archiver.open("t.tar", limits: limits)
    let members = archive.visit(headSize: 0).members
    expectEqual(members.map(\.size), [614_400, 614_400])
    let content = try archive.content(of: members[0], cache: nil)
    expectEqual(content.count, 614_400)
    expectEqual(limits.usage.unpackedSize, 614_400)
    expectEqual(
      fault { _ = try archive.content(of: members[1], cache: nil) },
      .implausibleSize(archiveSize: UInt64(archive.bytes.count), limit: 1_000_000))
  }

  @Test func whatIsStoredCostsNothing() throws {
    var builder = ZipBuilder()
    builder.add("m", [UInt8](repeating: 7, count: 3000))
    try archiver.directory.write(builder.bytes, to: "z.zip")
    let limits = limits(1)
    let archive = try archiver.open("z.zip", limits: limits)
    try expectEqual(archive.content(of: archive.member("m"), cache: nil).count, 3000)
    expectEqual(limits.usage.unpackedSize, 0)
  }

  // MARK: - Growth

  /// Each member that is taken out of a compressed tar archive would cost everything before it.
  @Test(arguments: ["gzip", "xz"])
  func membersOfACompressedTar(_ compressor: String) async throws {
    var costs: [UInt64] = []
    for count in [16, 32] {
      try await archiver.python(
        """
        import tarfile, io
        with tarfile.open('whole', 'w', format=tarfile.USTAR_FORMAT) as t:
          for index in range(\(count)):
            info = tarfile.TarInfo('m%d' % index); info.size = 20480
            t.addfile(info, io.BytesIO(bytes([index]) * 20480))
        """)
      try await archiver.run("sh", ["-c", "\(compressor) < whole > t"])
      let limits = limits()
      let archive = try archiver.open("t", limits: limits)
      for member in archive.visit().members {
        let content = try archive.content(of: member, cache: nil)
        expectEqual(content.bytes, [UInt8](repeating: UInt8(member.index), count: 20480))
      }
      let size = UInt64(try archiver.directory.bytes(of: "whole").count)
      // To see what is there, to take it out, and of gzip to compare the checksum.
      expectTrue(limits.usage.unpackedSize <= (compressor == "gzip" ? 3 : 2) * size)
      costs.append(limits.usage.unpackedSize)
    }
    expectTrue(costs[1] <= 2 * costs[0] + 20480, "\(costs)")
  }

  /// An archive in an archive is unpacked once, however many of its members are taken out.
  @Test func membersOfAnInnerArchive() async throws {
    var costs: [UInt64] = []
    for count in [8, 16] {
      try await zip("inner.zip", count: count, size: 50_000, in: "outer.zip")
      let limits = limits()
      let archive = try archiver.open("outer.zip", limits: limits)
      let outer = try require(archive.visit(headSize: 0).members.first)
      let before = limits.usage.unpackedSize
      for index in 0..<count {
        let member = ArchiveMember(index: index, name: "m\(index)", size: 50_000, offset: nil)
        try expectEqual(archive.content(of: [outer, member], cache: nil).count, 50_000)
      }
      costs.append(limits.usage.unpackedSize - before)
      expectEqual(costs.last, outer.size + UInt64(count) * 50_000)
    }
    expectTrue(costs[1] <= 2 * costs[0], "\(costs)")
  }

  // MARK: - Where it goes

  private func content(_ limits: ArchiveLimits, cache: ArchiveCache? = nil) throws -> ByteRegion {
    try archiver.open("z.zip", limits: limits).content(
      of: ArchiveMember(index: 0, name: "m0", size: 2 << 20, offset: nil), cache: cache)
  }

  private func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: archiver.path(folder))
  }

  @Test func largeMembersGoToAFileWithoutAName() async throws {
    try await zip("z.zip", size: 2 << 20)
    try archiver.directory.makeDirectory("scratch")
    var limits = limits()
    // One that is not there is passed over.
    limits.scratchFolders = [archiver.path("absent"), archiver.path("scratch")]
    limits.memory = 0
    let content = try content(limits)
    expectEqual(content.bytes, [UInt8](repeating: 0, count: 2 << 20))
    try expectEqual(files("scratch"), [])
    expectEqual(limits.usage.sizeInMemory, 0)
  }

  @Test func smallMembersGoToMemory() async throws {
    try await zip("z.zip", size: 1000)
    var limits = limits()
    limits.scratchFolders = []
    let archive = try archiver.open("z.zip", limits: limits)
    for count in 1...3 {
      _ = try archive.content(of: archive.member("m0"), cache: nil)
      expectEqual(limits.usage.sizeInMemory, UInt64(1000 * count))
    }
  }

  /// All that is unpacked to memory counts together.
  @Test func memoryHasALimit() async throws {
    try await zip("z.zip", size: 2 << 20)
    var limits = limits()
    limits.scratchFolders = []
    limits.memory = 3 << 20
    let first = try content(limits)
    expectEqual(first.count, 2 << 20)
    expectEqual(
      fault { _ = try content(limits) }, .tooLargeForMemory(size: 2 << 20, limit: 3 << 20))
    expectEqual(limits.usage.sizeInMemory, 2 << 20)
  }

  /// A member that is larger than the cache does not make all others go.
  @Test func aMemberThatTheCacheCannotHold() async throws {
    try await zip("z.zip", size: 2 << 20)
    try await zip("other.zip", size: 1000)
    let cache = ArchiveCache(directory: archiver.path("cache"), sizeLimit: 1 << 20)
    let other = try archiver.open("other.zip")
    _ = try other.content(of: other.member("m0"), cache: cache)
    var limits = limits()
    limits.scratchFolders = []
    limits.memory = 0
    // The folder of the cache is the first place for a temporary file.
    try expectEqual(content(limits, cache: cache).count, 2 << 20)
    try expectEqual(files("cache").count, 1)
  }

  /// What was unpacked earlier costs nothing.
  @Test func theCacheCostsNothing() async throws {
    try await zip("z.zip", size: 2 << 20)
    let cache = ArchiveCache(directory: archiver.path("cache"), sizeLimit: 4 << 20)
    _ = try content(limits(), cache: cache)
    let later = limits(1)
    try expectEqual(content(later, cache: cache).count, 2 << 20)
    expectEqual(later.usage.unpackedSize, 0)
  }
}
