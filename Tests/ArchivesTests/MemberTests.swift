import BinaryInput
import Foundation
import SymbolicationModel
import TestSupport
import Testing

@testable import Archives

/// Members of sound archives that zip, tar, Python's zipfile and the compressors write.
struct MemberTests {
  let archiver: Archiver
  /// Neither compresses well nor repeats, and is longer than any of libarchive's buffers.
  private static let content: [UInt8] = {
    var generator = SeededGenerator(seed: 7)
    return (0..<700_000).map { _ in UInt8.random(in: 0..<64, using: &generator) }
  }()
  private var content: [UInt8] { Self.content }

  init() throws {
    archiver = try Archiver()
    try archiver.directory.makeDirectory("d/in")
    try archiver.directory.write(content, to: "d/in/large")
    try archiver.directory.write([1, 2, 3, 4, 5], to: "d/small")
    try archiver.directory.write([], to: "d/empty")
  }

  static let kinds: [(name: String, program: String, arguments: [String])] = [
    ("deflated.zip", "zip", ["-qr", "deflated.zip", "d"]),
    ("stored.zip", "zip", ["-qr0", "stored.zip", "d"]),
    ("plain.tar", "tar", ["-cf", "plain.tar", "d"]),
    ("pax.tar", "tar", ["-c", "--format=pax", "-f", "pax.tar", "d"]),
    ("gzip", "tar", ["-czf", "gzip", "d"]),
    ("xz", "tar", ["-cJf", "xz", "d"]),
    ("bzip2", "tar", ["-cjf", "bzip2", "d"]),
    ("zstd", "tar", ["--zstd", "-cf", "zstd", "d"]),
  ]

  @Test(arguments: kinds)
  func everyKind(_ kind: (name: String, program: String, arguments: [String])) async throws {
    try await archiver.run(kind.program, kind.arguments)
    let archive = try archiver.open(kind.name)
    let (members, heads, faults) = archive.visit(headSize: 300_000)
    expectEqual(faults, [])
    expectEqual(Set(members.map(\.name)), ["d/in/large", "d/small"])
    expectEqual(heads["d/small"], [1, 2, 3, 4, 5])
    expectEqual(heads["d/in/large"], Array(content.prefix(300_000)))
    let large = try require(members.first { $0.name == "d/in/large" })
    expectEqual(large.size, 700_000)
    let isStored = kind.name.hasPrefix("stored") || kind.name.hasSuffix(".tar")
    expectEqual(large.offset != nil, isStored)
    let bytes = try archive.content(of: large, cache: nil)
    expectEqual(bytes.bytes, content)
    if isStored {
      let start = archive.bytes.memoryAddress
      expectTrue((start..<start + UInt(archive.bytes.count)).contains(bytes.memoryAddress))
    }
  }

  /// Sizes and offsets of 64 bits, as for archives of more than 4 GiB.
  @Test(arguments: ["STORED", "DEFLATED"])
  func zip64(_ method: String) async throws {
    try await archiver.python(
      """
      import zipfile
      with zipfile.ZipFile('z.zip', 'w', zipfile.ZIP_\(method)) as z:
        with z.open('d/in/large', 'w', force_zip64=True) as f:
          f.write(open('d/in/large', 'rb').read())
      """)
    let archive = try archiver.open("z.zip")
    let member = try archive.member("d/in/large")
    try expectEqual(archive.content(of: member, cache: nil).bytes, content)
  }

  /// A zip that is written to a pipe states sizes after the content, and in the central directory.
  @Test func zipFromAPipe() async throws {
    try await archiver.run("sh", ["-c", "zip -qr - d | cat > piped.zip"])
    let archive = try archiver.open("piped.zip")
    let member = try archive.member("d/in/large")
    expectEqual(member.size, 700_000)
    try expectEqual(archive.content(of: member, cache: nil).bytes, content)
  }

  @Test func laterBytesOfAHead() async throws {
    try await archiver.run("tar", ["-czf", "t.tar.gz", "d"])
    var parts: [[UInt8]] = []
    let faults = try archiver.open("t.tar.gz").visitMembers { (head) throws(ArchiveError) in
      guard head.member.name == "d/in/large" else { return }
      parts.append(try head.bytes(at: 10, count: 5).bytes)
      parts.append(try head.bytes(at: 10, count: 100_000).bytes)
      parts.append(try head.bytes(at: 600_000, count: 7).bytes)
      parts.append(try head.bytes(at: 699_998, count: 10).bytes)
      parts.append(try head.bytes(at: 800_000, count: 10).bytes)
    }
    expectEqual(faults, [])
    expectEqual(
      parts,
      [
        Array(content[10..<15]), Array(content[10..<100_010]), Array(content[600_000..<600_007]),
        Array(content[699_998...]), [],
      ])
  }

  @Test func linksAndAttributesAreNoMembers() async throws {
    try archiver.directory.link("d/link", to: "../../etc/passwd")
    try FileManager.default.linkItem(
      atPath: archiver.path("d/small"), toPath: archiver.path("d/zlink"))
    try archiver.directory.makeDirectory("__MACOSX/d")
    try archiver.directory.write([9], to: "__MACOSX/d/small")
    try archiver.directory.write([9], to: "d/._small")
    try await archiver.run("tar", ["-cf", "t.tar", "--sort=name", "d", "__MACOSX"])
    try await archiver.run("zip", ["-qry", "z.zip", "d", "__MACOSX"])
    expectEqual(
      Set(try archiver.open("t.tar").visit().members.map(\.name)), ["d/in/large", "d/small"])
    // A zip archive has no hard links: it holds the file twice.
    expectEqual(
      Set(try archiver.open("z.zip").visit().members.map(\.name)),
      ["d/in/large", "d/small", "d/zlink"])
  }

  @Test func holesOfASparseFileAreZeros() async throws {
    try await archiver.python(
      """
      f = open('sparse', 'wb'); f.write(b'start'); f.seek(1 << 20); f.write(b'end')
      f.truncate(3 << 20)
      """)
    try await archiver.run("tar", ["-cSf", "t.tar", "sparse"])
    let archive = try archiver.open("t.tar")
    let bytes = try archive.content(of: try archive.member("sparse"), cache: nil).bytes
    try expectEqual(bytes, archiver.directory.bytes(of: "sparse"))
  }

  @Test func namesAreUtf8WhateverTheLocale() async throws {
    try await archiver.python(
      """
      import zipfile
      with zipfile.ZipFile('z.zip', 'w') as z: z.writestr('Gr\\u00f6\\u00dfe \\u2192 \\U0001f41f', b'x')
      """)
    try expectEqual(archiver.open("z.zip").visit().members.map(\.name), ["Größe → 🐟"])
  }

  @Test func emptyArchives() async throws {
    try archiver.directory.write(ZipBuilder().bytes, to: "z.zip")
    try expectEqual(archiver.open("z.zip").visit().faults, [])
    try await archiver.run("tar", ["-czf", "t.tar.gz", "-T", "/dev/null"])
    try expectEqual(archiver.open("t.tar.gz").visit().faults, [])
  }

  @Test func otherFilesAreNoArchives() throws {
    try archiver.directory.write(Array("no archive".utf8), to: "x")
    try expectNil(ArchiveFile.open(path: archiver.path("x")))
    #expect(
      throws: ArchiveError(
        path: archiver.path("absent"), reason: .inaccessible(errno: ENOENT, operation: .inspect))
    ) { try ArchiveFile.open(path: archiver.path("absent")) }
  }
}
