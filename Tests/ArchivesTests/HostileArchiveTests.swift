import BinaryInput
import Foundation
import SymbolicationModel
import TestSupport
import Testing

@testable import Archives

/// Archives that lie, are damaged, or are made to fill memory and disks.
struct HostileArchiveTests {
  let archiver: Archiver
  let text = Array("cffaedfe is how most of them begin".utf8)

  init() throws { archiver = try Archiver() }

  private func zip(_ add: (inout ZipBuilder) -> Void, limits: ArchiveLimits = ArchiveLimits())
    throws
    -> ArchiveFile
  {
    var builder = ZipBuilder()
    add(&builder)
    try archiver.directory.write(builder.bytes, to: "z.zip")
    return try archiver.open("z.zip", limits: limits)
  }

  private func faults(_ errors: [ArchiveError]) -> [ArchiveFault] {
    errors.compactMap { if case .fault(let fault) = $0.reason { fault } else { nil } }
  }

  // MARK: - Names

  /// Names that lead out of a folder name members like any other, and files in the cache are named
  /// by numbers.
  @Test func namesLeadNowhere() async throws {
    let names = ["../../outside", "/etc/passwd", "a/../../b", ".", "-"]
    try await archiver.python(
      """
      import zipfile
      with zipfile.ZipFile('z.zip', 'w', zipfile.ZIP_DEFLATED) as z:
        for name in \(names): z.writestr(name, name * 9)
      """)
    let cache = ArchiveCache(directory: archiver.path("cache/in"), sizeLimit: 1 << 20)
    let archive = try archiver.open("z.zip")
    let members = archive.visit().members
    expectEqual(members.map(\.name), names)
    for member in members {
      let bytes = try archive.content(of: member, cache: cache).bytes
      expectEqual(bytes, Array(String(repeating: member.name, count: 9).utf8))
    }
    try expectEqual(archiver.directory.fileNames(), ["cache", "z.zip"])
    let files = try FileManager.default.contentsOfDirectory(atPath: archiver.path("cache/in"))
    expectEqual(files.count, names.count)
    for file in files {
      expectSuffix(file, ".member")
      expectTrue(file.dropLast(7).allSatisfy { $0 == "-" || $0.isHexDigit })
    }
  }

  @Test func longNames() throws {
    let long = String(repeating: "n", count: 5000)
    let archive = try zip { zip in
      zip.add(long, text)
      zip.add("short", text)
    }
    let (members, _, errors) = archive.visit()
    expectEqual(members.map(\.name), ["short"])
    expectEqual(faults(errors), [.tooLongNames(length: 5000, limit: 4096, count: 1)])
  }

  @Test func manyMembers() throws {
    var limits = ArchiveLimits()
    limits.memberCount = 3
    let archive = try zip(
      { zip in for index in 0..<5 { zip.add("\(index)", text) } }, limits: limits)
    let (members, _, errors) = archive.visit()
    expectEqual(members.count, 3)
    expectEqual(faults(errors), [.tooManyMembers(limit: 3)])
  }

  // MARK: - Sizes

  @Test func storedMembersAreUsedInPlace() throws {
    var offset: UInt64 = 0
    let archive = try zip { offset = $0.add("member", text) }
    let member = try archive.member("member")
    expectEqual(member.offset, offset)
    try expectEqual(archive.content(of: member, cache: nil).bytes, text)
  }

  /// The local header states one size, the central directory another, and the bytes a third.
  @Test(arguments: [(UInt32(1000), UInt32(1000)), (1000, 34), (34, 1000)])
  func lyingSizes(_ local: UInt32, _ central: UInt32) throws {
    let archive = try zip { $0.add("member", text, localSize: local, centralSize: central) }
    let member = try archive.member("member")
    if member.size == 34 {
      try expectEqual(archive.content(of: member, cache: nil).bytes, text)
    } else {
      expectEqual(member.size, 1000)
      #expect(throws: ArchiveError.self) { try archive.content(of: member, cache: nil) }
    }
  }

