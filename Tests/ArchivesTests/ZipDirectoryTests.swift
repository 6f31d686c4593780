import BinaryInput
import SymbolicationModel
import Synchronization
import TestSupport
import Testing

@testable import Archives

/// Members of zip archives are read at the places that the directory states, others from the start
/// of the archive on. The archives are those of Python's zipfile and of GNU tar; what is expected
/// is what was written into them.
struct ZipDirectoryTests {
  let archiver: Archiver
  private static let count = 130

  init() throws { archiver = try Archiver() }

  /// Writes `z.zip` with deflated members `m0`, `m1` …, each of its own content.
  private func write(_ options: String = "", then change: String = "") async throws {
    try await archiver.python(
      """
      import zipfile, struct
      class Pipe:
        def __init__(self, path): self.file = open(path, 'wb')
        def write(self, data): return self.file.write(data)
        def flush(self): self.file.flush()
      out = 'z.zip'
      \(options)
      with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
        for i in range(\(Self.count)): z.writestr(f'm{i}', b'%d ' % i * (100 + i))
      if isinstance(out, Pipe): out.flush()
      data = open('z.zip', 'rb').read()
      \(change)
      open('z.zip', 'wb').write(data)
      """)
  }

  private func content(_ number: Int) -> [UInt8] {
    Array(String(repeating: "\(number) ", count: 100 + number).utf8)
  }

  /// Takes all members out, from the last to the first, and says how many passes that took.
  private func passesBackwards(_ archive: ArchiveFile) throws -> Int {
    let members = archive.visit().members
    expectEqual(members.count, Self.count)
    for (number, member) in members.enumerated().reversed() {
      try expectEqual(archive.content(of: member, cache: nil).bytes, content(number), member.name)
    }
    return archive.memberSearch.withLock { $0.passCount }
  }

  @Test(arguments: [
    ("plain", "", ""),
    // Sizes and checksums are behind the content (APPNOTE 4.3.9).
    ("from a pipe", "out = Pipe('z.zip')", ""),
    ("with a comment", "", "data = data[:-2] + struct.pack('<H', 70) + b'x' * 70"),
  ])
  func membersInAnyOrderTakeNoPass(_ name: String, _ options: String, _ change: String) async throws
  {
    try await write(options, then: change)
    try expectEqual(passesBackwards(archiver.open("z.zip")), 0, name)
  }

  /// Sparse files in a tar archive lie nowhere in one piece.
  private func sparseMembers() async throws -> ArchiveFile {
    try await archiver.python(
      """
      for i in range(\(Self.count)):
        f = open(f's{i:03}', 'wb'); f.write(b'%d' % i); f.truncate(1 << 20)
      """)
    try await archiver.run("sh", ["-c", "tar -cSf t.tar s*"])
    return try archiver.open("t.tar")
  }

  @Test func membersInTheirOrderTakeOnePass() async throws {
    let archive = try await sparseMembers()
    let members = archive.visit().members
    expectEqual(members.count, Self.count)
    for (number, member) in members.enumerated() {
      let start = Array("\(number)".utf8)
      let content = try archive.content(of: member, cache: nil).bytes
      let rest = [UInt8](repeating: 0, count: (1 << 20) - start.count)
      expectTrue(content == start + rest, member.name)
    }
    expectEqual(archive.memberSearch.withLock { $0.passCount }, 1)
  }

  @Test func passesAreLimited() async throws {
    let archive = try await sparseMembers()
    var faults: [ArchiveError.Reason] = []
    for member in archive.visit().members.reversed() {
      do throws(ArchiveError) {
        _ = try archive.content(of: member, cache: nil)
      } catch {
        faults.append(error.reason)
      }
    }
    let expected = ArchiveError.Reason.fault(.tooManyPasses(limit: 100))
    expectEqual(faults, Array(repeating: expected, count: Self.count - 100))
  }

  /// Each byte of the directory and the end record is changed: whatever is then unpacked is what
  /// was written, and nothing traps.
  @Test func damagedDirectories() async throws {
    var zip = ZipBuilder()
    // Three letters each, as RFC 1951 deflates them: zlib's bytes and checksums.
    let members: [(content: String, deflated: [UInt8], crc: UInt32)] = [
      ("abc", [0x4b, 0x4c, 0x4a, 0x06, 0x00], 0x3524_41c2),
      ("abd", [0x4b, 0x4c, 0x4a, 0x01, 0x00], 0xab40_d461),
      ("xyz", [0xab, 0xa8, 0xac, 0x02, 0x00], 0xeb8e_ba67),
    ]
    // A member has its content for a name.
    for member in members {
      zip.add(member.content, member.deflated, method: 8, localSize: 3, crc: member.crc)
    }
    let sound = zip.bytes
    let start = try require(sound.indices.first { sound[$0...].starts(with: [0x50, 0x4b, 1, 2]) })
    var unpacked = 0
    for place in start..<sound.count {
      for bit in [0, 3, 7] {
        var bytes = sound
        bytes[place] ^= 1 << UInt8(bit)
        guard let archive = ArchiveFile(ByteRegion(copying: bytes), path: "z.zip") else { continue }
        for member in archive.visit().members.reversed() {
          guard let content = try? archive.content(of: member, cache: nil) else { continue }
          unpacked += 1
          expectEqual(content.bytes, Array(member.name.utf8), "\(place), bit \(bit)")
        }
      }
    }
    expectTrue(unpacked > 300, "\(unpacked)")
  }
}
