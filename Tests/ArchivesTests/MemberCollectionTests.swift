import BinaryInput
import SymbolicationModel
import TestSupport
import Testing

@testable import Archives

/// All files of an archive, unpacked in one pass.
struct MemberCollectionTests {
  private let archiver: Archiver

  init() throws { archiver = try Archiver() }

  private static let contents = (0..<40).map { number in
    [UInt8](repeating: UInt8(number), count: 1 + number * 997)
  }

  /// A zip archive with members that are stored and compressed in turn.
  private func archive(_ limits: ArchiveLimits = ArchiveLimits()) async throws -> ArchiveFile {
    try await archiver.python(
      """
      import zipfile
      with zipfile.ZipFile("a.zip", "w") as zip:
          for number in range(40):
              method = zipfile.ZIP_DEFLATED if number % 2 else zipfile.ZIP_STORED
              zip.writestr(f"f{number}", bytes([number]) * (1 + number * 997), method)
      """)
    return try archiver.open("a.zip", limits: limits)
  }

  private func collect(
    _ archive: ArchiveFile
  ) throws -> (contents: [ByteRegion], faults: [ArchiveError]) {
    let collection = MemberCollection(limits: archive.limits)
    let faults = archive.visitMembers(checksCrc: true) { (head) throws(ArchiveError) in
      _ = try head.bytes(at: 0, count: 4096)
      try head.add(to: collection)
    }
    return (try require(collection.contents()), faults)
  }

  /// Without a folder for the temporary file, memory takes them.
  @Test(arguments: [nil, []] as [[String]?])
  func contentsAreInOrder(scratchFolders: [String]?) async throws {
    var limits = ArchiveLimits()
    limits.scratchFolders = scratchFolders
    let (contents, faults) = try await collect(archive(limits))
    expectEmpty(faults)
    expectEqual(contents.map(\.bytes), Self.contents)
  }

  /// A damaged member is left out, and those after it are read.
  @Test func damage() async throws {
    try await archiver.python(
      """
      import random, zipfile
      random.seed(1)
      data = bytes(random.choice(b"abcdefgh") for _ in range(5000))
      with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as zip:
          for name in "abcd": zip.writestr(name, data + name.encode())
      content = bytearray(open("a.zip", "rb").read())
      for info in zipfile.ZipFile("a.zip").infolist()[1:3]:
          # Behind the local header of 30 bytes and the name (APPNOTE.TXT, 4.3.7): the type of the first
          # block becomes 3, which is an error (RFC 1951, 3.2.3).
          content[info.header_offset + 31] |= 6
      open("a.zip", "wb").write(content)
      """)
    let (contents, faults) = try collect(archiver.open("a.zip"))
    expectEqual(contents.map { $0.bytes.last }, [UInt8(ascii: "a"), UInt8(ascii: "d")])
    expectEqual(faults.map(\.member), ["b", "c"])
  }

  /// The members that fit into what may be unpacked, and one fault for all others.
  @Test func budget() async throws {
    var limits = ArchiveLimits()
    limits.smallestUnpackedSize = 20_000
    limits.expansion = 0
    let (contents, faults) = try await collect(archive(limits))
    expectTrue(contents.count < 40)
    expectEqual(contents.map(\.bytes), Array(Self.contents.prefix(contents.count)))
    expectEqual(faults.count, 1)
  }
}