  /// The compressed bytes are more than the stated size.
  @Test func deflatedMemberThatIsLonger() async throws {
    try await archiver.python(
      """
      import zipfile, struct
      with zipfile.ZipFile('z.zip', 'w', zipfile.ZIP_DEFLATED) as z: z.writestr('member', bytes(1 << 20))
      data = bytearray(open('z.zip', 'rb').read())
      struct.pack_into('<I', data, 22, 900000)
      struct.pack_into('<I', data, data.find(b'PK\\1\\2') + 24, 900000)
      open('z.zip', 'wb').write(data)
      """)
    let archive = try archiver.open("z.zip")
    let member = try archive.member("member")
    expectEqual(member.size, 900_000)
    let error = #expect(throws: ArchiveError.self) {
      try archive.content(of: member, cache: nil)
    }
    switch error?.reason {
    case .fault(.wrongSize(stated: 900_000, _)), .fault(.damaged): break
    default: Issue.record("\(String(describing: error))")
    }
    expectEqual(error?.member, "member")
  }

  @Test func wrongChecksum() async throws {
    try await archiver.python(
      """
      import zipfile
      with zipfile.ZipFile('z.zip', 'w', zipfile.ZIP_DEFLATED) as z: z.writestr('member', b'x' * 5000)
      data = bytearray(open('z.zip', 'rb').read())
      data[14] ^= 1
      data[data.find(b'PK\\1\\2') + 16] ^= 1
      open('z.zip', 'wb').write(data)
      """)
    let archive = try archiver.open("z.zip")
    let member = try archive.member("member")
    let cache = ArchiveCache(directory: archiver.path("cache"), sizeLimit: 1 << 20)
    let error = #expect(throws: ArchiveError.self) {
      try archive.content(of: member, cache: cache)
    }
    guard case .fault(.damaged(let detail)) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectContains(detail, "CRC")
    // Nothing half-written stays.
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: archiver.path("cache")), [])
  }

  // MARK: - Bombs

  private func smallLimits() -> ArchiveLimits {
    var limits = ArchiveLimits()
    limits.smallestUnpackedSize = 1 << 20
    limits.expansion = 10
    return limits
  }

  @Test func zipBomb() async throws {
    try await archiver.python(
      """
      import zipfile
      with zipfile.ZipFile('z.zip', 'w', zipfile.ZIP_DEFLATED) as z: z.writestr('member', bytes(8 << 20))
      """)
    let archive = try archiver.open("z.zip", limits: smallLimits())
    let member = try archive.member("member")
    let error = #expect(throws: ArchiveError.self) { try archive.content(of: member, cache: nil) }
    expectEqual(
      error?.reason,
      .fault(.implausibleSize(archiveSize: UInt64(archive.bytes.count), limit: 1 << 20)))
  }

  /// A thousand entries of the directory lead to the same bytes.
  @Test func overlappingMembers() async throws {
    try await archiver.python(
      """
      import zipfile, struct
      with zipfile.ZipFile('z.zip', 'w', zipfile.ZIP_DEFLATED) as z: z.writestr('m', bytes(1 << 20))
      data = open('z.zip', 'rb').read()
      start = data.find(b'PK\\1\\2'); end = data.find(b'PK\\5\\6')
      entry = data[start:end]
      tail = bytearray(data[end:])
      struct.pack_into('<HHI', tail, 8, 1000, 1000, 1000 * len(entry))
      open('z.zip', 'wb').write(data[:start] + entry * 1000 + tail)
      """)
    let archive = try archiver.open("z.zip", limits: smallLimits())
    let errors = archive.visit().faults
    // libarchive keeps one entry for each offset, or each counts against the limit.
    #expect(archive.visit().members.count <= 8)
    #expect(errors.count <= 1)
  }

  @Test(arguments: ["gzip", "xz", "zstd", "bzip2"])
  func compressedTarBomb(_ compressor: String) async throws {
    try await archiver.run(
      "sh", ["-c", "truncate -s 8M zeros; tar -c zeros | \(compressor) > t; rm zeros"])
    let archive = try archiver.open("t", limits: smallLimits())
    expectEqual(
      faults(archive.visit().faults),
      [.implausibleSize(archiveSize: UInt64(archive.bytes.count), limit: 1 << 20)])
  }

  /// Only one layer is decompressed: of gzip in gzip, a few kilobytes could take hours.
  @Test func compressedTwice() async throws {
    try await archiver.run(
      "sh", ["-c", "echo text > f; tar -cz f | gzip > t; rm f"])
    let archive = try archiver.open("t")
    expectEqual(faults(archive.visit().faults), [.notATarArchive(compression: "gzip")])
  }

  @Test func aTarThatStatesTooMuch() async throws {
    // A sparse file of a terabyte takes 10 KB in a tar archive.
    try await archiver.run("sh", ["-c", "truncate -s 1T f; tar -cSf t.tar f; rm f"])
    let archive = try archiver.open("t.tar")
    let member = try archive.member("f")
    expectEqual(member.size, 1 << 40)
    let error = #expect(throws: ArchiveError.self) { try archive.content(of: member, cache: nil) }
    expectEqual(
      error?.reason,
      .fault(.implausibleSize(archiveSize: UInt64(archive.bytes.count), limit: 1 << 30)))
  }

  // MARK: - Damage

  @Test func truncatedZip() throws {
    var builder = ZipBuilder()
    builder.add("member", text)
    try archiver.directory.write(builder.bytes.dropLast(30), to: "z.zip")
    expectEqual(faults(try archiver.open("z.zip").visit().faults), [.missingDirectory])
  }

  /// The members before the damage are found.
  @Test(arguments: ["gzip", "xz", "zstd", "cat"])
  func truncatedTar(_ compressor: String) async throws {
    try await archiver.python(
      """
      import random, tarfile, io
      random.seed(1)
      with tarfile.open('whole', 'w', format=tarfile.USTAR_FORMAT) as t:
        for name in 'abc':
          info = tarfile.TarInfo(name); info.size = 200000
          t.addfile(info, io.BytesIO(bytes(random.randrange(256) for _ in range(200000))))
      """)
    try await archiver.run("sh", ["-c", "\(compressor) < whole | head -c 450000 > t"])
    let (members, _, errors) = try archiver.open("t").visit(headSize: 1)
    expectEqual(members.first?.name, "a")
    expectEqual(errors.count, 1)
    guard case .damaged? = faults(errors).first else {
      Issue.record("\(errors)")
      return
    }
  }

  @Test func aCompressedFileWithoutATar() async throws {
    try await archiver.run("sh", ["-c", "yes | head -c 9999 | xz > t"])
    expectEqual(faults(try archiver.open("t").visit().faults), [.notATarArchive(compression: "xz")])
    try await archiver.run("sh", ["-c", "head -c 9999 /dev/urandom | xz | head -c 20 > t"])
    expectEqual(faults(try archiver.open("t").visit().faults), [.damaged(detail: "")])
  }

  @Test func encryptedMembers() async throws {
    try archiver.directory.write(text, to: "f")
    try archiver.directory.write(text, to: "g")
    try await archiver.run("zip", ["-q", "-P", "secret", "z.zip", "f", "g"])
    let (members, _, errors) = try archiver.open("z.zip").visit()
    expectEqual(members, [])
    expectEqual(faults(errors), [.encrypted(first: "f", count: 2)])
  }

  // MARK: - Change

  @Test func anArchiveThatChanges() throws {
    let archive = try zip { $0.add("member", text) }
    let member = try archive.member("member")
    var other = ZipBuilder()
    other.add("other", text + text)
    try archiver.directory.write(other.bytes, to: "new")
    unsafe expectEqual(rename(archiver.path("new"), archiver.path("z.zip")), 0)
    expectEqual(faults(archive.visit().faults), [.changedMeanwhile])
    let error = #expect(throws: ArchiveError.self) { try archive.content(of: member, cache: nil) }
    expectEqual(error?.reason, .fault(.changedMeanwhile))
  }

  /// Every cut and every changed byte gives an answer.
  @Test func damageAnywhere() async throws {
    try archiver.directory.write(text, to: "f")
    try await archiver.run("zip", ["-q", "z.zip", "f"])
    try await archiver.run("tar", ["-czf", "t.tar.gz", "f"])
    for name in ["z.zip", "t.tar.gz"] {
      let bytes = try archiver.directory.bytes(of: name)
      for offset in bytes.indices {
        var changed = bytes
        changed[offset] ^= 0xff
        for damaged in [changed, Array(bytes.prefix(offset))] {
          guard let archive = ArchiveFile(ByteRegion(copying: damaged), path: name) else {
            continue
          }
          for member in archive.visit().members {
            _ = try? archive.content(of: member, cache: nil)
          }
        }
      }
    }
  }
}
